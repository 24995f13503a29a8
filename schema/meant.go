package schema

import (
	"net/netip"
	"net/url"
	"strings"
)

// GRPCAddress returns the host:port that gRPC clients dial for a web URL (A2A pull request 1997), ""
// for anything else. It says the same as the URL if certain: with TLS, without a path, on no host of
// one network, where clients may do without TLS.
func GRPCAddress(text string) (address string, certain bool) {
	u, err := url.Parse(text)
	ports := map[string]string{"https": "443", "grpcs": "443", "http": "80", "grpc": "80"}
	if err != nil || u.Hostname() == "" || ports[u.Scheme] == "" || u.User != nil || u.RawQuery+u.Fragment != "" {
		return "", false
	}
	_, err = netip.ParseAddr(u.Hostname())
	public := err != nil && strings.Contains(u.Hostname(), ".")
	certain = ports[u.Scheme] == "443" && strings.Trim(u.Path, "/") == "" && public
	if u.Port() != "" {
		return u.Host, certain
	}
	return strings.TrimSuffix(u.Host, ":") + ":" + ports[u.Scheme], certain
}

// BindingMeant returns the protocol binding (1.0 section 5.8, 0.3 section 3.2)
// that a usual misspelling stands for, and that itself; "" for anything else.
func BindingMeant(name string) string {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_+/ .0123456789", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
	switch plain {
	case "jsonrpc", "jsonrpchttp", "jsonrpcoverhttp", "httpjsonrpc":
		return "JSONRPC"
	case "grpc":
		return "GRPC"
	case "http", "https", "rest", "httpjson", "resthttp", "httprest":
		return "HTTP+JSON"
	}
	return ""
}

// MediaTypeMeant returns the media type that a usual shorthand stands for, ""
// for anything else.
func MediaTypeMeant(mode string) string {
	switch strings.ToLower(strings.TrimSpace(mode)) {
	case "text", "txt", "plain", "string":
		return "text/plain"
	case "json", "data":
		return "application/json"
	case "markdown", "md":
		return "text/markdown"
	case "html":
		return "text/html"
	case "pdf":
		return "application/pdf"
	}
	return ""
}
