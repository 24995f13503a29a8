package cardfile

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// Convert returns a card in the form of a protocol version, nil when there is
// none, and all that is to be said about it.
func (r Reader) Convert(f Input, p schema.Protocol, o convert.ReadOptions, w schema.WireOptions) (
	*source.Node, diag.List,
) {
	root, found := readRepaired(f, r.Limits)
	if root == nil {
		return nil, found
	}
	o.To = p
	reading := convert.Read(root, o)
	node, more := convert.Convert(reading, p, w)
	found = slices.Concat(found, reading.Found, supply(reading.Missing), more)
	if node == nil || len(reading.Missing) > 0 || reading.Found.Worst() == diag.Error {
		return nil, found
	}
	if most := max(r.Limits.WithDefaults().Card, 4*len(f.Data)); schema.Size(node) > most {
		return nil, append(found, diag.New("source-bound", diag.Span{File: f.Path()},
			"the converted card has more than %d bytes, because it is deeply nested", most).
			WithHint("raise the limit with --limit card=N"))
	}
	return node, append(found, doubts(p, node, found)...)
}

// readRepaired reads the JSON of a card, repaired where that is possible, and
// returns nil where it is not. Repairs are infos: they lose nothing.
func readRepaired(f Input, limits source.Limits) (*source.Node, diag.List) {
	root, found := source.ParseJSONLenient(f.Path(), f.Data, limits)
	if root == nil || found.Worst() == diag.Error {
		return nil, found
	}
	for i := range found {
		found[i].Severity = diag.Info
	}
	return root, found
}

// supply adds hints that name the flag which sets a missing member.
func supply(missing diag.List) diag.List {
	for i, d := range missing {
		if key := strings.TrimPrefix(d.Pointer, "/"); slices.Contains(convert.Settable(), key) {
			missing[i].Hint = fmt.Sprintf("set it with --set %s=…", key)
		}
	}
	return missing
}

// doubts returns lint's findings about the new card: errors that are not
// reported yet, and everything about its endpoints. The values stay as they are,
// so none of them is an error.
func doubts(p schema.Protocol, node *source.Node, known diag.List) diag.List {
	var found diag.List
	reported := map[string]bool{}
	for _, d := range known {
		reported[d.Rule] = true
	}
	for _, d := range lint.Card(node, lint.Options{Protocol: p}) {
		if reported[d.Rule] || d.Severity != diag.Error && !slices.Contains(worthKnowing(), d.Rule) {
			continue
		}
		if reported[d.Rule+d.Message] {
			continue // a card states an endpoint more than once
		}
		reported[d.Rule+d.Message] = true
		d.Severity = min(d.Severity, diag.Warning)
		d.Pointer = inReading(d.Pointer)
		d.Related = nil
		if d.Rule == "interface-placeholder" {
			d.Hint = "set the real one with --set url=…"
		}
		found = append(found, d)
	}
	return found
}

// worthKnowing are the rules about where an agent listens.
func worthKnowing() []string {
	return []string{
		"interface-credentials", "interface-insecure", "interface-is-card",
		"interface-not-a2a", "interface-placeholder", "interface-private-host", "interface-url-grpc", "interface-url-invalid",
	}
}

// inReading returns a pointer into a card of any version as [convert.Reading]
// spells it.
func inReading(pointer string) string {
	if pointer == "/url" {
		return "/supportedInterfaces/0"
	}
	return strings.Replace(pointer, "/additionalInterfaces/", "/supportedInterfaces/", 1)
}

// ParseSet reads what a flag says of a card that does not say it, KEY=VALUE.
func ParseSet(assignments []string) (map[string]string, error) {
	set := map[string]string{}
	for _, s := range assignments {
		key, value, _ := strings.Cut(s, "=")
		if !slices.Contains(convert.Settable(), key) {
			hint := diag.Hint(key, convert.Settable(), "one of "+strings.Join(convert.Settable(), ", "))
			return nil, diag.UsageError(hint, "unknown key %s for --set", diag.Quote(key))
		}
		if value == "" {
			return nil, diag.UsageError("", "--set %s needs a value", key)
		}
		set[key] = value
	}
	return set, nil
}

// GivenSkills reads the skills that are given for a card: JSON, or a file that holds
// it.
func (r Reader) GivenSkills(o *convert.ReadOptions) (diag.List, error) {
	given, ok := o.Set["skills"]
	if !ok {
		return nil, nil
	}
	delete(o.Set, "skills")
	name, text := "--set skills", []byte(given)
	if !strings.HasPrefix(given, "[") && !strings.HasPrefix(given, "{") {
		file, err := r.Read(given)
		if err != nil {
			return nil, err
		}
		name, text = file.Path(), file.Data
	}
	root, found := source.ParseJSON(name, text, r.Limits)
	o.Skills = root
	return found, nil
}

// Target is the file for a card that goes to a file or a directory, and whether
// sidecars go with it: in a directory it is published.
func (r Reader) Target(output string) (name string, sidecars bool) {
	if _, err := r.Folder(output); err == nil || strings.HasSuffix(filepath.ToSlash(output), "/") {
		return filepath.Join(output, path.Base(tree.CardPath)), true
	}
	return output, false
}
