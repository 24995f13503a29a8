# nix-build, or nix-shell -p '(import ./default.nix {})' --run 'cardwright generate --check'
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenvNoCC.mkDerivation rec {
  pname = "cardwright";
  version = "1.2.3";
  src = pkgs.fetchurl {
    url = "https://github.com/OWNER/cardwright/releases/download/v${version}/cardwright_${version}_linux_amd64.tar.gz";
    sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"; # in checksums.txt
  };
  sourceRoot = ".";
  installPhase = "install -Dm755 cardwright $out/bin/cardwright";
}
