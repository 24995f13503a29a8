package hosting_test

import (
	"os"
	"testing"

	"cardwright/internal/fixture"
)

func TestMain(m *testing.M) {
	fixture.InMemory()
	os.Exit(m.Run())
}
