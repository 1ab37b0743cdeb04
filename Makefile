# git-sage: a memory for coding agents that lives inside git.
#
#   make install try   build, install for this user, and play a short session
#   make test          unit tests and scripts; faults at a fifth of the points that make check tries
#   make quick         those of the packages that differ from BASE, and of the packages that import them
#   make check         everything that a change must pass, with the race detector, and which lines of the store are run
PREFIX    ?= $(HOME)/.local
DATA      ?= $(PREFIX)/share
FUZZTIME  ?= 60s
FUZZRUNS  ?= 3000x
TORTURE   ?= -every 5 -rounds 400
FAULTS    ?= -every 14 -rounds 100
TORTUREFUZZ ?= 100s
GO        ?= go
GOLDENS     = ./cmd/internal/page/internal/api ./codeindex/parse ./mcp ./hooks/install ./gitstore/sage/briefing ./gitstore/sage/diff ./gitstore/template
# what is done at once in the packages whose other tests say little to the race detector, and those tested whole
ATONCE      = AtOnce|Race|Crowd|Concurrent|Beside|Meet\b|Waits|TwoSessions|ManyProcesses|Sessions\b|Together|Readers
RACEALL     = ./hooks/watch ./hooks/distill ./hooks/session ./mcp ./gitstore/internal/fsx ./gitstore/internal/git ./gitstore/internal/loose \
	./recall/sidecar ./recall/rank ./cmd/internal/config
# of these, what makes many calls, but one after the other
INTURN      = RefusalsSpeakOfArguments|LongKnowledgeIsCut|SurviveAnyArguments
RACE        = $(GO) test -race -vet=off -timeout 30m
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
LAB       = cmd/internal/lab
TOOLS     = bin/bench bin/compare bin/eval bin/grammars bin/models bin/page bin/safeguards bin/systems bin/torture
OTHERS    = linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
TRAP      = GO='$(GO)' sh testdata/trap.sh
VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS   := -s -w -X github.com/git-sage/git-sage/cmd/internal/cli.version=$(VERSION)
# The same for all that is compiled, so that it is compiled once: what is built, tested, linted and measured
export GOFLAGS := $(strip $(filter-out -trimpath,$(shell $(GO) env GOFLAGS)) -trimpath)
export CGO_ENABLED ?= 0

.PHONY: bin/release page grammars grammars-verify quick test-race test-race-some golden-same systems systems-built day models models-verify arm64 build install uninstall try test test-hugot test-installed race fuzz cover bench compare eval golden lint man check check-rest release release-verify release-test e2e conformance sizes torture faults safeguards $(TOOLS)
build: # one static file, which starts faster than a dynamic one
	CGO_ENABLED=0 $(GO) build -ldflags '$(LDFLAGS)' -o bin/git-sage ./cmd/git-sage
install: build
	@PREFIX='$(PREFIX)' DATA='$(DATA)' sh testdata/install.sh
uninstall:
	@PREFIX='$(PREFIX)' DATA='$(DATA)' sh testdata/install.sh --remove
try: build
	@PATH='$(CURDIR)/bin':"$$PATH" sh testdata/try.sh
test: # as a user whose own configuration and programs are a trap: nothing of yours is read, run or written
	$(TRAP) $(GO) test -short -vet=off -ldflags '-s -w' -p 3 -timeout 30m ./gitstore/... ./cmd/... ./... # the longest first; make lint vets them, and more
	$(TRAP) $(GO) -C $(LAB) test -short -vet=off -ldflags '-s -w' -timeout 30m ./...
	@type chromium chromium-browser google-chrome 2>/dev/null | grep -q / || echo "the page of 'git sage ui': not tried, there is no chromium"
test-hugot: # other models, in a program built with that tag: to compile what runs them takes as long as a sixth of make test
	$(TRAP) $(GO) test -tags hugot -run Foreign ./cmd/internal/cli && $(TRAP) $(GO) test -tags hugot ./recall/embed/onnx
quick: # BASE is where this branch left the one it follows, or else the commit before this one
	@GO='$(GO)' sh testdata/quick.sh $(BASE)
test-race test-race-some race: export CGO_ENABLED = 1
test-race: # all of them with the race detector; which lines of the store they run
	@mkdir -p .build
	$(TRAP) $(RACE) -coverpkg=./gitstore/... -coverprofile=.build/cover ./gitstore/...
	$(TRAP) $(RACE) $$($(GO) list ./... | grep -v /gitstore)
	$(TRAP) $(GO) -C $(LAB) test -race -vet=off -timeout 30m ./...
	@sh testdata/cover.sh 90 .build/cover
test-race-some: # the part of it that every change has to pass: what is done at once, and its packages
	$(TRAP) $(RACE) -short -run '$(ATONCE)' $$(grep -rlE --include='*_test.go' '^func Test\w*($(ATONCE))' ./gitstore ./recall/index ./cmd/internal/cli/*/ | xargs -n1 dirname | sort -u)
	$(TRAP) $(RACE) -short -skip '$(INTURN)' $(RACEALL)
test-installed: # those that could see a git-sage that is installed, beside that of the user who runs them
	$(GO) test -count=1 -timeout 30m ./hooks/install
	$(GO) test -count=1 -timeout 30m ./cmd/internal/cli -run '^TestScripts$$/^(doctor|hook|hooks|init|mcp|agent-skills|watcher)$$'
race: # the tests of packages that are used at once, again and again
	$(GO) test -race -count=3 ./gitstore/... ./mcp/... ./hooks/...
fuzz: # the targets that testdata/fuzz.sh names for $(FUZZTIME), the others $(FUZZRUNS)
	@GO='$(GO)' sh testdata/fuzz.sh $(FUZZTIME) $(FUZZRUNS)
cover: # which lines of the store its tests run, in less time: without the race detector
	@GO='$(GO)' sh testdata/cover.sh 90
$(TOOLS): # the laboratory's, from a module of its own; they run here
	@$(GO) -C $(LAB) build -o '$(CURDIR)/$@' ./$(@F)
bench: build bin/bench # beside git, in fresh processes; STRICT=1 fails on a missed goal; BENCH='-only code' times what finds code, ten minutes at most, '-only questions' counts what an agent reads for an answer
	@bin/bench $(BENCH)
compare: bin/compare # beside other memories for agents, which it installs from PyPI and npm below .build/compare: 7 GB; COMPARE='-data <folder> -model <folder> -only <tool>'; an hour the first time
	@bin/compare $(COMPARE)
eval: bin/eval # how well recall finds: the sets in DATA=<folder>, the duplicates of PAIRS=<jsonl>, or the triggers alone of TRIGGERS=<jsonl>|all, =fit for their weights; ONLY=sets,foreign,facts,triggers for some; 5 minutes, then 1
	@bin/eval $(if $(filter file,$(origin DATA)),,-data '$(DATA)') $(if $(PAIRS),-pairs '$(PAIRS)') $(if $(TRIGGERS),-triggers '$(TRIGGERS)') $(if $(ONLY),-only '$(ONLY)')
sizes: build bin/bench # every command where there is much, and at a hundredth of it; fails on a miss
	@STRICT=1 bin/bench -sizes -n 2 $(BENCH)
torture: build bin/torture # kill, cut, fill and starve it in every way; an hour at most, on Linux, as root
	@bin/torture $(TORTURE)
	@test -n "$$SAGE_OTHER_GIT" || echo 'two gits at once: not tried, SAGE_OTHER_GIT names no second git'
	$(GO) test -tags torture -timeout 40m ./gitstore/... ./cmd/internal/procs
	@GO='$(GO)' FUZZSEED=$$(date +%s) sh testdata/fuzz.sh $(TORTUREFUZZ) $(FUZZRUNS)
	@$(MAKE) arm64 safeguards
arm64: # the encoder's kernels for arm64 on emulated processors, with SDOT and without; wants qemu-user
	@command -v qemu-aarch64 >/dev/null || { echo 'qemu-aarch64 is missing: install qemu-user'; exit 1; }
	@mkdir -p .build && GOARCH=arm64 $(GO) test -c -o .build/embed.arm64 ./recall/embed
	cd recall/embed && qemu-aarch64 ../../.build/embed.arm64 -test.run 'Sums|Gemm|Quant|Gelu|Softmax|Matmul|Norm|Agree'
	cd recall/embed && qemu-aarch64 -cpu cortex-a53 ../../.build/embed.arm64 -test.run 'Sums|Gemm|Quant'
	cd recall/embed && qemu-aarch64 ../../.build/embed.arm64 -test.run 'TestVectorsOfReference/all-MiniLM-L6-v2/neon$$'
faults: build bin/torture # the part of it that every change has to pass; needs nobody's permission
	@bin/torture -parts sweep,errors,random $(FAULTS)
safeguards: bin/safeguards # take out what keeps a memory safe, one at a time; a check has to notice
	@bin/safeguards
golden: # write what the code prints into golden files and scripts; look at the diff
	$(GO) test ./cmd/internal/cli $(GOLDENS) -update $(GOLDEN)
man: build # the manual page, as a user sees it
	@bin/git-sage man | man -l -
lint:
	@bad=$$(gofmt -l cmd codeindex converse gitstore hooks imports internal mcp prose recall *.go); test -z "$$bad" || { echo "gofmt: $$bad"; exit 1; }
	$(GO) vet ./... && $(GO) -C $(LAB) vet ./...
	$(GO) run $(STATICCHECK) ./... && $(GO) -C $(LAB) run $(STATICCHECK) ./...
check: test test-hugot test-race check-rest # what .ci/run does in part, it does whole: race detector, fuzzing, faults, six systems
check-rest: lint grammars-verify release-test
	$(MAKE) fuzz $(if $(filter Linux,$(shell uname)),faults)
	$(MAKE) golden-same systems systems-built
golden-same: # what is written into golden files is what they are; a script that passes is what would be written
	$(GO) test -short $(GOLDENS) -update && git diff --exit-code
systems: bin/systems # types of all packages and tests fit, on the others and with each tag, and the assembly of arm64; whole builds are systems-built
	@bin/systems $(OTHERS) && GOFLAGS='$(GOFLAGS) -tags=hugot,torture' bin/systems linux/amd64
	GOARCH=arm64 CGO_ENABLED=0 $(GO) build ./recall/embed
systems-built: # each of them builds and links
	@set -e; for t in linux/amd64 $(OTHERS); do \
		echo "build $$t"; export CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/}; $(GO) build ./...; $(GO) -C $(LAB) build ./...; done
page: bin/page # the script and style of 'git sage ui' again, from cmd/internal/page/ui
	@bin/page cmd/internal/page
bin/release:
	@GOWORK=off $(GO) -C $(LAB)/release build -o '$(CURDIR)/$@' .
release: bin/release # what people install, of the commit that is checked out, into dist/: TAG=v1.2.3 (or the commit's tag), SIGN=<ssh key file, or id of one of gpg's>
	@bin/release -to dist $(if $(TAG),-version '$(TAG)') $(if $(SIGN),-sign '$(SIGN)')
release-verify: bin/release # twice, each from a clone of its own: the same bytes
	@rm -rf .build/release && mkdir -p .build/release
	@commit=$$(git rev-parse HEAD) && for n in 1 2; do bin/release -commit $$commit -to .build/release/$$n $(if $(TAG),-version '$(TAG)') $(if $(ONLY),-only '$(ONLY)') || exit 1; done
	@diff -r .build/release/1 .build/release/2 && echo 'both are the same, byte for byte'
release-test: # the licences of all that is in the program; and 'go install', offline
	GOWORK=off $(GO) -C $(LAB)/release vet . && GOWORK=off $(GO) -C $(LAB)/release test .
models: bin/models # the embedded encoders again, byte for byte, from the models that their README names
	@bin/models && git diff --exit-code --stat recall/embed/weights
grammars: bin/grammars # the embedded parsers of code search again, byte for byte, from the sources that their README names; zig comes from PyPI
	@bin/grammars && git diff --exit-code --stat codeindex/parse/grammars
grammars-verify: # the trees of the embedded parsers beside those of a binding of the C library; wants a C compiler
	@if command -v "$$(CGO_ENABLED=1 $(GO) env CC)" >/dev/null; then GOWORK=off CGO_ENABLED=1 $(GO) -C $(LAB)/native test -count=1 .; \
	else echo "trees of the embedded parsers: not compared, there is no C compiler"; fi
models-verify: bin/models # the reference vectors again, with ONNX Runtime, beside what is kept of them
	@mkdir -p .build/models && bin/models -to .build/models -extract
	@test -d .build/onnx || { python3 -m venv .build/onnx && .build/onnx/bin/pip install -q -r recall/embed/testdata/requirements.txt; }
	.build/onnx/bin/python recall/embed/testdata/reference.py .build/models
conformance: build # the server over HTTP, by the protocol's own suite, once installed from npm
	@node testdata/conformance.mjs
day: build # the picture in README: two sessions as a person sees them; wants tmux
	@PATH='$(CURDIR)/bin':"$$PATH" node testdata/day/play.mjs
e2e: build # the whole loop with Claude Code's own client
	@PATH='$(CURDIR)/bin':"$$PATH" sh testdata/e2e.sh
