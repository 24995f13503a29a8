// Command keys prints the keys of the tests as shell commands that put them into the
// environment, for runs on testdata/workspaces/signed.
//
//	eval "$(go run ./.ci/keys)"
package main

import (
	"fmt"
	"testing"

	"cardwright/internal/sign/signtest"
)

// standIn is what signtest asks for outside of a test.
type standIn struct{ testing.TB }

func (standIn) Helper() {}

func main() {
	for _, alg := range []string{"ES256", "ES384", "ES512", "EdDSA", "RS256"} {
		fmt.Printf("export CARD_KEY_%s='%s'\n", alg, signtest.PEM(standIn{}, alg))
	}
}
