.PHONY: home build playground test lint golden bench ratios fuzz ci

build:
	CGO_ENABLED=0 go build -trimpath -tags=urfave_cli_no_docs -ldflags="-s -w" -o cardwright .

# Builds the page that runs cardwright in a browser, into playground/dist.
playground:
	npm --prefix playground ci --ignore-scripts --no-audit --no-fund
	node playground/build.mjs

test:
	go test ./...

lint:
	.ci/run vet format lint

# Rewrites what follows from tables, or the trees of one project:
# make golden CASE=acme-agents. Read the diff before you commit it.
golden:
	@.ci/golden.sh '$(CASE)'

# Compare two runs with: go tool -modfile=.ci/tools/go.mod benchstat OLD NEW
bench:
	go test -run '^$$' -bench . -benchmem -count 6 ./...

# Measures the program beside the least that any program has to do, for
# docs/internals/performance.md: some minutes on a machine with nothing else to do.
ratios:
	go run ./internal/synth/_ratios

fuzz:
	.ci/fuzz.sh

ci:
	.ci/run

# Moves the project to where it is published: make home NAME=github.com/OWNER/cardwright
home:
	@/bin/sh .ci/home.sh '$(NAME)'
