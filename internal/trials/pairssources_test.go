package trials

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/pem"
	"strings"
)

func edKey() string { return pemOf(ed25519.NewKeyFromSeed([]byte(strings.Repeat("pairs-ed", 4)))) }

func ecKey() string {
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), []byte(strings.Repeat("\x00pairs ec", 8))[:32])
	if err != nil {
		panic(err)
	}
	return pemOf(key)
}

func pemOf(key any) string {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// nextKey is a public key that is not used yet: the one of RFC 8037, appendix A.2.
const nextKey = `{"kty": "OKP", "crv": "Ed25519", "kid": "next", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}` +
	"\n"

func mcpFiles() map[string]string {
	return map[string]string{"mcp/tools.json": `{"tools": [
  {"name": "find_room", "title": "Find a room", "description": "Finds a room.", "_meta": {"note": "` + private + `"},
   "inputSchema": {"type": "object", "properties": {"size": {"type": "integer", "description": "Seats."}},
     "required": []},
   "outputSchema": {"type": "object", "properties": {"room": {"type": "string", "description": "Its name."}}}},
  {"name": "free_room", "description": "Frees a room.", "inputSchema": {"type": "object"}}
]}
`}
}

func forgeFiles() map[string]string {
	return map[string]string{
		"forge/forge.yaml": `agent_id: watch
version: 0.7.1
framework: forge
model: {provider: openai, name: ` + private + `}
tools:
  - name: web_search
    config: {token: ` + private + `}
egress: {allowed_domains: [` + private + `.example]}
auth: {providers: [{type: static_token, settings: {token_env: ` + private + `}}]}
`,
		"forge/skills/pods.md":   skillFile("pods", "category: sre\ntags: [kubernetes]\n", private),
		"forge/skills/drafts.md": skillFile("drafts", "category: sre\n", private),
	}
}

func oldCard() map[string]string {
	return map[string]string{"old/agent.json": `{
  "protocolVersion": "0.3.0", "name": "Old Desk", "description": "Was the desk before.",
  "url": "https://old.acme.example/a2a",
  "version": "0.9.0", "documentationUrl": "https://old.acme.example/docs",
  "iconUrl": "https://old.acme.example/icon.png",
  "provider": {"organization": "Old Acme", "url": "https://old.acme.example"},
  "capabilities": {"streaming": true}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "x-internal": "` + private + `",
  "skills": [{"id": "membership", "name": "Membership", "description": "Answers questions about joining.",
    "tags": ["members"],
    "examples": ["What does it cost?", "How do I join?"]}]
}
`}
}

func pluginFiles() map[string]string {
	return map[string]string{
		"plugin/.claude-plugin/plugin.json": `{"name": "mail-tools", "description": "Reads and sorts letters.",
 "version": "1.2.0",
 "author": {"name": "Acme Letters", "email": "` + private + `@acme.example"}, "homepage": "https://acme.example/mail",
 "keywords": ["mail", "letters"]}
`,
		"plugin/skills/sort/SKILL.md":    skillFile("sort", "", private),
		"plugin/skills/tidy/SKILL.md":    skillFile("tidy", "disable-model-invocation: true\n", private),
		"plugin/draft/SKILL.md":          skillFile("draft", "description: Is a draft, "+private+".\n", private),
		"plugin/commands/send.md":        private + "\n",
		"plugin/agents/letter-opener.md": "---\nname: letter-opener\ndescription: Opens letters.\n---\n" + private + "\n",
	}
}
