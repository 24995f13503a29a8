package probe

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"

	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// elsewhere looks for a card that clients would not find: at the origin of the host,
// below its path, and at the path of A2A before 0.3. It returns the URL of the first one.
func (r *run) elsewhere(ctx context.Context, asked *url.URL) string {
	dir, _, _ := strings.Cut(asked.Path, "/.well-known/")
	for _, at := range []string{
		path.Join("/", dir, tree.LegacyCardPath), "/" + tree.CardPath, "/" + tree.LegacyCardPath,
	} {
		u := *asked
		u.Path, u.RawPath, u.RawQuery = at, "", ""
		if u.Path == asked.Path {
			continue
		}
		resp, err := r.client.Ask(ctx, http.MethodGet, &u)
		if err != nil || resp.Status != http.StatusOK {
			continue
		}
		root, _ := source.ParseJSON("", resp.Body, source.Limits{})
		if root.Is(source.Object) && root.Get("name") != nil && root.Get("skills") != nil {
			return resp.URL.String()
		}
	}
	return ""
}
