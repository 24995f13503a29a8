package publish

import (
	"testing"

	"cardwright/internal/tree"
)

func TestTree(t *testing.T) {
	card := tree.File{
		Path: ".well-known/agent-card.json", Data: []byte("{}\n"), Agent: "review",
		URL: "https://review.acme.example/.well-known/agent-card.json", Sidecars: true,
	}
	all := Tree([]tree.File{textFile("index.html", "<p>\n"), card}, "")
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
    {
      "path": ".well-known/agent-card.json",
      "agent": "review",
      "size": 3,
      "sha256": "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356",
      "etag": "\"ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356\"",
      "contentType": "application/json",
      "url": "https://review.acme.example/.well-known/agent-card.json"
    },
    {
      "path": ".well-known/agent-card.json.etag",
      "agent": "review",
      "size": 67,
      "sha256": "dc5731fda3b8368ccce26b3ebb18fa1bec971e1a6ef98086d0b50517e607f0c6",
      "etag": "\"dc5731fda3b8368ccce26b3ebb18fa1bec971e1a6ef98086d0b50517e607f0c6\"",
      "contentType": "text/plain"
    },
    {
      "path": ".well-known/agent-card.json.sha256",
      "agent": "review",
      "size": 82,
      "sha256": "7a5b936277c6e4d74e9d369032cb22d3e46694b7f54d942eb44b6127efe520a2",
      "etag": "\"7a5b936277c6e4d74e9d369032cb22d3e46694b7f54d942eb44b6127efe520a2\"",
      "contentType": "text/plain"
    },
    {
      "path": "index.html",
      "size": 4,
      "sha256": "f0a7bdc758e7fb65677be011d2768bc62a565abe96b96af63e19b0e13055bd10",
      "etag": "\"f0a7bdc758e7fb65677be011d2768bc62a565abe96b96af63e19b0e13055bd10\"",
      "contentType": "text/html; charset=utf-8"
    }
  ]
}
`

func TestTreeKeepsItsInput(t *testing.T) {
	files := project("review", "one", "billing", "two")
	before := project("review", "one", "billing", "two")
	Tree(files, "")
	equal(t, before, files)
}

func TestTreeDoesNotDependOnOrder(t *testing.T) {
	equal(t, Tree(project("a", "1", "b", "2"), ""), Tree(project("b", "2", "a", "1"), ""))
}
