//go:build !js

package client

import (
	"crypto/x509"
	"errors"
)

// Hint returns what to try when a request brought no response.
func Hint(err error) string {
	var authority x509.UnknownAuthorityError
	if errors.As(err, &authority) {
		return "for an authority of your own, name its certificates: SSL_CERT_FILE=ca.pem cardwright probe URL"
	}
	return "check the URL, DNS and the server"
}
