package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cardwright/schema"
)

// readElsewhere are the keys that fill does not read: those that say how a
// configuration is put together, those with a decoder of their own, and what a card
// consists of, which the table of members in schema reads.
var readElsewhere = map[string][]string{
	"": {
		"version", "include", "extends", "vars", "defaults", "environments", "agents",
		"rules", "owner", "mcp", "catalogs", "plugins", "cors",
	},
	"agents": {
		"rules", "interfaces", "auth", "securitySchemes", "security", "provider", "capabilities",
	},
	"agents.skills": {"overlay", "add"},
}

// Each key that the JSON Schema allows is read, and each one that is read is allowed,
// with the default that the schema names where the field has it.
func TestKeysAreRead(t *testing.T) {
	t.Parallel()
	document, _ := schema.Document("config")
	k := keys{T: t}
	if err := json.Unmarshal(document, &k.root); err != nil {
		t.Fatal(err)
	}
	top := k.properties(k.root)
	k.same("", k.root, reflect.TypeFor[Config]())
	k.same("agents", top["agents"], reflect.TypeFor[Agent]())
}

type keys struct {
	*testing.T
	root jsonObject // the schema
}

type jsonObject = map[string]any

// same holds the keys at a place, and those below, against the fields of a struct.
func (k *keys) same(place string, s jsonObject, of reflect.Type) {
	k.Helper()
	allowed, read := k.properties(s), tagged(of)
	for key, p := range allowed {
		f, is := read[key]
		for r := range read {
			is = is || strings.HasPrefix(r, key+".")
		}
		if !is && !slices.Contains(readElsewhere[place], key) && (place != "agents" || !isMember(key)) {
			k.Errorf("nothing reads the key %s.%s: tag a field of %s with it", place, key, of)
		}
		if got, has := f.Tag.Lookup("default"); has && got != fmt.Sprint(p["default"]) {
			k.Errorf("%s.%s without a value is %q, in the schema %v", place, key, got, p["default"])
		}
	}
	for key, f := range read {
		p := allowed[key]
		if first, rest, nested := strings.Cut(key, "."); nested {
			p = k.properties(allowed[first])[rest]
		}
		if p == nil {
			k.Errorf("%s.%s of %s.%s is no key", place, key, of, f.Name)
		} else if to := f.Type; to.Kind() == reflect.Slice && len(tagged(to.Elem())) > 0 {
			k.same(strings.TrimPrefix(place+"."+key, "."), p, to.Elem())
		} else if len(tagged(to)) > 0 {
			k.same(strings.TrimPrefix(place+"."+key, "."), p, to)
		}
	}
}

// tagged are the fields of a struct by their keys.
func tagged(of reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	if of.Kind() != reflect.Struct {
		return fields
	}
	for f := range of.Fields() {
		switch key, is := f.Tag.Lookup("key"); {
		case is && key != ".":
			fields[key] = f
		case is:
			maps.Copy(fields, tagged(f.Type))
		}
	}
	return fields
}

// isMember reports whether a key of an agent is a member of the card.
func isMember(key string) bool {
	return slices.ContainsFunc(schema.Members(schema.CardMessage), func(m schema.Member) bool {
		return m.Key() == key && m.Plain()
	})
}

// properties are the keys that a schema allows, in all its branches.
func (k *keys) properties(s jsonObject) map[string]jsonObject {
	all := map[string]jsonObject{}
	if ref, is := s["$ref"].(string); is {
		s = k.root
		for key := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			s = s[key].(jsonObject) //nolint:errcheck // of our schema
		}
		return k.properties(s)
	}
	add := func(part any) {
		if part, is := part.(jsonObject); is {
			maps.Copy(all, k.properties(part))
		}
	}
	for _, branch := range []string{"items", "then", "else"} {
		add(s[branch])
	}
	for _, branch := range []string{"allOf", "anyOf", "oneOf"} {
		parts, _ := s[branch].([]any)
		for _, part := range parts {
			add(part)
		}
	}
	own, _ := s["properties"].(jsonObject)
	for key, p := range own {
		if p, is := p.(jsonObject); is {
			all[key] = p
		}
	}
	return all
}
