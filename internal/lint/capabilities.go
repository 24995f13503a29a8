package lint

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/schema"
)

var capabilitiesChecks = []check{
	{diag.ExtensionRequiredUndocumented, both, extensionRequiredUndocumented},
	{diag.ExtensionUnversioned, both, extensionUnversioned},
	{diag.ExtensionURI, both, extensionURI},
	{diag.ModeDuplicate, both, modeDuplicate},
	{diag.ModeNotMIME, both, modeNotMIME},
	{diag.ModeWildcard, both, modeWildcard},
}

func (c *card) extensions() func(yield func(place) bool) {
	return c.root.At("capabilities").At("extensions").List()
}

func extensionURI(c *card) {
	first := map[string]place{}
	for e := range c.extensions() {
		uri := e.At("uri")
		if uri.Node.Word() == "" {
			continue
		}
		if !isURI(uri.Node.Text) {
			c.find(uri, "write the full URL: https://acme.com/ext/cite/v1", "the extension %s needs an absolute URI",
				quote(uri.Node.Text))
		}
		if p, twice := first[uri.Node.Text]; twice {
			c.report(fault(uri, "delete one of the two", "the extension %s is declared twice", quote(uri.Node.Text)).
				beside(also(p, "first declared here")))
			continue
		}
		first[uri.Node.Text] = uri
	}
	reportShape(c)
}

// isURI reports whether text is an absolute URI that names something.
func isURI(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.IsAbs() && (u.Host != "" || u.Opaque != "")
}

// versioned finds a version in a URI: a part such as v1, 1.0 or 2025-06-18.
var versioned = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[/:#?=@_-])v?\d+(\.\d+)*([/:#?&_-]|$)`)
})

func extensionUnversioned(c *card) {
	for e := range c.extensions() {
		if uri := e.At("uri"); isURI(uri.Node.Word()) && !versioned().MatchString(uri.Node.Text) {
			c.find(uri, "a breaking change needs a new URI: end it in /v1", "the extension %s has no version in its URI",
				quote(uri.Node.Text))
		}
	}
}

func extensionRequiredUndocumented(c *card) {
	for e := range c.extensions() {
		if isTrue(e.At("required")) && e.At("description").Node.Word() == "" {
			c.find(e.At("description"), "add a description", "clients must support the extension %s, but it has no description",
				quote(e.At("uri").Node.Word()))
		}
	}
}

// eachModes calls judge with every list of media types, on the card and on its
// skills.
func (c *card) eachModes(judge func(modes place)) {
	judge(c.root.At("defaultInputModes"))
	judge(c.root.At("defaultOutputModes"))
	for _, s := range c.skills {
		judge(s.At("inputModes"))
		judge(s.At("outputModes"))
	}
}

// mediaType is RFC 6838 section 4.2, with parameters.
var mediaType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/([A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*|\*)( *;.*)?$`)
})

func modeNotMIME(c *card) {
	c.eachModes(func(modes place) {
		for m := range texts(modes) {
			if mediaType().MatchString(m.Node.Text) || m.Node.Text == "*/*" {
				continue
			}
			f := fault(m, "", "%s is not a media type, which is type/subtype", quote(m.Node.Text))
			if meant := schema.MediaTypeMeant(m.Node.Text); meant != "" {
				f.hint = diag.Meant(meant)
			}
			c.report(f)
		}
	})
}

func modeWildcard(c *card) {
	c.eachModes(func(modes place) {
		for m := range texts(modes) {
			if kind, sub, _ := strings.Cut(m.Node.Text, "/"); sub == "*" {
				c.find(m, "list the types that the agent supports",
					"%s promises every %s, but clients compare media types literally", quote(m.Node.Text), wildcard(kind))
			}
		}
	})
}

func wildcard(kind string) string {
	if kind == "*" {
		return "type"
	}
	return quote(kind) + " type"
}

func modeDuplicate(c *card) {
	c.eachModes(func(modes place) {
		first := map[string]place{}
		for m := range texts(modes) {
			key := strings.ToLower(strings.TrimSpace(m.Node.Text))
			if p, twice := first[key]; twice {
				c.report(fault(m, "", "the media type %s is listed twice", quote(m.Node.Text)).
					beside(also(p, "first listed here")))
				continue
			}
			first[key] = m
		}
	})
}
