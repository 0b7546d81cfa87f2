# blossom: what you can make. `make` alone says it again.

BIN     := bin/blossom
DEMO    ?= cytometry

.PHONY: help run beam single windows release test test-race test-long conform test-gpu kernels build lint bench python site fuzz setup clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: build ## build and open the window on a demo data set (DEMO=mammoth for another); without a display, draw it into a picture
	@.ci/open $(BIN) $(DEMO)

build: setup ## build ./bin/blossom (the first time compiles Dear ImGui: some minutes)
	@mkdir -p bin
	@echo 'go build -o $(BIN) ./cmd/blossom'
	@.ci/go build -o $(BIN) ./cmd/blossom

beam: ## build ./bin/blossom-beam, which makes parts by Apache Beam for --runner prism, flink, spark, dataflow (docs/scale.md)
	@mkdir -p bin
	@.ci/go build -C cmd/blossom-beam -o ../../bin/blossom-beam .

single: ## build ./bin/blossom-single: the command line as one file for Linux, which needs no library of the system to start
	@mkdir -p bin
	@.ci/single bin/blossom-single

windows: ## the program for Windows, dist/blossom-VERSION-windows-x86_64.zip, and its installer (needs mingw-w64 and nsis)
	@.ci/release dist windows installer

release: ## all packages, in dist with sums and lists of contents (Debian, as root; needs debootstrap, mingw-w64, nsis, musl-tools)
	@.ci/release dist

test: ## everything that CI checks: format, vet, staticcheck, unit, race, GL, window and fuzz tests
	@.ci/test

test-race: ## all tests of the packages that run goroutines, under the race detector (CI: those in .ci/raced)
	@.ci/test race-long

test-long: ## what CI has no time for: all under the race detector, long tests, blossom-beam, guided fuzzing (FUZZTIME=10s each)
	@FUZZTIME=$${FUZZTIME:-10s} BLOSSOM_LONG=1 .ci/test race-long unit beam fuzz

conform: ## the emulated card and OpenGL in full, after a change of gpu, shaders or what they import; notes in the tree that they pass
	@.ci/test conform

test-gpu: ## on a machine with a graphics card: conformance, pictures, soak (SOAK=10m), compute-sanitizer, bench; log in build/test-gpu.log
	@.ci/test-gpu

site: ## the manual as a website in build/site, which needs no network: open build/site/index.html
	@go run ./.ci/site

fuzz: ## every fuzz target, FUZZTIME each (30s)
	@FUZZTIME=$${FUZZTIME:-30s} .ci/test fuzz

lint: ## gofmt, lines within 120 columns, go.mod tidy, go vet, staticcheck
	@.ci/test lint

bench: build ## the performance tables of this machine
	./$(BIN) bench

python: ## the Python package blossom-map as a wheel in dist/ (PROGRAM=bin/blossom: with that program in it, for this system)
	@go run ./.ci/wheel -o dist $(if $(PROGRAM),-program $(PROGRAM))

kernels: ## compile the CUDA kernels again after a change of gpu/cuda/kernels (needs nvcc of CUDA 11.8; the results are kept in the tree)
	@gpu/cuda/kernels/build

setup: ## install the system packages that are missing
	@.ci/setup

clean: ## remove what was built here
	rm -rf bin build dist
