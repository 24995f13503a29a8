package generate

import (
	"context"
	"slices"

	"cardwright/internal/diag"
)

// checkExtended reports the extended cards that have no directory, and leaves them out of
// the result.
func checkExtended(_ context.Context, r *run) error {
	if r.Output.Private {
		return nil
	}
	r.result.Cards = slices.DeleteFunc(r.result.Cards, func(c Card) bool {
		if c.Extended {
			r.report(diag.New(diag.ExtendedNotWritten, c.Span,
				"agent %q has an extended card, which is only written with --private-out", c.Agent).
				WithHint("pass --private-out DIR, and let the server of the agent send it to authenticated clients"))
		}
		return c.Extended
	})
	return nil
}

// configureServers writes the server configuration: what belongs into the web root goes
// to the public tree, the rest to a tree of its own.
func configureServers(_ context.Context, r *run) error {
	public, servers, found := r.Output.Configure()
	for i := range found {
		found[i].Span = firstSpan(r.Config.Node, found[i].Pointer)
	}
	r.report(found...)
	r.result.Public = append(r.result.Public, public...)
	r.result.Servers = servers
	return nil
}

// checkIgnored warns that git ignores cards of the public tree, at each line that makes
// git do so: a commit leaves them out.
func checkIgnored(_ context.Context, r *run) error {
	seen := map[diag.Span]bool{}
	for _, c := range r.result.Cards {
		if c.Extended {
			continue
		}
		line := r.Output.Ignores(c.Path)
		if line == nil || seen[line.Span] {
			continue
		}
		seen[line.Span] = true
		r.report(diag.New(diag.OutputIgnored, line.Span,
			"git ignores %s because of the line %s, so a commit leaves it out", diag.Quote(line.Card), diag.Quote(line.Text)).
			WithHint("choose another out in cardwright.yaml, or change the line; if you do not commit the cards, " +
				"set output-ignored: off in rules"))
	}
	return nil
}

// publish hands the trees over, to be written or compared.
func publish(ctx context.Context, r *run) error {
	return r.Output.Publish(ctx, r.result, r.found)
}
