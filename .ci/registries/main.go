// Command registries writes the packages of a release for npm and PyPI, from the archives
// that goreleaser made, so that every package holds the program of the archives. The same
// archives give the same bytes.
//
//	go run ./.ci/registries DIST VERSION
//
// The packages are in DIST/registries: publish those of the platforms before the one that
// depends on them.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// platform is a system and a processor, as each registry calls them.
type platform struct {
	os, arch string   // Go's names, those of the archives
	node     string   // process.platform and process.arch
	wheel    []string // tags of PEP 425; the program for Linux is static, so it runs on musl as well
}

var platforms = []platform{
	{"linux", "amd64", "linux-x64", []string{"manylinux2014_x86_64", "manylinux_2_17_x86_64", "musllinux_1_1_x86_64"}},
	{
		"linux", "arm64", "linux-arm64",
		[]string{"manylinux2014_aarch64", "manylinux_2_17_aarch64", "musllinux_1_1_aarch64"},
	},
	{"darwin", "amd64", "darwin-x64", []string{"macosx_12_0_x86_64"}},
	{"darwin", "arm64", "darwin-arm64", []string{"macosx_12_0_arm64"}},
	{"windows", "amd64", "win32-x64", []string{"win_amd64"}},
	{"windows", "arm64", "win32-arm64", []string{"win_arm64"}},
}

const summary = "Publishes A2A Agent Cards as static files, from skills directories"

// release is what all packages of one have in common.
type release struct {
	version, repository string
	license             []byte
	out                 string
}

// content is a file in a package.
type content struct {
	path string
	data []byte
	mode fs.FileMode
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: registries DIST VERSION")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dist, version string) error {
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	r := release{
		version: version, license: license, out: filepath.Join(dist, "registries"),
		repository: cmp.Or(os.Getenv("GITHUB_REPOSITORY"), "cardwright/cardwright"),
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	for _, p := range platforms {
		program, err := p.program(dist, version)
		if err != nil {
			return err
		}
		if err := r.npmPlatform(p, program); err != nil {
			return err
		}
		if err := r.wheel(p, program); err != nil {
			return err
		}
	}
	return r.npm()
}

// exe is the name of the program.
func (p platform) exe() string {
	if p.os == "windows" {
		return "cardwright.exe"
	}
	return "cardwright"
}

// program returns the program in the archive of the platform.
func (p platform) program(dist, version string) ([]byte, error) {
	base := filepath.Join(dist, fmt.Sprintf("cardwright_%s_%s_%s", version, p.os, p.arch))
	if p.os == "windows" {
		archive, err := zip.OpenReader(base + ".zip")
		if err != nil {
			return nil, err
		}
		defer archive.Close()
		file, err := archive.Open(p.exe())
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(file)
	}
	file, err := os.Open(base + ".tar.gz")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	for archive := tar.NewReader(unzipped); ; {
		h, err := archive.Next()
		if err != nil {
			return nil, fmt.Errorf("%s.tar.gz: looking for %s: %w", base, p.exe(), err)
		}
		if h.Name == p.exe() {
			return io.ReadAll(archive)
		}
	}
}

// tarball writes a package of npm.
func (r release) tarball(name string, files ...content) error {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, f := range append(files, content{"LICENSE", r.license, 0o644}) {
		h := &tar.Header{
			Name: "package/" + f.path, Mode: int64(f.mode), Size: int64(len(f.data)),
			ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(h); err != nil {
			return err
		}
		if _, err := archive.Write(f.data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name), out.Bytes(), 0o644)
}

// pep440 is the version as PyPI spells it: 1.2.3-rc.1 is 1.2.3rc1.
func (r release) pep440() (string, error) {
	number, pre, ok := strings.Cut(r.version, "-")
	if !ok {
		return number, nil
	}
	for name, short := range map[string]string{"alpha": "a", "beta": "b", "rc": "rc"} {
		n, ok := strings.CutPrefix(pre, name)
		if n = strings.TrimPrefix(n, "."); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			return number + short + n, nil
		}
	}
	return "", fmt.Errorf("the version %s has no form on PyPI: use -alpha.N, -beta.N or -rc.N", r.version)
}
