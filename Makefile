.PHONY: build test lint golden screenshots bench ratios fuzz chaos ci

build:
	go build -o cardwright .

test:
	go test ./...

lint:
	.ci/run vet format lint

# Rewrites the expected trees; read the diff before you commit it.
golden:
	go test ./golden -update

# Takes the pictures in docs/images; look at them before you commit them.
screenshots:
	docs/screenshots.sh

# Compare two runs with: go tool -modfile=.ci/tools/go.mod benchstat OLD NEW
bench:
	go test -run '^$$' -bench . -count 6 ./...

# Measures the program beside the least that any program has to do, for
# docs/performance.md: some minutes on a machine with nothing else to do.
ratios:
	go run ./internal/synth/ratios

fuzz:
	.ci/fuzz.sh

# Disturbs 300 runs in each way that docs/reliability.md lists: an hour on a disk, half of it with TMPDIR in memory.
chaos:
	go test . -run '^TestChaos' -count 1 -v -timeout 3h -chaos 300

ci:
	.ci/run
