package trials

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"cardwright/schema"
)

// exampleFeatures are the keys of the top level and of agents with examples in the
// schema. Keys that have an effect only beside others stand in the table.
func exampleFeatures() []feature {
	document, _ := schema.Document("config")
	var root object
	if err := json.Unmarshal(document, &root); err != nil {
		panic(err)
	}
	var all []feature
	for _, where := range []struct {
		name       string
		properties object
		of         func(name, key string, v any) value
	}{
		{"top ", lookup(root, "properties"), site},
		{"agent's ", lookup(root, "definitions", "agent", "properties"), set},
	} {
		for _, key := range slices.Sorted(maps.Keys(where.properties)) {
			examples, _ := lookup(where.properties, key)["examples"].(list)
			f := feature{name: where.name + key, values: []value{plain()}}
			for i, example := range examples {
				f.values = append(f.values, where.of(fmt.Sprint(i+1), key, example))
			}
			if len(examples) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}
