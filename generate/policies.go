package generate

import (
	"bytes"
	"context"
	"path"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
)

// policy is a JSON Schema that every card must follow as it will be published.
type policy struct {
	path   string
	schema jsonschema.Validator
}

// readPolicies reads the policies of the configuration. Those that cannot be used are
// left out, with a finding.
func readPolicies(req *Request) (policies []policy, found diag.List) {
	for _, file := range req.Config.Policies {
		root, faults := readPolicy(req, file)
		found = append(found, faults...)
		if root == nil || faults.Worst() == diag.Error {
			continue
		}
		schema, wrong := jsonschema.Policy(root, "the card")
		for _, f := range wrong {
			found = append(found, diag.New(diag.ConfigValue, nodeSpan(root, f.Pointer), "the policy cannot be used: %s",
				f.Message).WithPointer(f.Pointer).WithHint(f.Hint))
		}
		if wrong == nil {
			policies = append(policies, policy{file.Value, schema})
		}
	}
	return policies, found
}

// readPolicy parses a policy, which is JSON or YAML.
func readPolicy(req *Request, file config.Text) (*source.Node, diag.List) {
	tree, err := req.Open(file.Value)
	var data []byte
	if err == nil {
		data, err = files.ReadFile(tree.FS, tree.Root, source.MaxSource)
	}
	if err != nil {
		return nil, diag.List{diag.New(diag.ConfigValue, file.Span, "the policy %s cannot be read: %s",
			diag.Quote(file.Value), files.Reason(err))}
	}
	shown := tree.Show(tree.Root)
	if path.Ext(tree.Root) != ".json" {
		return source.ParseYAML(shown, data, diag.ConfigValue)
	}
	root, found := source.ParseJSON(shown, bytes.TrimPrefix(data, []byte("\ufeff")))
	for i := range found {
		found[i].Rule = diag.ConfigValue
	}
	return root, found
}

// checkPolicies checks the cards by the policies.
func checkPolicies(_ context.Context, w *work) error {
	for i := range w.cards {
		d := &w.cards[i]
		for _, p := range w.policies {
			for _, f := range jsonschema.Validate(d.wire, p.schema) {
				pointer := f.Pointer
				if f.Missing != "" {
					pointer = source.Pointer(pointer, f.Missing)
				}
				w.reportCard(diag.New(diag.Policy, w.spanOf(d, pointer), "%s: %s", p.path, f.Message).
					WithPointer(pointer).WithHint(f.Hint))
			}
		}
	}
	return nil
}
