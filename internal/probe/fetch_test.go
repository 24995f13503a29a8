package probe

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFetch(t *testing.T) {
	var host string
	mux := http.NewServeMux()
	mux.HandleFunc("GET /jwks.json", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) })
	mux.HandleFunc("GET /large", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxBody+1)) })
	mux.Handle("GET /redirect", http.RedirectHandler("/jwks.json", http.StatusFound))
	mux.Handle("GET /loop", http.RedirectHandler("/loop", http.StatusFound))
	mux.Handle("GET /file", http.RedirectHandler("file:///etc/passwd", http.StatusFound))
	mux.HandleFunc("GET /private", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+strings.Replace(host, "127.0.0.1", "127.0.0.2", 1)+"/jwks.json", http.StatusFound)
	})
	mux.Handle("GET /metadata", http.RedirectHandler("https://169.254.169.254/latest", http.StatusFound))
	server := httptest.NewServer(mux)
	defer server.Close()
	host = strings.TrimPrefix(server.URL, "http://")

	tests := []struct{ name, url, want, fault string }{
		{"there", server.URL + "/jwks.json", "{}", ""},
		{"redirect", server.URL + "/redirect", "{}", ""},
		{"missing", server.URL + "/none", "", "the host answers 404"},
		{"large", server.URL + "/large", "", "there are more than 4194304 bytes"},
		{"loop", server.URL + "/loop", "", "there are more than 5 redirects"},
		{"no web page", server.URL + "/file", "", "a redirect leads to a URL that is not http or https"},
		{"private address", server.URL + "/private", "", "the address is in a private network"},
		{"metadata service", server.URL + "/metadata", "", "the address is in a private network"},
		{"plain http", "http://agents.acme.example/jwks.json", "", "is not https"},
		{"credentials", "https://user:password@agents.acme.example/jwks.json", "", "the URL holds credentials"},
		{"no URL", "jwks.json", "", "is not a web URL"},
		{"file", "file:///etc/passwd", "", "is not a web URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := Fetch(t.Context(), tt.url)
			switch {
			case string(data) != tt.want:
				t.Errorf("got %.40q, want %q", data, tt.want)
			case (err == nil) != (tt.fault == ""):
				t.Errorf("got %v, want %q", err, tt.fault)
			case err != nil && (!strings.Contains(err.Error(), tt.fault) || strings.Contains(err.Error(), "password@")):
				t.Errorf("got %v, want %q", err, tt.fault)
			}
		})
	}
}
