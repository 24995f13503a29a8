.PHONY: home build playground test lint golden screenshots bench ratios fuzz growth chaos ci

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

# Takes the pictures in docs/images; look at them before you commit them.
screenshots:
	docs/screenshots.sh

# Compare two runs with: go tool -modfile=.ci/tools/go.mod benchstat OLD NEW
bench:
	go test -run '^$$' -bench . -count 6 ./...

# Measures the program beside the least that any program has to do, for
# docs/internals/performance.md: some minutes on a machine with nothing else to do.
ratios:
	go run ./internal/synth/_ratios

fuzz:
	.ci/fuzz.sh

# Counts what twice the input costs, for each input near its bounds, and prints internal/trials/growth.txt: an hour.
growth:
	go test ./internal/trials -run '^TestFullGrowth$$' -count 1 -v -timeout 3h -full

# Disturbs 300 runs in each way that docs/internals/reliability.md lists: an hour on a disk, half of it with TMPDIR in memory.
chaos:
	go test ./internal/trials -run '^TestChaos' -count 1 -v -timeout 3h -chaos 300
	LONG_TRIALS=1 go test ./generate ./golden ./internal/preview ./internal/publish ./mapping -count 1 -timeout 1h
	cd conformance/hosting && NIGHTLY=1 go test -count 1 -v -timeout 1h ./...
	LONG_TRIALS=1 go -C conformance test . -run '^TestServedByVoltAgent$$' -count 1
	LONG_TRIALS=1 go -C conformance/discovery test . -run '^TestOpencodeLoads$$' -count 1
	LONG_TRIALS=1 go test ./internal/hosting -run '^TestPairsAreServed$$' -count 1 -every 1 -timeout 1h
	go test ./internal/trials -run '^TestPairs$$' -count 1 -projects 1000 -seed 3 -timeout 1h

ci:
	.ci/run

# Moves the project to where it is published: make home NAME=github.com/OWNER/cardwright
home:
	@/bin/sh .ci/home.sh '$(NAME)'
