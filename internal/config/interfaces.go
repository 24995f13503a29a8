package config

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// interfaces resolves the endpoints: one entry per version each speaks, with
// its absolute URL. An endpoint that names none speaks the given version. The
// second result returns which endpoint an entry is from.
func (l *loader) interfaces(n *source.Node, base, version string) (out []schema.Interface, index []int) {
	for i, item := range n.Elements() {
		node := item.Get("url")
		if !node.Is(source.String) {
			continue
		}
		binding := cmp.Or(item.Get("binding").ScalarText(), "JSONRPC")
		resolved, fault := resolveURL(node.Text, binding, base)
		if fault != nil && !l.unset[node] {
			l.report(diag.New(diag.ConfigValue, node.Span, "%s", fault.message).WithHint(fault.hint))
		}
		versions := texts(item.Get("versions"))
		if len(versions) == 0 {
			versions = []string{version}
		}
		for _, v := range versions {
			var e schema.Interface
			schema.Fill(schema.InterfaceMessage, &e, item)
			e.URL, e.Binding, e.Version = resolved, binding, v
			out = append(out, e)
			index = append(index, i)
		}
	}
	return out, index
}

// misspelt matches what was to begin with http:// or https://.
var misspelt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:https?)(:?/|:)`)
})

type urlFault struct{ message, hint string }

// resolveURL makes an interface URL absolute. A relative one is appended to
// the base as a whole, the base's own path included: that is what a service
// behind a path prefix needs. GRPC addresses may be host:port.
func resolveURL(text, binding, base string) (string, *urlFault) {
	scheme, _, absolute := strings.Cut(text, "://")
	notURL := &urlFault{
		fmt.Sprintf("interface URL %q is not a valid URL", text),
		"for example https://agents.acme.example/a2a",
	}
	if !absolute && misspelt().MatchString(text) {
		return text, notURL
	}
	relative := strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") ||
		!strings.ContainsAny(firstSegment(text), ".:")
	u, err := url.Parse(text)
	invalid := err != nil || absolute && u.Hostname() == "" || strings.ContainsAny(text, " \t\n")
	switch {
	case absolute && (strings.Contains(binding, ":") || binding == "GRPC"):
		return text, nil // a binding of one's own may use any scheme
	case absolute && scheme != "http" && scheme != "https":
		return text, &urlFault{fmt.Sprintf("interface URL %q has scheme %q, must be https or http", text, scheme), ""}
	case invalid && (absolute || relative):
		return text, notURL
	case absolute:
		return text, nil
	case relative: // without a base, generate says so
		return cmp.Or(base, schema.NoBase) + "/" + strings.TrimLeft(strings.TrimPrefix(text, "."), "/"), nil
	case binding == "GRPC":
		return text, nil
	}
	return text, &urlFault{
		fmt.Sprintf("interface URL %q is neither absolute nor a path", text),
		diag.Meant("https://" + text),
	}
}

func firstSegment(s string) string {
	segment, _, _ := strings.Cut(s, "/")
	return segment
}
