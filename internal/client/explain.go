//go:build !js

package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"strings"
)

// Explain says in one sentence why a request brought no response.
func Explain(err error) string {
	var (
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		invalid   x509.CertificateInvalidError
		alert     tls.AlertError
		record    tls.RecordHeaderError
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
	case errors.As(err, &alert), errors.As(err, &record), strings.Contains(err.Error(), "remote error: tls: "):
		return "the TLS handshake failed"
	case refused(err):
		return "the host refuses the connection"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) &&
		timeout.Timeout():
		return "the host did not answer in time"
	case strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		return "the host answers in plain HTTP"
	}
	return "the connection was closed too early"
}

// WantsCertificate reports whether a host ended the connection because the client has
// no certificate.
func WantsCertificate(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "remote error: tls: certificate required") ||
		strings.Contains(err.Error(), "remote error: tls: bad certificate"))
}

// refusal is why a redirect was not followed.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

// Private reports whether a request was not made because the host is at a private
// address and nobody named it.
func Private(err error) bool { return errors.Is(err, errPrivate) }
