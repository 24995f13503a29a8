.PHONY: build test lint golden bench fuzz ci

build:
	go build -o cardwright .

test:
	go test ./...

lint:
	.ci/run vet format lint

# Rewrites the expected trees; read the diff before you commit it.
golden:
	go test ./golden -update

# Compare two runs with: go tool -modfile=.ci/tools/go.mod benchstat OLD NEW
bench:
	go test -run '^$$' -bench . -count 6 ./...

fuzz:
	.ci/fuzz.sh

ci:
	.ci/run
