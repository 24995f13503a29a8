package project

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/andybalholm/brotli"
	"github.com/andybalholm/brotli/flate"
	"github.com/andybalholm/brotli/matchfinder"

	"cardwright/internal/tree"
)

// withCodings returns files and the lists among them in the codings that are named. These
// have no URL: a server sends them in the place of the list.
func withCodings(files []tree.File, names []string) []tree.File {
	all := slices.Clip(files)
	for _, f := range files {
		for _, c := range tree.Codings() {
			if !slices.Contains(names, c.Name) || !tree.IsList(f.Path) {
				continue
			}
			encode := toGzip
			if c.Name == "br" {
				encode = toBrotli
			}
			all = append(all, tree.File{
				Path: f.Path + c.Suffix, Data: encode(f.Data), Agent: f.Agent, Sidecars: f.Sidecars, Turn: f.Turn,
			})
		}
	}
	return all
}

func toBrotli(data []byte) []byte { return compress(data, 1<<20, &brotli.Encoder{}) }

// toGzip makes a file of gzip (RFC 1952) with no name, no time and an unknown system.
func toGzip(data []byte) []byte {
	file := append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}, compress(data, 1<<15, flate.NewEncoder())...)
	file = binary.LittleEndian.AppendUint32(file, crc32.ChecksumIEEE(data))
	return binary.LittleEndian.AppendUint32(file, uint32(len(data))) //nolint:gosec // modulo 2^32
}

// compress writes data in a format in which matches lie no further back than window.
//
// The bytes must not differ between releases of Go and between processors. The standard
// library compresses better from time to time, and most levels of Brotli compare
// fractions, which processors round differently. M4 counts in whole numbers.
func compress(data []byte, window int, to matchfinder.Encoder) []byte {
	var b bytes.Buffer
	w := matchfinder.Writer{
		Dest: &b, Encoder: to, BlockSize: 1 << 16,
		MatchFinder: &matchfinder.M4{MaxDistance: window, HashLen: 5, ChainLength: 64, DistanceBitCost: 66},
	}
	_, _ = w.Write(data) // a buffer takes all
	_ = w.Close()
	return b.Bytes()
}
