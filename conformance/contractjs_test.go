package conformance

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
)

// Honest servers of @a2a-js/sdk pass in every binding, and every lie is found by
// the check that is about it, and by no other.
func TestContractA2AJS(t *testing.T) {
	t.Parallel()
	bin := fixture.Program(t)
	// The SDK demands extensions with messages only, and refuses patch versions.
	allowed := []string{"info contract-extension-required", "warning contract-version"}
	for _, binding := range []string{"JSONRPC", "HTTP+JSON", "GRPC"} {
		t.Run(binding+"/honest", func(t *testing.T) {
			got := contractOf(t, bin, startJS(t, binding, lie{}), "--send", "hello")
			got.without(allowed)
			if len(got.findings) > 0 {
				t.Errorf("findings: %q\n%s", got.findings, got.text)
			}
		})
		t.Run(binding+"/honest, promising nothing", func(t *testing.T) {
			nothing := func(p *promise) { *p = promise{Version: "1.0", Name: "Modest Agent"} }
			got := contractOf(t, bin, startJS(t, binding, lie{says: nothing, does: nothing}), "--send", "hello")
			got.without(allowed)
			if len(got.findings) > 0 {
				t.Errorf("findings: %q\n%s", got.findings, got.text)
			}
		})
		for _, l := range lies {
			if binding == "GRPC" && l.served != nil {
				continue // its card has no web host
			}
			t.Run(binding+"/"+l.name, func(t *testing.T) {
				t.Parallel()
				got := contractOf(t, bin, startJS(t, binding, l), l.args...)
				got.without(slices.DeleteFunc(slices.Clone(allowed), func(f string) bool { return f == l.want[0] }))
				if diff := cmp.Diff(l.want, got.findings); diff != "" {
					t.Errorf("findings (-want +got):\n%s\n%s", diff, got.text)
				}
			})
		}
	}
}

// Servers of @a2a-js/sdk that speak 0.3 pass, and a version that they do not speak
// is found.
func TestContractA2AJSLegacy(t *testing.T) {
	t.Parallel()
	bin := fixture.Program(t)
	old := func(p *promise) { p.Version, p.Extension = "0.3", false }
	for _, binding := range []string{"JSONRPC", "HTTP+JSON", "GRPC"} {
		t.Run(binding, func(t *testing.T) {
			t.Parallel()
			got := contractOf(t, bin, startJS(t, binding, lie{says: old, does: old}), "--send", "hello")
			if binding == "HTTP+JSON" { // there the schemes of its extended card have the form of 1.0
				got.without([]string{"warning contract-extended"})
			}
			if len(got.findings) > 0 {
				t.Errorf("findings: %q\n%s", got.findings, got.text)
			}
		})
		t.Run(binding+"/streaming declared and absent", func(t *testing.T) {
			t.Parallel()
			mute := func(p *promise) { old(p); p.Streaming = false }
			got := contractOf(t, bin, startJS(t, binding, lie{says: old, does: mute}))
			if !slices.Contains(got.findings, "error contract-streaming") {
				t.Errorf("findings: %q\n%s", got.findings, got.text)
			}
		})
	}
}

// startJS starts an agent that says one thing and does another.
func startJS(t *testing.T, binding string, l lie) agent {
	t.Helper()
	says, does := full, full
	apply(&says, l.says)
	apply(&does, l.does)
	served := says
	apply(&served, l.served)
	url, truly := "@WEB@/a2a", "@WEB@/a2a"
	if binding == "GRPC" {
		url, truly = "@GRPC@", "@GRPC@"
	}
	switch {
	case says.Path != "" && binding == "GRPC":
		url = "@WEB@" // where no gRPC is spoken
	case says.Path != "":
		url = "@WEB@" + says.Path
	}
	var living any = does.card(binding, truly)
	if does.Version == "0.3" { // the SDK lives by a card of 1.0 that lists interfaces of 0.3
		does.Version = "1.0"
		text, err := json.Marshal(does.card(binding, truly))
		if err != nil {
			t.Fatal(err)
		}
		living = json.RawMessage(strings.ReplaceAll(string(text), `"protocolVersion":"1.0"`, `"protocolVersion":"0.3"`))
		does.Version = "0.3"
	}
	settings := map[string]any{
		"binding": binding, "token": token, "security": does.Security, "extended": does.Extended,
		"openExtended": does.OpenExtended,
		"does":         living, "legacy": does.Version == "0.3", "served": served.card(binding, url),
	}
	if !l.noExtended {
		settings["extendedCard"] = says.extended(binding, url)
	}
	at := ask[listening](t, &agents, settings)[0]
	card, err := json.Marshal(says.card(binding, url))
	if err != nil {
		t.Fatal(err)
	}
	placed := strings.NewReplacer("@WEB@", at.Web, "@GRPC@", at.GRPC).Replace(string(card))
	return agent{at.Web, []byte(placed)}
}

// listening is where an agent of Node listens, and the card that it serves.
type listening struct {
	Web, GRPC string
	Card      json.RawMessage
}

// firstLine starts a program that ends with its standard input, which is at the end of the
// test, and returns the first line that it prints.
func firstLine(t *testing.T, cmd *exec.Cmd) ([]byte, error) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	}
	t.Cleanup(end)
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		end() // it has printed all that it says of its failure
	}
	return line, err
}

// startNode starts an agent that prints where it listens.
func startNode(t *testing.T, script string, settings []byte) listening {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", script, string(settings))
	cmd.Dir = "js"
	var stderr strings.Builder
	cmd.Stderr = &stderr
	var at listening
	line, err := firstLine(t, cmd)
	if err != nil || json.Unmarshal(line, &at) != nil {
		t.Fatalf("the agent does not start: %v\n%s%s", err, line, stderr.String())
	}
	return at
}

// Honest servers of @a2a-js/sdk 0.3.x have no failure in any binding, and lies are
// found.
func TestContractA2AJS03(t *testing.T) {
	t.Parallel()
	bin := fixture.Program(t)
	for _, binding := range []string{"JSONRPC", "HTTP+JSON", "GRPC"} {
		for _, l := range append([]lie{{name: "honest", args: []string{"--send", "hello"}}}, lies...) {
			if l.noExtended || l.served != nil || strings.Contains(l.name, "extension") || l.name == "wrong version" ||
				strings.Contains(l.name, "open to everybody") || binding == "GRPC" && strings.Contains(l.name, "login") ||
				binding == "HTTP+JSON" && l.name == "streaming absent and served" {
				continue // what this SDK cannot say, or says of every server
			}
			t.Run(binding+"/"+l.name, func(t *testing.T) {
				t.Parallel()
				says, does := full, full
				apply(&says, l.says)
				apply(&does, l.does)
				settings := map[string]any{"binding": binding, "token": token, "says": says, "does": does}
				at := ask[listening](t, &agents03, settings)[0]
				got := contractOf(t, bin, agent{at.Web, at.Card}, l.args...)
				if binding == "HTTP+JSON" { // HTTP 500 for an unknown task, and requirements in the form of 1.0
					got.without([]string{"warning contract-streaming", "warning contract-extended"})
				}
				if diff := cmp.Diff(l.want, got.findings); diff != "" && len(l.want)+len(got.findings) > 0 {
					t.Errorf("findings (-want +got):\n%s\n%s", diff, got.text)
				}
			})
		}
	}
}
