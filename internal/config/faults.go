package config

import (
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
		d := diag.New(f.Rule, l.place(root, f), "%s", f.Message).WithPointer(f.Pointer).WithHint(hintFor(f, node))
		if f.Pointer == "/cacheControl" && f.Rule == diag.ConfigValue {
			d.Rule = diag.CardCacheControl
		}
		if below := signingPointer().FindStringSubmatch(f.Pointer); below != nil {
			guardKey(&d, below[1])
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

// hintFor says how to fix a fault.
func hintFor(f jsonschema.Fault, node *source.Node) string {
	table := "member"
	if strings.Contains(f.Pointer, "/securitySchemes/") {
		table = "scheme"
	}
	key, lacking := lastKey(f.Pointer), word(table, f.Missing)
	switch {
	case (key == "from" || key == "skills") && looksLikeSkill(node):
		return "write a skill that no source has below skills.add"
	case f.Known != nil:
		return meantKey(key, f)
	case strings.HasSuffix(strings.ToLower(key), "url") && hostAlone().MatchString(node.ScalarText()) && key != "url":
		return "write https://" + node.Text
	case node.Is(source.Null) && node.Cut:
		return "put the value in quotes, because # begins a comment"
	case lacking != "":
		return lacking
	case table == "scheme" && key == "type" && word("type", node.ScalarText()) != "":
		return word("type", node.ScalarText())
	case len(f.Want) > 0 && f.Hint == "":
		return rightForm(key, node, f.Want)
	case node.Is(source.String) && strings.Contains(node.Text, `\`):
		return "write " + strconv.Quote(strings.ReplaceAll(node.Text, `\`, "/"))
	}
	return f.Hint
}

// lastKey returns the last key in a pointer that is no index.
func lastKey(pointer string) (key string) {
	for token := range source.Tokens(pointer) {
		if _, err := strconv.Atoi(token); err != nil {
			key = token
		}
	}
	return key
}

// looksLikeSkill reports whether a skill of a card, or a list of them, stands in the place
// of sources.
func looksLikeSkill(n *source.Node) bool {
	if entries := n.Elements(); len(entries) > 0 {
		n = entries[0]
	}
	return n.Get("type") == nil && n.HasAny("id", "name", "description")
}

// guardKey keeps a key that someone may have put in the place of its name out of a finding
// about signing; below is the key of the value at fault, "" for all of signing.
func guardKey(d *diag.Diagnostic, below string) {
	d.Secret = true
	switch below {
	case "":
		d.Hint = "write " + exampleOf("signing", "") + ", or signing: false for a card without a signature"
	case "/key", "/publish":
		d.Message = "the key is neither env:NAME nor file:PATH, and not shown, because it may be the key itself"
		d.Hint = "name an environment variable or a file; for a key in a KMS or HSM, use cardwright sign --print-input"
	}
}

// hostAlone matches a URL without its scheme.
var hostAlone = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\w-]+(\.[\w-]+)+(:[0-9]+)?(/[\w./-]*)?$`)
})

// signingPointer matches the values of signing, where someone may have
// put the key itself.
var signingPointer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:/environments/[^/]*)?(?:/agents/[0-9]+|/defaults)/signing(?:/[0-9]+)?(/[^/]*)?(?:/|$)`)
})
