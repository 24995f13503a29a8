#!/usr/bin/env bash
# Runs the checks of docs/install.md on the checksums of a release, with a signature as
# the release workflow makes it, and with wrong ones.
#
#   .ci/signatures.sh DIST
#
# Nobody but a workflow on GitHub gets a certificate of Sigstore. An authority made
# here gives one with the same contents instead, and cosign is told to trust it and
# not to look into the public log. gh needs GitHub and is not run: internal/trials tries
# what our Action does with its answer.
set -euo pipefail
dist=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=v3.1.3
bin=${XDG_CACHE_HOME:-$HOME/.cache}/cardwright/cosign-$version-$(go env GOVERSION)
documented=$(.ci/documented.sh signatures)
repository=${documented#*https://github\\.com/}
repository=${repository%%/\\.github*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
  echo "signatures: $*" >&2
  exit 1
}

if [[ ! -x $bin/cosign ]]; then
  echo "installing cosign $version; the first time takes some minutes"
  GOBIN=$bin GOFLAGS=-mod=mod go install "github.com/sigstore/cosign/v3/cmd/cosign@$version"
fi
cp "$dist"/checksums.txt "$dist"/cardwright_1.2.3_linux_amd64.tar.gz "$work/"
cd "$work"

der() { openssl x509 -in "$1" -outform DER | openssl base64 -A; }

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -days 1 -subj /O=test/CN=test \
  -addext basicConstraints=critical,CA:true,pathlen:0 -addext keyUsage=critical,keyCertSign 2>log || { cat log >&2; die "no authority"; }
cat >root.json <<END
{"mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1", "certificateAuthorities": [
  {"subject": {"organization": "test", "commonName": "test"}, "uri": "https://localhost", "validFor": {"start": "2020-01-01T00:00:00Z"},
   "certChain": {"certificates": [{"rawBytes": "$(der ca.pem)"}]}}]}
END

# sign WORKFLOW signs the checksums as that workflow.
sign() {
  cat >extensions <<END
keyUsage = critical, digitalSignature
extendedKeyUsage = codeSigning
subjectAltName = critical, URI:https://github.com/$1
1.3.6.1.4.1.57264.1.8 = ASN1:UTF8String:https://token.actions.githubusercontent.com
END
  {
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -subj / -out request.pem
    openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 1 -extfile extensions -out certificate.pem
  } 2>log || { cat log >&2; die "no certificate"; }
  cat >checksums.txt.sigstore.json <<END
{"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
 "verificationMaterial": {"certificate": {"rawBytes": "$(der certificate.pem)"}},
 "messageSignature": {
   "messageDigest": {"algorithm": "SHA2_256", "digest": "$(openssl dgst -sha256 -binary checksums.txt | openssl base64 -A)"},
   "signature": "$(openssl dgst -sha256 -sign key.pem checksums.txt | openssl base64 -A)"}}
END
}

mkdir bin
printf '#!/bin/sh\nexec %s "$@" --trusted-root root.json --insecure-ignore-tlog --insecure-ignore-sct\n' "$bin/cosign" >bin/cosign
chmod +x bin/cosign

# wants good|bad WHAT runs the commands of the page, on what they are to find so.
wants() {
  local code=0
  PATH=$work/bin:$PATH bash -ec "$documented" >log 2>&1 || code=$?
  case $1-$code in
    good-0) ;;
    good-*) cat log >&2; die "the checks refuse $2" ;;
    bad-0) die "the checks accept $2" ;;
  esac
}

sign "$repository/.github/workflows/release.yml@refs/tags/v1.2.3"
wants good "a release"
sign "${repository%/*}/other/.github/workflows/release.yml@refs/tags/v1.2.3"
wants bad "another repository"
sign "$repository/.github/workflows/release.yml@refs/heads/main"
wants bad "a branch"
sign "$repository/.github/workflows/ci.yml@refs/tags/v1.2.3"
wants bad "another workflow"
sign "$repository/.github/workflows/release.yml@refs/tags/v1.2.3"
sed -i.bak 's/^0/1/; s/^[2-9a-f]/0/' checksums.txt
wants bad "other checksums"
mv checksums.txt.bak checksums.txt
wants good "a release"
echo >>cardwright_1.2.3_linux_amd64.tar.gz
wants bad "another archive"
echo "signatures: passed; not run: gh attestation"
