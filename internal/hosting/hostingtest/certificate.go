package hostingtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Certificate writes a certificate for names below localhost and its key into a
// directory, as cert.pem, key.pem, and both in one file as both.pem.
func Certificate(t *testing.T, dir string, names ...string) {
	t.Helper()
	cert := selfSigned(t, names...)
	secret, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]})
	private := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	put(t, filepath.Join(dir, "cert.pem"), public)
	put(t, filepath.Join(dir, "key.pem"), private)
	put(t, filepath.Join(dir, "both.pem"), append(public, private...))
}

// StartTLS starts a server with a certificate of its own. That of [httptest] has a key of RSA:
// a handshake takes fifty times as long.
func StartTLS(t *testing.T, server *httptest.Server) {
	t.Helper()
	if server.TLS == nil {
		server.TLS = &tls.Config{}
	}
	server.TLS.Certificates = []tls.Certificate{selfSigned(t)}
	server.StartTLS()
	t.Cleanup(server.Close)
}

// selfSigned makes a certificate for this machine and names below localhost.
func selfSigned(t *testing.T, names ...string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC),
		DNSNames: append([]string{"localhost"}, names...), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{cert}, PrivateKey: key}
}

// put writes a file.
func put(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
