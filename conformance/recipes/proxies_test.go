package recipes

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bootstrap "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/compression/gzip/compressor/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/compressor/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	manager "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"github.com/vulcand/predicate"
	"google.golang.org/protobuf/encoding/protojson"
	"sigs.k8s.io/yaml"
)

const proxies = "../../docs/recipes/proxies/"

// HAProxy itself passes the answers of nginx through unchanged.
func TestHAProxy(t *testing.T) {
	haproxy := find(t, "haproxy")
	root := image(t, project(t, "nginx-image"))
	origin, front := nginx(t, root), port(t)
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer agent.Close()
	certs := t.TempDir()
	write(t, filepath.Join(certs, "site.pem"), certificate(t))
	cfg := filepath.Join(t.TempDir(), "haproxy.cfg")
	write(t, cfg, replaced(t, read(t, proxies+"haproxy.cfg"), ":8443", "127.0.0.1:"+front, "/etc/haproxy/certs/",
		certs+"/",
		"127.0.0.1:8080", origin, "127.0.0.1:9000", strings.TrimPrefix(agent.URL, "http://")))
	if out, err := exec.Command(haproxy, "-c", "-f", cfg).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	start(t, front, haproxy, "-f", cfg)
	served(t, "https://127.0.0.1:"+front, filepath.Join(root, "srv/agents"))
}

// certificate is one that nobody signed, with its key, as HAProxy wants them.
func certificate(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})) +
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// Envoy's own types read the configuration, each extension too, and hold it to
// their constraints.
func TestEnvoy(t *testing.T) {
	content, err := yaml.YAMLToJSON([]byte(read(t, proxies+"envoy.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	var config bootstrap.Bootstrap
	if err := protojson.Unmarshal(content, &config); err != nil {
		t.Fatal(err)
	}
	if err := config.ValidateAll(); err != nil {
		t.Fatal(err)
	}
	var http manager.HttpConnectionManager
	filter := config.StaticResources.Listeners[0].FilterChains[0].Filters[0]
	if err := filter.GetTypedConfig().UnmarshalTo(&http); err != nil {
		t.Fatal(err)
	}
	if err := http.ValidateAll(); err != nil {
		t.Fatal(err)
	}
	clusters := map[string]bool{}
	for _, cluster := range config.StaticResources.Clusters {
		clusters[cluster.Name] = true
	}
	for _, route := range http.GetRouteConfig().VirtualHosts[0].Routes {
		if !clusters[route.GetRoute().GetCluster()] {
			t.Errorf("the route %v leads to no cluster", route.Match)
		}
	}
}

// Traefik's rules, read by the parser that Traefik uses, send the cards to the
// server of the cards and the rest to the agent.
func TestTraefik(t *testing.T) {
	var config struct {
		HTTP struct {
			Routers map[string]struct {
				Rule, Service string
				EntryPoints   []string
				TLS           struct{}
			}
			Services map[string]struct {
				LoadBalancer struct{ Servers []struct{ URL string } }
			}
		}
	}
	if err := yaml.UnmarshalStrict([]byte(read(t, proxies+"traefik.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/.well-known/agent-card.json": "cards", "/.well-known/agent.json": "cards", "/.well-known/jwks.json": "cards",
		"/a2a": "agent", "/.well-known/agent-card.json.etag": "agent",
	} {
		// Of the rules that match, Traefik takes the longest.
		got, length := "", 0
		for _, router := range config.HTTP.Routers {
			if matches(t, router.Rule, "review.acme.example", path) && len(router.Rule) > length {
				got, length = router.Service, len(router.Rule)
			}
		}
		if got != want || len(config.HTTP.Services[got].LoadBalancer.Servers) == 0 {
			t.Errorf("%s goes to %q, want %q", path, got, want)
		}
	}
}

func matches(t *testing.T, rule, host, path string) bool {
	t.Helper()
	type match func() bool
	parser, err := predicate.NewParser(predicate.Def{
		Operators: predicate.Operators{
			AND: func(a, b match) match { return func() bool { return a() && b() } },
			OR:  func(a, b match) match { return func() bool { return a() || b() } },
		},
		Functions: map[string]any{
			"Host": func(s string) match { return func() bool { return s == host } },
			"Path": func(s string) match { return func() bool { return s == path } },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	holds, ok := parsed.(match)
	return ok && holds()
}
