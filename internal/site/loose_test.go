package site

import "testing"

// What may be published outside of an archive: nothing that a browser or a web server
// runs, wherever in the name it says so.
func TestLoose(t *testing.T) {
	for name, want := range map[string]bool{
		"SKILL.md": true, "notes.txt": true, "a/b.v1.2/gpt-4.1.md": true, "README.zh-CN.md": true, "x.example.json": true,
		"data.CSV": true, "logo.png": true,
		"page.html": false, "404.html": false, "page.HTM": false, "a.xhtml": false, "i.svg": false, "f.xml": false,
		"t.var": false, "t.var.md": false, "a.php": false, "a.php5.txt": false, "a.PhP.txt": false, "x.phtml": false,
		"s.shtml": false, "run.sh": false, "run.py": false, "a.pl": false, "app.js": false, "app.mjs": false, "m.wasm": false,
		"_worker.js": false, "_redirects": false, "_headers": false, "_routes.json": false, "web.config": false,
		"a.php/b.md": false, "cgi-bin/a.md": false, "a.asp.txt": false, "a.aspx": false, "a.jsp": false, "LICENSE": false,
		"x.pdf": false, "run.bat": false, "a.asis.txt": false, ".htaccess": false,
		"staticwebapp.config.json": false, "a/StaticWebApp.Config.json": false, "vercel.json": false, "netlify.toml": false,
		"a/firebase.json": false, "wrangler.toml": false, "my-vercel.json": true, "vercel.json.md": true, "firebase.md": true,
	} {
		if got := loose(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
