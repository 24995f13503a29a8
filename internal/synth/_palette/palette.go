// Palette writes the PNG files of a directory again with 128 colors each, which is
// enough for pictures of a page with text: palette DIR.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "palette:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: palette DIR")
	}
	names, err := filepath.Glob(filepath.Join(args[0], "*.png"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := reduce(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func reduce(name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	picture, err := png.Decode(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	few := image.NewPaletted(picture.Bounds(), frequent(picture, 128))
	draw.Draw(few, few.Bounds(), picture, picture.Bounds().Min, draw.Src)
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	best := png.Encoder{CompressionLevel: png.BestCompression}
	return errors.Join(best.Encode(out, few), out.Close())
}

// frequent returns the n most frequent colors of a picture.
func frequent(picture image.Image, n int) color.Palette {
	counts := map[color.RGBA]int{}
	area := picture.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			counts[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
		}
	}
	order := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var p color.Palette
	for _, c := range order[:min(n, len(order))] {
		p = append(p, c)
	}
	return p
}
