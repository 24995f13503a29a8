package probe

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"syscall"
)

// explain says in one sentence why a request had no response.
func explain(err error) string {
	var (
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		invalid   x509.CertificateInvalidError
		timeout   net.Error
		refusal   *refusal
	)
	switch {
	case errors.As(err, &refusal):
		return refusal.reason
	case errors.Is(err, errPrivate):
		return "the address is in a private network; only hosts that you name are called there"
	case errors.Is(err, context.Canceled):
		return "the run was interrupted"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "the host name is not known"
	case errors.As(err, &authority):
		return "the certificate is not signed by an authority that this machine trusts"
	case errors.As(err, &hostname):
		return "the certificate is for another host"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not valid yet"
	case errors.As(err, &invalid):
		return "the certificate is not valid"
	case strings.Contains(err.Error(), "tls: "):
		return "the TLS handshake failed"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, errWindowsRefused):
		return "the host refuses the connection"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "the host did not answer in time"
	case strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		return "the host answers in plain HTTP"
	}
	return "the connection was closed too early"
}

// hintOf returns what to try when a request had no response.
func hintOf(err error) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "for an authority of your own, name its certificates: SSL_CERT_FILE=ca.pem cardwright probe URL"
	}
	return "check the URL, DNS and the server"
}

// errWindowsRefused is WSAECONNREFUSED.
const errWindowsRefused = syscall.Errno(10061)
