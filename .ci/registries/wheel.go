package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// wheel writes the package of PyPI for one platform: its only file is the program, which
// pip and uv put among the commands.
func (r release) wheel(p platform, program []byte) error {
	version, err := r.pep440()
	if err != nil {
		return err
	}
	info := "cardwright-" + version + ".dist-info/"
	metadata := fmt.Sprintf("Metadata-Version: 2.1\nName: cardwright\nVersion: %s\nSummary: %s\n"+
		"Home-page: https://github.com/%s\nLicense: Apache-2.0\n", version, summary, r.repository)
	about := "Wheel-Version: 1.0\nGenerator: cardwright\nRoot-Is-Purelib: false\n"
	for _, tag := range p.wheel {
		about += "Tag: py3-none-" + tag + "\n"
	}
	files := []content{
		{"cardwright-" + version + ".data/scripts/" + p.exe(), program, 0o755},
		{info + "LICENSE", r.license, 0o644},
		{info + "METADATA", []byte(metadata), 0o644},
		{info + "WHEEL", []byte(about), 0o644},
	}
	record := ""
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", f.path, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	files = append(files, content{info + "RECORD", []byte(record + info + "RECORD,,\n"), 0o644})

	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(f.mode)
		w, err := archive.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	name := "cardwright-" + version + "-py3-none-" + strings.Join(p.wheel, ".") + ".whl"
	return os.WriteFile(filepath.Join(r.out, name), out.Bytes(), 0o644)
}
