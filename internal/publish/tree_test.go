package publish

import (
	"testing"

	"cardwright/internal/site"
)

func TestTree(t *testing.T) {
	card := site.File{
		Path: ".well-known/agent-card.json", Data: []byte("{}\n"), Agent: "review",
		URL: "https://review.acme.example/.well-known/agent-card.json", Sidecars: true,
	}
	all := Tree([]site.File{textFile("index.html", "<p>\n"), card}, "")
	got := map[string]string{}
	var order []string
	for _, f := range all {
		order = append(order, f.Path)
		got[f.Path] = string(f.Data)
	}
	equal(t, []string{
		".well-known/agent-card.json",
		".well-known/agent-card.json.etag",
		".well-known/agent-card.json.sha256",
		"cardwright.manifest.json",
		"index.html",
	}, order)

	const sum = "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356" // printf '{}\n' | sha256sum
	equal(t, "\""+sum+"\"\n", got[".well-known/agent-card.json.etag"])
	equal(t, sum+"  agent-card.json\n", got[".well-known/agent-card.json.sha256"])
	equal(t, wantManifest, got["cardwright.manifest.json"])
}

const wantManifest = `{
  "version": 1,
  "files": [
    ".well-known/agent-card.json",
    ".well-known/agent-card.json.etag",
    ".well-known/agent-card.json.sha256",
    "index.html"
  ]
}
`
