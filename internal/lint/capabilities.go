package lint

import (
	"iter"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/schema"
)

var capabilityChecks = checks{
	diag.ExtensionRequiredUndocumented: {both, extensionRequiredUndocumented},
	diag.ExtensionURI:                  {both, extensionURI},
	diag.ExtensionUnversioned:          {both, extensionUnversioned},
	diag.ModeDuplicate:                 {both, eachModes(modeDuplicate)},
	diag.ModeNotMIME:                   {both, eachModes(modeNotMIME)},
	diag.ModeWildcard:                  {both, eachModes(modeWildcard)},
}

func extensions(c *card) iter.Seq[location] { return c.root.At("capabilities").At("extensions").List() }

func extensionURI(c *card) {
	first := map[string]location{}
	for e := range extensions(c) {
		uri := e.At("uri")
		if uri.Node.Word() == "" {
			continue
		}
		if !isURI(uri.Node.Text) {
			c.find(uri, "write the full URL: https://acme.com/ext/cite/v1", "the extension %s needs an absolute URI",
				diag.Quote(uri.Node.Text))
		}
		if p, twice := first[uri.Node.Text]; twice {
			c.find(uri, "delete one of the two", "the extension %s is declared twice", diag.Quote(uri.Node.Text)).
				Related = also(p, "first declared here")
			continue
		}
		first[uri.Node.Text] = uri
	}
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
	for e := range extensions(c) {
		if uri := e.At("uri"); isURI(uri.Node.Word()) && !versioned().MatchString(uri.Node.Text) {
			c.find(uri, "a breaking change needs a new URI: end it in /v1", "the extension %s has no version in its URI",
				diag.Quote(uri.Node.Text))
		}
	}
}

func extensionRequiredUndocumented(c *card) {
	for e := range extensions(c) {
		if isTrue(e.At("required")) && e.At("description").Node.Word() == "" {
			c.find(e.At("description"), "add a description", "clients must support the extension %s, but it has no description",
				diag.Quote(e.At("uri").Node.Word()))
		}
	}
}

// eachModes returns a check of every list of media types, on the card and on its skills.
func eachModes(check func(c *card, modes location)) func(*card) {
	return func(c *card) {
		check(c, c.root.At("defaultInputModes"))
		check(c, c.root.At("defaultOutputModes"))
		for _, s := range c.skills {
			check(c, s.At("inputModes"))
			check(c, s.At("outputModes"))
		}
	}
}

// mediaType is RFC 6838 section 4.2, with parameters.
var mediaType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/([A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*|\*)( *;.*)?$`)
})

func modeNotMIME(c *card, modes location) {
	for m := range texts(modes) {
		if mediaType().MatchString(m.Node.Text) || m.Node.Text == "*/*" {
			continue
		}
		d := c.find(m, "", "%s is not a media type, which is type/subtype", diag.Quote(m.Node.Text))
		if meant := schema.MediaTypeMeant(m.Node.Text); meant != "" {
			d.Hint = diag.Meant(meant)
		}
	}
}

func modeWildcard(c *card, modes location) {
	for m := range texts(modes) {
		kind, sub, _ := strings.Cut(m.Node.Text, "/")
		every := diag.Quote(kind) + " type"
		if kind == "*" {
			every = "type"
		}
		if sub == "*" {
			c.find(m, "list the types that the agent supports",
				"%s promises every %s, but clients compare media types literally", diag.Quote(m.Node.Text), every)
		}
	}
}

func modeDuplicate(c *card, modes location) {
	first := map[string]location{}
	for m := range texts(modes) {
		key := strings.ToLower(strings.TrimSpace(m.Node.Text))
		if p, twice := first[key]; twice {
			c.find(m, "", "the media type %s is listed twice", diag.Quote(m.Node.Text)).Related = also(p, "first listed here")
			continue
		}
		first[key] = m
	}
}
