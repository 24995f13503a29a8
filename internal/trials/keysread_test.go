package trials

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"cardwright/internal/config"
)

// TestEveryKeyIsRead removes each key of the configuration from a project that has it. Where
// neither the tree nor a finding changes in any project, nothing reads the key, or the table
// lacks a value for which it matters.
func TestEveryKeyIsRead(t *testing.T) {
	t.Setenv("PAIRS_KEY", ecKey())
	unread := map[string]bool{}
	for _, object := range config.Objects() {
		if object == reflect.TypeFor[config.Environment]() {
			continue // it has the keys of the top level
		}
		for key := range config.Keys(object) {
			unread[object.Name()+"."+key] = true
		}
	}
	for f, v := range values(features()) {
		r := make(row, len(features()))
		r[f] = v
		p := build(features(), r)
		name := p.config
		site := parsed(strings.TrimPrefix(p.tree(t)[name], "\ufeff"))
		var tr *trial
		var whole []string
		eachKey(reflect.TypeFor[config.File](), site, func(id, key string, owner object) {
			if !unread[id] {
				return
			}
			if tr == nil {
				tr = newTrial(t, p, t.TempDir())
				whole = tr.checked(name, site)
			}
			value := owner[key]
			delete(owner, key)
			if !slices.Equal(whole, tr.checked(name, site)) {
				delete(unread, id)
			}
			owner[key] = value
		})
	}
	for id := range unread {
		t.Errorf("nothing reads %s, or no value of a feature shows it: give it a row in pairstable_test.go", id)
	}
}

// eachKey calls use for each key in a value of a type, with the object that has it.
func eachKey(of reflect.Type, v any, use func(id, key string, owner object)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			eachKey(of, item, use)
		}
	case object:
		for key, field := range config.Keys(of) {
			value, has := v[key]
			if !has {
				continue
			}
			use(of.Name()+"."+key, key, v)
			inner := config.Element(field.Type)
			if !config.IsObject(inner) {
				continue
			}
			eachKey(inner, value, use)
			named, _ := value.(object) // by name or id
			for _, entry := range named {
				eachKey(inner, entry, use)
			}
		}
	}
}

// checked returns what generate --check reports for a configuration, without places.
func (t *trial) checked(name string, site object) []string {
	t.Helper()
	data, err := yaml.Marshal(site)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(t.dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
	r := t.run("generate", "--check")
	lines := []string{string(rune('0' + r.code)), r.out}
	for _, f := range r.findings {
		lines = append(lines, f.Rule+" "+f.Severity+" "+f.Message)
	}
	slices.Sort(lines)
	return lines
}
