package schema

import "strings"

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
