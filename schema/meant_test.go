package schema_test

import (
	"testing"

	"cardwright/schema"
)

func TestGRPCAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, address string
		certain       bool
	}{
		{"https://grpc.acme.example", "grpc.acme.example:443", true},
		{"grpcs://grpc.acme.example:8443/", "grpc.acme.example:8443", true},
		{"https://grpc.acme.example/a2a", "grpc.acme.example:443", false}, // the path may mean something
		{"http://grpc.acme.example:50051", "grpc.acme.example:50051", false},
		{"https://localhost:4001", "localhost:4001", false},
		{"https://[2606:4700::1]:443", "[2606:4700::1]:443", false},
		{"grpc.acme.example:443", "", false},
		{"dns:///grpc.acme.example:443", "", false},
		{"https://user@grpc.acme.example", "", false},
		{"https://${HOST}/grpc", "", false},
	} {
		if address, certain := schema.GRPCAddress(tt.text); address != tt.address || certain != tt.certain {
			t.Errorf("%s: got %q, %t, want %q, %t", tt.text, address, certain, tt.address, tt.certain)
		}
	}
}
