package config

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
)

// validate reports what the JSON Schema of the configuration finds. A file may
// spread one value over defaults, environments and agents, so members that are
// missing count only once these are merged.
func (l *loader) validate(root *source.Node, merged bool) {
	for _, f := range schema.Validate("config", root) {
		partial := strings.HasPrefix(f.Pointer, "/defaults") || strings.HasPrefix(f.Pointer, "/environments")
		node, _ := root.Find(f.Pointer)
		if partial && (merged || f.Missing != "") || l.unset[node] {
			continue
		}
		d := diag.New(f.Rule, l.place(root, f), "%s", f.Message).WithPointer(f.Pointer).WithHint(hintFor(f, root, node))
		if f.Pointer == "/cacheControl" && f.Rule == diag.ConfigValue {
			d.Rule = diag.CardCacheControl
		}
		if below := signingPointer().FindStringSubmatch(f.Pointer); below != nil {
			guardKey(&d, below[1], node)
		}
		l.report(d)
	}
}

// place is where a fault shows: at the key for an unknown member, at the value
// otherwise.
func (l *loader) place(root *source.Node, f jsonschema.Fault) diag.Span {
	if f.Known != nil {
		parent, name := parentOf(root, f.Pointer)
		if m := parent.Member(name); m != nil {
			return m.KeySpan
		}
	}
	node, _ := root.Find(f.Pointer)
	return node.Span
}

// parentOf returns the object that holds the value at a pointer, and the key of the value.
func parentOf(root *source.Node, pointer string) (parent *source.Node, key string) {
	parent, _ = root.Find(pointer[:strings.LastIndexByte(pointer, '/')])
	for token := range source.Tokens(pointer) {
		key = token
	}
	return parent, key
}

// hintFor says how to put a fault right.
func hintFor(f jsonschema.Fault, root, node *source.Node) string {
	typed, lacking := word("type", node.ScalarText()), word("member", f.Missing)
	key := path.Base(f.Pointer)
	switch {
	case listedSource().MatchString(f.Pointer) && looksLikeSkill(node):
		return "write a skill that no source has below skills.add"
	case key == "skills" && node.Is(source.Array) && looksLikeSkill(node.Items...):
		return "write skills: {add: […]} for skills that no source has"
	case f.Known != nil:
		_, name := parentOf(root, f.Pointer)
		return meantKey(name, node, f)
	case key == "cacheControl":
		return policyForm(node)
	case isURLKey(key) && hostAlone().MatchString(node.ScalarText()):
		return "write https://" + node.Text
	case f.Missing == "url":
		return "add url: /a2a, below baseUrl, or an absolute URL"
	case node.Is(source.Null) && node.Cut:
		return "put the value in quotes, because # begins a comment"
	case schemeType().MatchString(f.Pointer) && typed != "":
		return typed
	case schemeOf().MatchString(f.Pointer) && lacking != "":
		return lacking
	case f.Missing == "version":
		return "add version: 1"
	case len(f.Want) > 0 && f.Hint == "":
		return rightForm(f.Pointer, node, f.Want)
	case node.Is(source.String) && strings.Contains(node.Text, `\`):
		return "write " + strconv.Quote(strings.ReplaceAll(node.Text, `\`, "/"))
	}
	return f.Hint
}

func isURLKey(key string) bool {
	return key == "jku" || key != "url" && strings.HasSuffix(strings.ToLower(key), "url")
}

// looksLikeSkill reports whether the first of what stands in the place of sources is a skill
// of a card.
func looksLikeSkill(entries ...*source.Node) bool {
	return len(entries) > 0 && entries[0].Get("type") == nil && entries[0].HasAny("id", "name", "description")
}

// guardKey keeps a key that someone may have put in the place of its name out of a finding
// about signing; below is the key of the value at fault, "" for all of signing.
func guardKey(d *diag.Diagnostic, below string, node *source.Node) {
	d.Secret = true
	switch below {
	case "":
		d.Hint = signingForm() + ", or signing: false for a card without a signature"
	case "/key":
		d.Message, d.Hint = keyForm(node.Text)
	}
}

// keyForm says what is wrong with a reference to a key, and what to write.
func keyForm(ref string) (message, hint string) {
	const neither = "the key is neither env:NAME nor file:PATH"
	if message, hint, ok := ElsewhereKey(ref); ok {
		return message, hint
	}
	if keyFile().MatchString(ref) {
		return neither, "write file:" + ref
	}
	if name := bareVariable().FindStringSubmatch(ref); name != nil {
		return neither, "write env:" + name[1]
	}
	return neither + ", and not shown, because it may be the key itself",
		"put the key into a secret of CI or a file, and name that"
}

var (
	// hostAlone matches a URL without its scheme.
	hostAlone = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:[0-9]+)?(/[A-Za-z0-9._/-]*)?$`)
	})
	// schemeOf matches a security scheme, and schemeType its type.
	schemeOf = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`/securitySchemes/[^/]+$`)
	})
	schemeType = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`/securitySchemes/[^/]+/type$`)
	})
	// listedSource matches an entry of the list of sources.
	listedSource = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`/skills/from/[0-9]+$`)
	})
	// signingPointer matches what is said about signing keys, where someone may have
	// put the key itself.
	signingPointer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:/environments/[^/]*)?(?:/agents/[0-9]+|/defaults)/signing(?:/[0-9]+)?(/[^/]*)?(?:/|$)`)
	})
	// keyFile and bareVariable match references to keys that lack their prefix, and
	// that cannot be keys themselves.
	keyFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9._/-]{1,80}\.(?:pem|jwk|json|key)$`)
	})
	bareVariable = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\$\{?([A-Z][A-Z0-9_]{0,59})\}?$`)
	})
)
