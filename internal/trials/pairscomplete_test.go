package trials

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"cardwright/schema"
)

// Every key of the configuration and every value of an enumeration stands in a project
// of the table: a kind of source, a server, a rule's severity.
func TestTableHasEveryKey(t *testing.T) {
	document, _ := schema.Document("config")
	m := marks{seen: map[string]bool{}}
	if err := json.Unmarshal(document, &m.root); err != nil {
		t.Fatal(err)
	}
	c := newCoverage(features(), 1)
	for _, where := range []string{nothing, "site_in=environment"} {
		for f, v := range c.values() {
			r := c.named(t, where)
			r[f] = cmp.Or(v, r[f])
			files, _ := build(c.features, r).tree(t)
			for name, text := range files {
				if ext := path.Ext(name); ext != ".yaml" && ext != ".yml" || strings.Contains(name, "packs") {
					continue
				}
				var config any
				if yaml.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &config) == nil {
					m.mark(m.root, config)
				}
			}
		}
	}
	for _, key := range m.missing("", m.root) {
		t.Errorf("no value of a feature has %s: give it a row in pairstable_test.go", key)
	}
}

// marks are the parts of the schema that a configuration uses.
type marks struct {
	root object
	seen map[string]bool
}

// mark marks what of a schema a value uses.
func (m *marks) mark(s object, value any) {
	s = m.resolved(s)
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := s[key].(list)
		for _, b := range branches {
			m.branch(b.(object), value) //nolint:errcheck // of our schema
		}
	}
	if text, is := value.(string); is {
		m.seen[address(s)+"="+text] = true
	}
	for _, key := range []string{"then", "else"} {
		if branch, is := s[key].(object); is && s["if"].(object)["type"] != nil { //nolint:errcheck // of our schema
			m.mark(branch, value)
		}
	}
	switch value := value.(type) {
	case object:
		properties, _ := s["properties"].(object)
		for k, v := range value {
			if p, has := properties[k].(object); has {
				m.seen[address(p)] = true
				m.mark(p, v)
			} else if more, has := additional(s); has {
				m.mark(more, v)
			}
		}
	case list:
		if items, has := s["items"].(object); has {
			for _, v := range value {
				m.mark(items, v)
			}
		}
	}
}

// branch marks a branch of allOf: another schema, or one for a value of a member.
func (m *marks) branch(b object, value any) {
	if then, is := b["then"].(object); is {
		for name, p := range b["if"].(object)["properties"].(object) { //nolint:errcheck // of our schema
			o, _ := value.(object)
			if p.(object)["const"] != o[name] { //nolint:errcheck // of our schema
				return
			}
		}
		b = then
	}
	m.mark(b, value)
}

// resolved is what a reference leads to.
func (m *marks) resolved(s object) object {
	ref, is := s["$ref"].(string)
	if !is {
		return s
	}
	o := m.root
	for key := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		o = o[key].(object) //nolint:errcheck // of our schema
	}
	return m.resolved(o)
}

// additional is the schema of the entries of a map.
func additional(s object) (object, bool) {
	if patterns, is := s["patternProperties"].(object); is {
		for _, p := range patterns {
			return p.(object), true //nolint:errcheck // of our schema
		}
	}
	more, is := s["additionalProperties"].(object)
	return more, is
}

// missing are the properties and the values of enumerations that are not marked.
func (m *marks) missing(at string, s any) (keys []string) {
	switch s := s.(type) {
	case object:
		for _, value := range enumeration(s) {
			if !m.seen[address(s)+"="+value] {
				keys = append(keys, at+"="+value)
			}
		}
		properties, _ := s["properties"].(object)
		for name, p := range properties {
			if !m.seen[address(p.(object))] && !strings.Contains(at, "/if") { //nolint:errcheck // of our schema
				keys = append(keys, at+"."+name)
			}
		}
		for k, v := range s {
			if k != "if" {
				keys = append(keys, m.missing(strings.TrimPrefix(at+"."+k, "."), v)...)
			}
		}
	case list:
		for _, v := range s {
			keys = append(keys, m.missing(at, v)...)
		}
	}
	slices.Sort(keys)
	return keys
}

// address tells one part of the schema from all others.
func address(s object) string { return fmt.Sprintf("%p", s) }

// enumeration are the texts that a schema allows.
func enumeration(s object) (values []string) {
	all, _ := s["enum"].(list)
	for _, v := range all {
		if text, is := v.(string); is {
			values = append(values, text)
		}
	}
	return values
}

// Every flag of generate stands in a project or in the command line of an invariant.
func TestTableHasEveryFlag(t *testing.T) {
	var source strings.Builder
	names, _ := filepath.Glob("internal/trials/pairs*_test.go")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(data)
	}
	without := map[string]string{
		"watch": "it does not end; the scripts of generate and serve watch",
		"name":  "there is no configuration, which is what the features are of", "description": "as name", "url": "as name",
		"card-version": "as name", "protocol": "as name",
	}
	for _, f := range flagsOf(t, "generate") {
		if !strings.Contains(source.String(), `"`+f+`"`) && without[strings.TrimPrefix(f, "--")] == "" {
			t.Errorf("no project and no invariant has %s: give it a row in pairstable_test.go", f)
		}
	}
}
