package tree

import (
	"strings"
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

func TestMayReplace(t *testing.T) {
	const marker = "written by us"
	for name, c := range map[string]struct {
		marker, found string
		want          bool
	}{
		"no marker":        {"", "anything", true},
		"empty":            {marker, "", false},
		"theirs":           {marker, "# my own\nETag off\n", false},
		"ours":             {marker, "# written by us - use:\n", true},
		"mentions it":      {marker, strings.Repeat("# a long file\n", 60) + marker, false},
		"cut by the reach": {marker, strings.Repeat("x", MarkerReach-1) + marker, false},
	} {
		if got := (File{Marker: c.marker}).MayReplace([]byte(c.found)); got != c.want {
			t.Errorf("%s: MayReplace is %t, want %t", name, got, c.want)
		}
	}
}

func TestParseDigest(t *testing.T) {
	if d, ok := ParseDigest(abc); !ok || d != DigestOf([]byte("abc")) {
		t.Errorf("ParseDigest(%s) = %s, %t", abc, d, ok)
	}
	for name, text := range map[string]string{
		"empty":      "",
		"short":      abc[1:],
		"odd":        abc[:63],
		"long":       abc + "0",
		"upper case": strings.ToUpper(abc),
		"no hex":     strings.Repeat("x", 64),
	} {
		if d, ok := ParseDigest(text); ok {
			t.Errorf("%s: ParseDigest(%q) = %s, want a refusal", name, text, d)
		}
	}
}
