package hosting

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/tree"
)

// answers is what js/read.mjs prints.
type answers struct {
	Netlify, Vercel, Firebase map[string]map[string]string
	Cloudflare                map[string]struct {
		Options, Post  answer
		Get, Elsewhere string
		Sidecar        int
	}
	Pages map[string]struct {
		Status, Again int
		Headers       map[string]string
	}
	CloudFront map[string]struct {
		Get, Sidecar  int
		Options, Post answer
		Response      map[string]string
	}
}

type answer struct {
	Status  int
	Headers map[string]string
}

// Each platform's own code finds the headers of the table in what is written
// for it, and no tag.
func TestPlatforms(t *testing.T) {
	fixture.NPM(t, "js", "--omit=optional")
	for _, layout := range []string{"single", "path", "base"} {
		t.Run(layout, func(t *testing.T) {
			files := hostingtest.Tree(hostingtest.Layouts()[layout], 'a')
			table, _ := hosting.NewTable(files, hostingtest.Settings(layout))
			dir := t.TempDir()
			input := map[string]any{"tree": filepath.Join(dir, "dist")}
			hostingtest.Write(t, filepath.Join(dir, "dist", table.Base), files)
			for target, file := range map[string]string{
				"netlify": "_headers", "vercel": "vercel/vercel.json", "firebase": "firebase/firebase.json",
				"cloudflare": "cloudflare/functions/_middleware.js", "s3": "s3/cloudfront-function.js",
			} {
				if table.Base != "" && file == "_headers" {
					file = target + "/" + file // to be copied into the root
				}
				outputs, _ := hosting.Render([]string{target}, table)
				hostingtest.WriteOutputs(t, filepath.Join(dir, target), filepath.Join(dir, target), outputs)
				input[target] = filepath.Join(dir, target, filepath.FromSlash(file))
			}
			input["cloudfront"] = input["s3"]
			input["rules"] = filepath.Join(dir, "cloudflare", "_headers")
			if table.Base != "" {
				input["rules"] = filepath.Join(dir, "cloudflare", "cloudflare", "_headers")
			} else if data, err := os.ReadFile(filepath.Join(dir, "cloudflare", "404.html")); err == nil {
				if err := os.WriteFile(filepath.Join(dir, "dist", "404.html"), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			// Node takes a .js file for a module where a package.json says so.
			if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o600); err != nil {
				t.Fatal(err)
			}
			entries := table.Sites[0].Entries
			paths := []string{}
			for _, e := range entries {
				paths = append(paths, e.Path)
			}
			for _, m := range table.Sites[0].Moved {
				paths = append(paths, m.From)
			}
			input["paths"] = paths
			got := read(t, input)
			for _, m := range table.Sites[0].Moved {
				c := got.CloudFront[m.From]
				if c.Get != 308 || c.Options.Status != 204 || c.Post.Status != 308 {
					t.Errorf("cloudfront %s: %+v", m.From, c)
				}
				compare(t, "cloudfront", m.From, append(m.Headers, hosting.Header{Name: "Location", Value: m.To}), c.Post.Headers)
			}
			for _, e := range entries {
				want := append([]hosting.Header{{Name: "Content-Type", Value: e.ContentType}}, e.Headers...)
				compare(t, "netlify", e.Path, want, got.Netlify[e.Path])
				compare(t, "vercel", e.Path, want, got.Vercel[e.Path])
				compare(t, "firebase", e.Path, append(want, hosting.Header{Name: "status", Value: "200"}), got.Firebase[e.Path])
				for platform, headers := range map[string]map[string]string{
					"netlify": got.Netlify[e.Path],
					"vercel":  got.Vercel[e.Path],
				} {
					if tag, ok := headers["etag"]; ok {
						t.Errorf("%s %s: sets the tag %s", platform, e.Path, tag)
					}
				}
				c := got.Cloudflare[e.Path]
				if c.Options.Status != 204 || c.Post.Status != 405 || c.Get != "file" || c.Elsewhere != "file" {
					t.Errorf("cloudflare %s: %+v", e.Path, c)
				}
				if !strings.HasSuffix(e.Path, "/") && c.Sidecar != 404 {
					t.Errorf("cloudflare %s: status %d for a sidecar", e.Path, c.Sidecar)
				}
				cloudfront(t, table, e, got)
				pages(t, e, want, got)
				compare(t, "cloudflare OPTIONS", e.Path, table.Preflight, c.Options.Headers)
				compare(t, "cloudflare POST", e.Path, []hosting.Header{{Name: "Allow", Value: hosting.Methods}}, c.Post.Headers)
			}
		})
	}
}

// pages wants what Cloudflare Pages sends, which takes index.html for its directory.
func pages(t *testing.T, e hosting.Entry, want []hosting.Header, got answers) {
	t.Helper()
	p := got.Pages[e.Path]
	if strings.HasSuffix(e.Path, "/"+tree.PagePath) {
		if p.Status != 308 {
			t.Errorf("pages %s: status %d, want 308", e.Path, p.Status)
		}
		return
	}
	if p.Status != 200 || p.Again != 304 {
		t.Errorf("pages %s: status %d, and %d for its tag", e.Path, p.Status, p.Again)
	}
	compare(t, "pages", e.Path, want, p.Headers)
	gone := got.Pages["/gone/.well-known/agent-card.json"]
	if gone.Status != 404 {
		t.Errorf("pages: status %d for a card that is not there", gone.Status)
	}
}

// cloudfront wants what CloudFront answers by itself and adds to an answer.
func cloudfront(t *testing.T, table hosting.Table, e hosting.Entry, got answers) {
	t.Helper()
	c := got.CloudFront[e.Path]
	if c.Get != 0 {
		t.Errorf("cloudfront %s: GET is answered with %d", e.Path, c.Get)
	}
	if strings.Contains(e.Path, "/.well-known/") {
		if c.Options.Status != 204 || c.Post.Status != 405 || c.Sidecar != 404 {
			t.Errorf("cloudfront %s: %+v", e.Path, c)
		}
		compare(t, "cloudfront OPTIONS", e.Path, table.Preflight, c.Options.Headers)
		compare(t, "cloudfront POST", e.Path, []hosting.Header{{Name: "Allow", Value: hosting.Methods}}, c.Post.Headers)
	}
	var want []hosting.Header
	for _, h := range e.Headers {
		if h.Name == "Deprecation" || h.Name == "Link" || h.Name == "Sunset" {
			want = append(want, h)
		}
	}
	compare(t, "cloudfront", e.Path, want, c.Response)
	if len(c.Response) != len(want)+1 {
		t.Errorf("cloudfront %s: sends %v", e.Path, c.Response)
	}
}

// compare wants these headers among those that a platform sends.
func compare(t *testing.T, platform, path string, want []hosting.Header, got map[string]string) {
	t.Helper()
	for _, h := range want {
		if diff := cmp.Diff(h.Value, got[strings.ToLower(h.Name)]); diff != "" {
			t.Errorf("%s %s: %s (-want +got):\n%s", platform, path, h.Name, diff)
		}
	}
}

func read(t *testing.T, input map[string]any) answers {
	t.Helper()
	data, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "read.mjs")
	cmd.Dir = "js"
	cmd.Stdin = bytes.NewReader(data)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("read.mjs: %v\n%s", err, &said)
	}
	var a answers
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("read.mjs printed %s: %v", out, err)
	}
	return a
}
