package sign

import (
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// CheckHost reports interfaces of the card in data, and key sets that its good
// signatures name, that do not belong to a host: they are neither on it nor below
// it. A signature says who wrote a card, and not whose endpoints it names.
func CheckHost(file string, data []byte, results []Result, host string, limits source.Limits) diag.List {
	card, _ := source.ParseJSON(file, data, limits)
	var found diag.List
	check := func(n *source.Node, address, pointer, what string) {
		if got := schema.Host(address); !belongs(got, host) {
			found = append(found, diag.New("verify-host", n.Span, "%s %s does not belong to the host %s", what,
				diag.Quote(address), diag.Quote(host)).
				WithPointer(pointer).
				WithHint("if it should, pass the host that both belong to with --expect-host"))
		}
	}
	if n := card.Get("url"); n.Is(source.String) {
		check(n, n.Text, "/url", "the interface")
	}
	for _, list := range []string{"supportedInterfaces", "additionalInterfaces"} {
		for i, item := range card.Get(list).Elements() {
			if n := item.Get("url"); n.Is(source.String) {
				check(n, n.Text, "/"+list+"/"+strconv.Itoa(i)+"/url", "the interface")
			}
		}
	}
	for _, r := range results {
		if n, ok := card.Find(r.Pointer); ok && r.Good() && r.JKU != "" {
			check(n, r.JKU, r.Pointer, "the key set")
		}
	}
	return slices.CompactFunc(found, func(a, b diag.Diagnostic) bool { return a.Message == b.Message })
}

func belongs(host, to string) bool {
	to = schema.NormalHost(to)
	return host == to || strings.HasSuffix(host, "."+to)
}
