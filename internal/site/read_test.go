package site_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

const (
	indexSchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
	cardURL     = "https://agents.acme.example/billing/.well-known/agent-card.json"
	goodCard    = `{"name": "Billing", "description": "Explains invoices line by line.", "version": "2.0.0",
		"supportedInterfaces": [{"url": "https://agents.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
		"capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
		"skills": [{"id": "a", "name": "A", "description": "Explains an invoice.", "tags": ["invoices"]}]}`
	ecKey = `"kty": "EC", "crv": "P-256", "kid": "a", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
		"y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"`
)

// catalogOf returns a catalog whose entry is right but for some members. The text "-" leaves
// a member out.
func catalogOf(changes ...string) string {
	return `{"specVersion": "0.9", "entries": [` + object([]string{
		"identifier", `"urn:air:acme.example:billing:a2a"`,
		"type", `"application/a2a-agent-card+json"`, "url", `"` + cardURL + `"`,
	}, changes) + `]}`
}

// indexOf returns a skills index whose entry is right but for some members.
func indexOf(changes ...string) string {
	return `{"$schema": "` + indexSchema + `", "skills": [` + object([]string{
		"name", `"pdf"`, "type", `"skill-md"`, "description", `"Reads and merges PDF files."`, "url", `"pdf.md"`,
		"digest", digest([]byte(header)),
	}, changes) + `]}`
}

func archiveOf(name string) string {
	return indexOf("type", `"archive"`, "url", `"`+name+`"`, "digest", digest(listed()[name]))
}

// object returns a JSON object of pairs, with changes.
func object(members, changes []string) string {
	for i := 0; i < len(changes); i += 2 {
		if at := slices.Index(members, changes[i]); at >= 0 {
			members[at+1] = changes[i+1]
		} else {
			members = append(members, changes[i], changes[i+1])
		}
	}
	var pairs []string
	for i := 0; i < len(members); i += 2 {
		if members[i+1] != "-" {
			pairs = append(pairs, strconv.Quote(members[i])+": "+members[i+1])
		}
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

func digest(data []byte) string { return `"sha256:` + site.DigestOf(data).String() + `"` }

// listed are the files that lie where the lists name them.
var listed = sync.OnceValue(func() map[string][]byte {
	long := strings.Repeat("a", 120) + "é"
	many := []tar.Header{{Name: "SKILL.md"}}
	for i := range 1_000 {
		many = append(many, tar.Header{Name: strconv.Itoa(i)})
	}
	return map[string][]byte{
		cardURL: []byte(goodCard), "pdf.md": []byte(header), "pdf/SKILL.md": []byte(header), "https://agents.acme.example/text.json": []byte("[]"),
		"good.tar.gz":    pack(tar.Header{Name: "SKILL.md"}, tar.Header{Name: "a/b.txt"}),
		"wrapped.tar.gz": pack(tar.Header{Name: "pdf/SKILL.md"}),
		"none.tar.gz":    pack(tar.Header{Name: "README.md"}),
		"links.tar.gz":   pack(tar.Header{Name: "SKILL.md"}, tar.Header{Name: "x", Typeflag: tar.TypeSymlink, Linkname: "y"}),
		"climbs.tar.gz":  pack(tar.Header{Name: "SKILL.md"}, tar.Header{Name: "a/../x"}),
		"pax.tar.gz":     pack(tar.Header{Name: "SKILL.md"}, tar.Header{Name: long}),
		"many.tar.gz":    pack(many...),
		"torn.tar.gz":    pack(tar.Header{Name: "SKILL.md"})[:20],
	}
})

// pack returns a .tar.gz of empty files.
func pack(files ...tar.Header) []byte {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, h := range files {
		_ = w.WriteHeader(&h)
	}
	_, _ = w.Close(), zip.Close()
	return out.Bytes()
}

func files(reference string) ([]byte, error) {
	if data, ok := listed()[reference]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

// Each broken catalog, skills index and key set draws one finding, at its place and with
// the fix.
func TestBrokenLists(t *testing.T) {
	for name, tt := range map[string]struct{ list, finding, fix string }{
		"entries of texts":         {`{"specVersion": "0.9", "entries": ["x"]}`, "catalog-invalid /entries/0", "object"},
		"no specVersion":           {`{"entries": []}`, "catalog-invalid /specVersion", `"specVersion": "0.9"`},
		"a host without a name":    {`{"specVersion": "0.9", "host": "Acme", "entries": []}`, "catalog-invalid /host", "displayName"},
		"a draft":                  {`{"specVersion": "1.0", "entries": []}`, "info catalog-invalid /specVersion", "0.9"},
		"mediaType":                {catalogOf("type", "-", "mediaType", `"x/y"`), "catalog-invalid /entries/0/mediaType", "type"},
		"no type":                  {catalogOf("type", "-"), "catalog-invalid /entries/0/type", "application/a2a-agent-card+json"},
		"a type in letter case":    {catalogOf("type", `"application/A2A-agent-card+json"`), "info catalog-invalid /entries/0/type", "did you mean"},
		"url and data":             {catalogOf("data", `{"name": "x"}`, "type", `"application/mcp-server-card+json"`), "catalog-invalid /entries/0/data", "leave one"},
		"neither url nor data":     {catalogOf("url", "-"), "catalog-invalid /entries/0", "add url"},
		"a relative url":           {catalogOf("url", `"/a.json"`, "type", `"application/mcp-server-card+json"`), "catalog-invalid /entries/0/url", "whole URL"},
		"an http url":              {catalogOf("url", `"http://agents.acme.example/a.json"`, "type", `"application/mcp-server-card+json"`), "warning catalog-invalid /entries/0/url", "https"},
		"id":                       {catalogOf("identifier", "-", "id", `"billing"`), "catalog-identifier /entries/0/id", "identifier"},
		"no identifier":            {catalogOf("identifier", "-"), "catalog-identifier /entries/0/identifier", "urn:air:"},
		"urn:ai":                   {catalogOf("identifier", `"urn:ai:acme.example:billing"`), "catalog-identifier /entries/0/identifier", "urn:air:acme.example:billing"},
		"a publisher that is none": {catalogOf("identifier", `"urn:air:acme:billing:a2a"`), "warning catalog-identifier /entries/0/identifier", "urn:air:acme.example"},
		"an identifier twice":      {strings.Replace(catalogOf(), "}]}", "}, "+catalogOf()[strings.Index(catalogOf(), "[{")+1:], 1), "catalog-identifier /entries/1/identifier", "another identifier"},
		"a version as number":      {strings.Replace(catalogOf(), `"0.9"`, "0.9", 1), "catalog-invalid /specVersion", `"0.9"`},
		"a missing card":           {catalogOf("url", `"https://agents.acme.example/missing.json"`), "catalog-file /entries/0/url", "publish the file"},
		"another document":         {catalogOf("url", `"https://agents.acme.example/text.json"`), "catalog-file /entries/0/url", "publish the card"},
		"another name":             {catalogOf("displayName", `"Invoices"`), "catalog-file /entries/0/displayName", "leave displayName out"},
		"an embedded text":         {catalogOf("url", "-", "data", `"{}"`), "card-json /entries/0/data", ""},
		"an embedded card":         {catalogOf("url", "-", "data", strings.Replace(goodCard, "https://agents", "http://agents", 1)), "interface-insecure /entries/0/data/supportedInterfaces/0/url", "https"},

		"no skills":              {`{"$schema": "` + indexSchema + `", "skills": {"pdf": {}}}`, "skills-index-invalid /skills", "list"},
		"skills as texts":        {`{"$schema": "` + indexSchema + `", "skills": ["pdf"]}`, "skills-index-invalid /skills/0", "object"},
		"another $schema":        {strings.Replace(indexOf(), "0.2.0", "0.2", 1), "skills-index-invalid /$schema", indexSchema},
		"no $schema":             {strings.Replace(indexOf(), "$schema", "schema", 1), "skills-index-invalid /$schema", indexSchema},
		"an invented type":       {indexOf("type", `"task"`), "skills-index-invalid /skills/0/type", "skill-md"},
		"no description":         {indexOf("description", "-"), "skills-index-invalid /skills/0/description", "say what"},
		"a long description":     {indexOf("description", `"`+strings.Repeat("a", 1_025)+`"`), "skills-index-invalid /skills/0/description", "shorten"},
		"no name":                {indexOf("name", "-"), "skills-index-name /skills/0/name", "1 to 64"},
		"an uppercase name":      {indexOf("name", `"PDF"`), "skills-index-name /skills/0/name", "lower-case"},
		"a name twice":           {strings.Replace(indexOf(), "}]}", "}, "+indexOf()[strings.Index(indexOf(), "[{")+1:], 1), "skills-index-name /skills/1/name", "rename"},
		"sha256":                 {indexOf("digest", "-", "sha256", `"14"`), "skills-index-file /skills/0/sha256", `"digest": "sha256:`},
		"no digest":              {indexOf("digest", "-"), "skills-index-file /skills/0/digest", "64 lower-case"},
		"a digest in base64":     {indexOf("digest", `"FM9xV73wstHvEg2ukUW45u3BEM1DJS28U0/qgOIg+lI="`), "skills-index-file /skills/0/digest", "64 lower-case"},
		"the digest of nothing":  {indexOf("digest", digest(nil)), "skills-index-file /skills/0/digest", "of the file"},
		"another digest":         {indexOf("digest", digest([]byte("x"))), "skills-index-file /skills/0/digest", strings.Trim(digest([]byte(header)), `"`)},
		"no url":                 {indexOf("url", "-"), "skills-index-file /skills/0/url", "add the url"},
		"a missing file":         {indexOf("url", `"docx.md"`), "skills-index-file /skills/0/url", "publish the file"},
		"0.1.0 without SKILL.md": {`{"skills": [{"name": "pdf", "description": "Reads.", "files": []}]}`, "skills-index-file /skills/0/files", "SKILL.md first"},
		"0.1.0 with a wild path": {`{"skills": [{"name": "pdf", "description": "Reads.", "files": ["SKILL.md", "../x"]}]}`, "skills-index-file /skills/0/files/1", "below"},
		"a wrapper directory":    {archiveOf("wrapped.tar.gz"), "skills-index-file /skills/0/url", "SKILL.md at its root"},
		"links":                  {archiveOf("links.tar.gz"), "skills-index-file /skills/0/url", "plain ustar"},
		"a path out of it":       {archiveOf("climbs.tar.gz"), "skills-index-file /skills/0/url", "plain ustar"},
		"PAX names":              {archiveOf("pax.tar.gz"), "skills-index-file /skills/0/url", "plain ustar"},
		"1,001 files":            {archiveOf("many.tar.gz"), "skills-index-file /skills/0/url", "plain ustar"},
		"a torn archive":         {archiveOf("torn.tar.gz"), "skills-index-file /skills/0/url", "plain ustar"},

		"one key":        {`{"kty": "EC", "keys": null}`, "jwks-invalid ", `{"keys": [`},
		"no keys":        {`{"keys": []}`, "jwks-invalid ", "key public"},
		"an unknown key": {`{"keys": [{"kty": "x"}]}`, "warning jwks-invalid /keys/0", "key public"},
		"a private key":  {`{"keys": [{` + ecKey + `, "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}]}`, "jwks-private /keys/0", "replace the key"},
	} {
		t.Run(name, func(t *testing.T) {
			d := site.Read("list.json", []byte(tt.list), files)
			if len(d.Found) != 1 {
				t.Fatalf("%s: %d findings: %v", d.Kind, len(d.Found), d.Found)
			}
			got := d.Found[0]
			finding := got.Rule.String() + " " + got.Pointer
			if got.Severity != diag.Error {
				finding = got.Severity.String() + " " + finding
			}
			if finding != tt.finding || !strings.Contains(got.Hint, tt.fix) || got.Span.Line == 0 {
				t.Errorf("%s at %v, fix %q; want %s, %q", finding, got.Span, got.Hint, tt.finding, tt.fix)
			}
		})
	}
}

// What readers take whole draws nothing.
func TestGoodLists(t *testing.T) {
	twoVersions := strings.Replace(catalogOf("version", `"2.0.0"`), "}]}", "}, "+
		strings.TrimPrefix(catalogOf("version", `"3.0.0"`, "type", `"application/mcp-server-card+json"`), `{"specVersion": "0.9", "entries": [`), 1)
	for name, list := range map[string]string{
		"a catalog": catalogOf(), "an empty catalog": `{"specVersion": "0.9", "entries": []}`, "two versions": twoVersions,
		"the name of the card": catalogOf("displayName", `"Billing"`, "version", `"2.0.0"`),
		"an embedded card":     catalogOf("url", "-", "data", goodCard),
		"an index":             indexOf(),
		"for readers of 0.1.0": strings.Replace(indexOf("files", `["SKILL.md"]`), "$schema", "schema", 1),
		"an empty index":       `{"$schema": "` + indexSchema + `", "skills": []}`,
		"an archive":           archiveOf("good.tar.gz"),
		"version 0.1.0":        `{"skills": [{"name": "pdf", "description": "Reads.", "files": ["SKILL.md"]}]}`,
		"a key set":            `{"keys": [{` + ecKey + `}]}`,
	} {
		if d := site.Read("list.json", []byte(list), files); d.Kind == site.Unknown || len(d.Found) > 0 {
			t.Errorf("%s (%s): %v", name, d.Kind, d.Found)
		}
	}
}

func TestKindOf(t *testing.T) {
	for text, want := range map[string]site.Kind{
		`{"name": "A", "skills": []}`:                site.Card,
		`{"supportedInterfaces": [], "entries": []}`: site.Card,
		`{"specVersion": "0.9", "entries": []}`:      site.Catalog,
		`{"skills": [], "$schema": "x"}`:             site.SkillsIndex,
		`{"skills": [{"name": "a", "files": []}]}`:   site.SkillsIndex,
		`{"keys": []}`:         site.KeySet,
		`{"openapi": "3.1.0"}`: site.Unknown,
		`[]`:                   site.Unknown,
		`{"name": "A", "keys": [], "url": "https://a/"}`: site.Card,
	} {
		root, _ := source.ParseJSON("", []byte(text))
		if got := site.KindOf(root); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}
