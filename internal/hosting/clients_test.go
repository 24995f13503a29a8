//go:build unix

package hosting_test

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting/hostingtest"
)

// patience is how long a client may take that asks twice over one connection. It takes
// less than a second, as the log says, even on a machine that is busy; one that waits for
// the body of a 304 waits for more than a minute, or for ever.
const patience = 20 * time.Second

// Every client ends its conditional requests, over HTTP/1.1 and HTTP/2.
func TestNotModifiedEnds(t *testing.T) {
	t.Parallel()
	for name, r := range servers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary, err := exec.LookPath(r.binary)
			if err != nil {
				t.Skipf("%s is not installed", r.binary)
			}
			s := newSite(t, "single", []string{""})
			table := r.publish(t, s, hostingtest.Tree([]string{""}, 'a'))
			r.start(t, binary, s)
			entry := table.Sites[0].Entries[1]
			plain, secure := "http://"+s.addr, "https://localhost:"+port(s.tls)
			t.Run("node", func(t *testing.T) {
				client(t, "node", "304\n304\n304\n304\n", "-e", askTwice, entry.Path, entry.ETag(), plain, secure)
			})
			t.Run("curl", func(t *testing.T) {
				args := []string{"-sk", "-H", "If-None-Match: " + entry.ETag(), "-w", "%{http_code}\n"}
				for _, origin := range []string{plain, secure} {
					url := origin + entry.Path
					args = append(args, "-o", "/dev/null", "-o", "/dev/null", url, url)
				}
				client(t, "curl", "304\n304\n304\n304\n", args...)
			})
		})
	}
}

// servers are those of every kind, with the way of Apache that most have besides: with
// LONG_TRIALS all, else only nginx, which has most of its own.
func servers() map[string]real {
	if !fixture.Long() {
		return map[string]real{"nginx": nginx()}
	}
	return map[string]real{
		"htaccess": htaccess(),
		"apache":   apache(virtualHosts),
		"caddy":    caddy(),
		"lighttpd": lighttpd(""),
		"nginx":    nginx(),
	}
}

// askTwice asks origins, each over one connection, and prints each status; over https by
// HTTP/2.
const askTwice = `
const [path, tag, ...origins] = process.argv.slice(1);
for (const origin of origins) if (origin.startsWith("https:")) {
  const session = require("http2").connect(origin, {rejectUnauthorized: false});
  const ask = () => new Promise((done) => {
    const stream = session.request({":path": path, "if-none-match": tag});
    stream.on("response", (head) => console.log(head[":status"])).on("end", done).resume();
  });
  ask().then(ask).then(() => session.close());
} else {
  const http = require("http"), agent = new http.Agent({keepAlive: true, maxSockets: 1});
  const ask = () => new Promise((done) => http.get(origin + path, {
    agent, headers: {"if-none-match": tag},
  }, (answer) => {
    console.log(answer.statusCode);
    answer.on("end", done).resume();
  }));
  ask().then(ask).then(() => agent.destroy());
}
`

func client(t *testing.T, name, want string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	started := time.Now()
	got, err := cmd.CombinedOutput()
	if err != nil || string(got) != want {
		t.Errorf("%v: %v\n%s\nwant\n%s", cmd.Args, err, got, want)
	}
	t.Logf("ended in %v, the start of the program included", time.Since(started).Round(time.Millisecond))
}
