package site

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"time"
	"unicode/utf8"
)

// SkillFile is a file of a skill.
type SkillFile struct {
	Path string // slash path below the directory of the skill
	Data []byte
}

// mode is what an archive says of a file: it does not depend on the umask, the
// file system or what git knows.
func (f SkillFile) mode() int64 {
	if bytes.HasPrefix(f.Data, []byte("#!")) {
		return 0o755
	}
	return 0o644
}

// Format is the format of an archive, as the configuration spells it and as its
// name ends.
type Format string

// The formats of archives.
const (
	TarGz Format = "tar.gz"
	Zip   Format = "zip"
)

// Fits reports whether every reader of a format finds a file under its name. tar
// has no place for long names and other letters but in records that most readers
// of skills do not know.
func (f Format) Fits(name string) bool {
	if f == Zip {
		return true
	}
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return len(name) <= 100 || tarSplits(name)
}

// tarSplits reports whether a name can be divided into the prefix of at most 155
// bytes and the rest of at most 100 that a header of ustar has.
func tarSplits(name string) bool {
	if len(name) > 256 {
		return false
	}
	i := strings.LastIndexByte(name[:min(len(name), 156)], '/')
	return i > 0 && len(name)-i-1 <= 100
}

// MediaType is that of archives with skills in catalogs.
func (f Format) MediaType() string {
	if f == Zip {
		return "application/agent-skills+zip"
	}
	return "application/agent-skills+gzip"
}

// pack makes an archive, the same bytes for the same files. Nothing in it is
// compressed: what a compressor makes of a text changes between releases of Go.
func (f Format) pack(files []SkillFile) ([]byte, error) {
	if f == Zip {
		return packZip(files)
	}
	return packTar(files)
}

func packTar(files []SkillFile) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.Path, Size: int64(len(f.Data)), Mode: f.mode(),
			ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, fmt.Errorf("packing %q: %w", f.Path, err)
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, fmt.Errorf("packing %q: %w", f.Path, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing a skill: %w", err)
	}
	return gzipStored(b.Bytes()), nil
}

// gzipStored wraps data into gzip (RFC 1952) as stored blocks (RFC 1951 section
// 3.2.4), with no name, no time and an unknown system.
func gzipStored(data []byte) []byte {
	const longest = 65535
	out := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}
	for rest := data; ; {
		n := min(len(rest), longest)
		last := byte(0)
		if n == len(rest) {
			last = 1
		}
		out = append(out, last)
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
		out = binary.LittleEndian.AppendUint16(out, ^uint16(n))
		out = append(out, rest[:n]...)
		if rest = rest[n:]; last == 1 {
			break
		}
	}
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(data))
	return binary.LittleEndian.AppendUint32(out, uint32(len(data))) //nolint:gosec // the size modulo 2^32 (section 2.3.1)
}

func packZip(files []SkillFile) ([]byte, error) {
	const unix, version, firstOfJanuary1980, utf8Name = 3 << 8, 20, 1<<5 | 1, 0x800
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{
			Name: f.Path, Method: zip.Store, CreatorVersion: unix | version, ReaderVersion: version,
			CRC32: crc32.ChecksumIEEE(f.Data), CompressedSize64: uint64(len(f.Data)), UncompressedSize64: uint64(len(f.Data)),
			//nolint:staticcheck // Modified adds a second field of time
			ModifiedDate:  firstOfJanuary1980,
			ExternalAttrs: uint32(0o100000|f.mode()) << 16, //nolint:gosec // a mode has 16 bits
		}
		if !TarGz.Fits(f.Path) {
			header.Flags = utf8Name
		}
		to, err := w.CreateRaw(header)
		if err != nil {
			return nil, fmt.Errorf("packing %q: %w", f.Path, err)
		}
		if _, err := to.Write(f.Data); err != nil {
			return nil, fmt.Errorf("packing %q: %w", f.Path, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing a skill: %w", err)
	}
	return b.Bytes(), nil
}
