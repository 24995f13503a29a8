package discovery

import (
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"unicode"
)

// defaultAccent is the accent of the page in light mode when the configuration
// names none; style.css has it too.
const defaultAccent = "#2b46c8"

// rgb is a color, 0 to 255 each.
type rgb [3]int

// The colors of style.css that an accent must be read on, and readable with.
var (
	black      = rgb{0, 0, 0}
	white      = rgb{255, 255, 255}
	lightPage  = rgb{0xf5, 0xf6, 0xf8}
	darkBack   = rgb{0x17, 0x1b, 0x22}
	darkSunken = rgb{0x1f, 0x24, 0x2d}
)

// parseColor reads #rgb and #rrggbb. The configuration has been checked.
func parseColor(text string) rgb {
	if len(text) == 4 {
		text = string([]byte{'#', text[1], text[1], text[2], text[2], text[3], text[3]})
	}
	var c rgb
	for i := range c {
		if len(text) == 7 {
			v, _ := strconv.ParseUint(text[1+2*i:3+2*i], 16, 8) // 0 for what is no digit
			c[i] = int(v)
		}
	}
	return c
}

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// mix moves a color the given percentage of the way to another one.
func (c rgb) mix(to rgb, percent int) rgb {
	for i := range c {
		c[i] += (to[i] - c[i]) * percent / 100
	}
	return c
}

// luminance is how bright a color is, from 0 to 10,000 times 255 squared. It
// takes 2 for the exponent of WCAG (2.4 at most), so that integers do and every
// machine gets the same.
func (c rgb) luminance() int { return 2126*c[0]*c[0] + 7152*c[1]*c[1] + 722*c[2]*c[2] }

// contrasts tells whether two colors have a contrast of tenths/10 to 1 at least.
func contrasts(bright, dark rgb, tenths int) bool {
	const flare = 10_000 * 255 * 255 / 20 // 0.05
	return 10*(bright.luminance()+flare) >= tenths*(dark.luminance()+flare)
}

// accents returns the accent for light and for dark mode, as near to the color
// as text in it can be read: a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3), and some
// more for what luminance leaves out.
func accents(color string) (light, dark rgb) {
	light, dark = parseColor(color), parseColor(color)
	for percent := 0; !contrasts(lightPage, light, 55) && percent < 100; percent += 4 {
		light = parseColor(color).mix(black, percent)
	}
	for percent := 0; !contrasts(dark, darkSunken, 66) && percent < 100; percent += 4 {
		dark = parseColor(color).mix(white, percent)
	}
	return light, dark
}

// accentStyle is the style that replaces the accent.
func accentStyle(color string) template.CSS {
	light, dark := accents(color)
	const rules = ":root { --accent: %s; --accent-soft: %s; }\n" +
		"@media (prefers-color-scheme: dark) { :root { --accent: %s; --accent-soft: %s; } }\n"
	css := fmt.Sprintf(rules, light, light.mix(white, 90), dark, dark.mix(darkBack, 80))
	return template.CSS(css) //nolint:gosec // made of numbers
}

// icon stands for the provider: its first letter on the accent.
type icon struct {
	Letter string       // "" when the name has none
	Href   template.URL // as an image
}

func newIcon(name, accent string) icon {
	var i icon
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			i.Letter = string(unicode.ToUpper(r))
			break
		}
	}
	light, _ := accents(accent)
	svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">`+
		`<rect width="32" height="32" rx="7" fill="%s"/>`+
		`<text x="16" y="22.5" font-family="system-ui, sans-serif" font-size="18" font-weight="700" `+
		`text-anchor="middle" fill="#fff">%s</text></svg>`,
		light, i.Letter)
	href := "data:image/svg+xml," + url.PathEscape(svg)
	i.Href = template.URL(href) //nolint:gosec // escaped, and a letter or a digit at most
	return i
}
