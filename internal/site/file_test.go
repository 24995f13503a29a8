package site

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// abc is the example of FIPS 180-4.
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestSidecarFiles(t *testing.T) {
	f := File{
		Path: "a/.well-known/agent-card.json", Data: []byte("abc"), Agent: "a", URL: "https://a.example/",
		Sidecars: true,
	}
	want := []File{
		{Path: f.Path + ".etag", Data: []byte(`"` + abc + `"` + "\n"), Agent: "a", Turn: 1},
		{Path: f.Path + ".sha256", Data: []byte(abc + "  agent-card.json\n"), Agent: "a", Turn: 1},
	}
	if diff := cmp.Diff(want, f.SidecarFiles(), cmpopts.IgnoreUnexported(File{})); diff != "" {
		t.Errorf("sidecars (-want +got):\n%s", diff)
	}
	f.Sidecars = false
	if got := f.SidecarFiles(); got != nil {
		t.Errorf("sidecars of a file without: %v", got)
	}
}
