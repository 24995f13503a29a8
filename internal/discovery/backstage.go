package discovery

import (
	"bytes"
	"slices"
	"strings"

	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/schema"
)

// backstageEntities are the entities of an agent for Backstage: AiResource of
// @backstage/catalog-model 1.10, and API for an installation without that kind.
func backstageEntities(c Listing) ([]byte, error) {
	metadata := source.ObjectOf("name", c.Agent, "title", oneLine(c.Card.Name), "description", c.Card.Description)
	if c.URL != "" {
		metadata.Set("annotations", source.ObjectOf("backstage.io/source-location", "url:"+c.URL))
	}
	metadata.SetTexts("tags", entityTags(c.Card))
	const version, lifecycle = "backstage.io/v1alpha1", "production"
	var b bytes.Buffer
	for _, entity := range []*source.Node{
		source.ObjectOf("apiVersion", version, "kind", "AiResource", "metadata", metadata,
			"spec", source.ObjectOf("type", "agent", "lifecycle", lifecycle, "owner", c.Owner)),
		source.ObjectOf("apiVersion", version, "kind", "API", "metadata", metadata,
			"spec", source.ObjectOf("type", "a2a", "lifecycle", lifecycle, "owner", c.Owner, "definition", string(c.Data))),
	} {
		b.WriteString("---\n")
		writeYAML(&b, entity, "")
	}
	return b.Bytes(), nil
}

// entityTag is what Backstage takes as a tag.
var entityTag = parallel.Regexp(`^[a-z0-9+#]+(-[a-z0-9+#]+)*$`)

// entityTags are the tags of all skills that Backstage takes, each once, sorted.
func entityTags(c *schema.Card) []string {
	var tags []string
	for _, s := range c.Skills {
		for _, t := range s.Tags {
			if t = strings.ToLower(t); entityTag().MatchString(t) && len(t) <= backstageName {
				tags = append(tags, t)
			}
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// oneLine makes one line of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// writeYAML writes an object in the block style. Texts are in double quotes, as
// JSON has them, which mean the same in YAML 1.2; keys are ours.
func writeYAML(b *bytes.Buffer, n *source.Node, indent string) {
	for _, m := range n.Members {
		b.WriteString(indent + m.Key + ":")
		switch m.Value.Kind {
		case source.Object:
			b.WriteByte('\n')
			writeYAML(b, m.Value, indent+"  ")
		case source.Array:
			b.WriteByte('\n')
			for _, item := range m.Value.Items {
				b.WriteString(indent + "  - " + scalar(item) + "\n")
			}
		default:
			b.WriteString(" " + scalar(m.Value) + "\n")
		}
	}
}

// scalar writes a text as JSON does.
func scalar(n *source.Node) string { return strings.TrimSuffix(string(schema.Write(n)), "\n") }
