package probe

import (
	"net"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
)

func TestPrivate(t *testing.T) {
	for addresses, want := range map[string]bool{
		"93.184.216.34 [2606:2800:220:1::1] 172.32.0.1 100.128.0.1 [::ffff:93.184.216.34]": false,
		"127.0.0.1 127.8.8.8 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 168.63.129.16 100.100.100.200 192.0.0.192 " +
			"[::ffff:168.63.129.16] [fd00:ec2::254] 100.64.0.1 0.0.0.0 0.1.2.3 198.18.0.1 224.0.0.1 255.255.255.255 " +
			"240.0.0.1 [::1] [::] [::ffff:127.0.0.1] [fe80::1%eth0] [fc00::1] [64:ff9b::7f00:1] [2002:7f00:1::] " +
			"[2001:0:7f00:1::] [ff02::1] agents.example": true,
	} {
		for address := range strings.FieldsSeq(addresses) {
			if got := private(address + ":80"); got != want {
				t.Errorf("private(%s) is %t, want %t", address, got, want)
			}
		}
	}
	if !private("no address") {
		t.Error("what is no address is public")
	}
}

// A name that was public may not become private under way.
func TestGuardPins(t *testing.T) {
	const named = "agents.example:80"
	g := guard{named: named, public: map[string]bool{}}
	if !g.mayBePrivate(named) {
		t.Error("the named host may be anywhere at first")
	}
	if g.mayBePrivate("agents.example:81") {
		t.Error("another port of it may not be private")
	}
	g.public[named] = true
	if g.mayBePrivate(named) {
		t.Error("the named host may not move into this network")
	}
}

// Only names of this machine are dialled as localhost.
func TestGuardDialsTheHost(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	g := guard{
		named:   "agents.example:" + port,
		resolve: map[string]string{"agents.example": "127.0.0.1", "localhost": "::none"},
		public:  map[string]bool{},
	}
	for host, want := range map[string]bool{"Agents.Example": true, "desk.localhost": false} {
		c, err := g.dial(t.Context(), "tcp", net.JoinHostPort(host, port))
		if (err == nil) != want {
			t.Errorf("dialling %s: %v", host, err)
		}
		if err == nil {
			_ = c.Close()
		}
	}
}

// A URL leads to the file of the tree that is deployed there: of its host, or below a path.
func TestTree(t *testing.T) {
	deployed := tree{fstest.MapFS{"a.example/x/card": {Data: []byte("host")}, "y/card": {Data: []byte("path")}}}
	for address, want := range map[string]string{
		"https://a.example/x/card": "host", "http://a.example.localhost/x/card": "host", "https://b.example/x/card": "",
		"https://b.example/y/card": "path", "https://b.example/y": "",
		"https://b.example/" + strings.Repeat("deep/", 4096) + "y/card": "path",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := deployed.local(u); string(got) != want {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
}
