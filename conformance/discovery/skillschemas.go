package discovery

import "encoding/json"

// Schemas are the JSON Schemas of what a skill takes and gives, empty where it says nothing.
type Schemas struct{ InputSchema, OutputSchema json.RawMessage }

// SkillSchemas returns the schemas on a card by the ids of its skills, nil for none.
func SkillSchemas(card []byte) (map[string]Schemas, error) {
	var c struct {
		Capabilities struct {
			Extensions []struct {
				URI    string
				Params json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(card, &c); err != nil {
		return nil, err
	}
	for _, e := range c.Capabilities.Extensions {
		if e.URI == "urn:uuid:57dba862-b064-4e18-b6a8-b5c172da391c" {
			var all map[string]Schemas
			return all, json.Unmarshal(e.Params, &all)
		}
	}
	return nil, nil
}
