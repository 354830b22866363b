# Lists the recipes.
default:
    @just --list --unsorted

# What a change must pass: gofmt, vet, staticcheck and every test that needs no browser.
check:
    scripts/test check

# Tests of one package, such as: just test ./snapshot
test PKG="./...":
    go test {{PKG}}

# All tests with the race detector.
race:
    go test -race ./...

# Rewrite the goldens, and show what changed.
golden:
    GOLDEN=update go test ./...
    git diff --stat

# Regenerate the reference and the README's table from the declarations.
docs:
    GOLDEN=update go test ./internal/docs
    git diff --stat -- internal/docs README.md

# The live suite on real browsers, such as: just live firefox-alone TestConversation
live BROWSER="" CASE="":
    go test -count=1 -timeout 30m ./conformance/browsers -browser={{BROWSER}} -run '{{CASE}}'

# Record the transcripts of a case anew, such as: just record click firefox
record CASE BROWSER:
    go test -count=1 -timeout 30m ./conformance/transcripts ./tools -run 'Test(Record|Transcripts)$/^{{CASE}}$' -browser={{BROWSER}} -record

# Serve a protocol log as a browser and run one call against it, such as: just replay bug.log open http://127.0.0.1:8080/
replay LOG +CALL="snapshot":
    #!/bin/sh
    set -eu
    work=$(mktemp -d)
    CGO_ENABLED=0 go build -o "$work/duet" ./cmd/duet
    "$work/duet" replay {{LOG}} >"$work/url" &
    server=$!
    trap 'kill $server; rm -rf "$work"' EXIT
    until [ -s "$work/url" ]; do kill -0 $server; sleep 0.1; done
    "$work/duet" --ephemeral --connect "$(head -n 1 "$work/url")" {{CALL}}

# The official MCP suite against conformance/mcp/baseline.yml.
mcp:
    scripts/test mcp

# One command with the protocol log on, in a browser of its own, such as: just try snapshot --connect ws://…
try +CALL:
    CGO_ENABLED=0 DUET_WIRELOG=/tmp/duet-try.log go run ./cmd/duet --ephemeral {{CALL}}; cat /tmp/duet-try.log

# Syntax of the page scripts.
js:
    for f in internal/pagejs/js/*.js internal/report/viewer/*.js; do node --check "$f" || exit 1; done

# Dependencies: tidy, known weaknesses, licences.
deps:
    go mod tidy
    go run golang.org/x/vuln/cmd/govulncheck@latest ./...
    go list -m -f '{{{{.Path}} {{{{.Version}}' all

# The cost of a cold command against an open connection.
bench-cli:
    go test -count=1 ./internal/app -run '^$' -bench ColdCommand -benchtime 200x

# First page from a cold start, on one browser.
bench-start BROWSER="firefox":
    go test -count=1 -timeout 10m ./internal/app -run '^$' -bench 'FirstPage/{{BROWSER}}' -benchtime 7x

# A large page as a map, against a bare page function, on both browsers.
bench-walk:
    go test -count=1 -timeout 20m ./internal/drive -run '^$' -bench Walk -benchtime 10x

# Many mixed calls in one session, on both browsers: none fails, memory and medians stay.
soak CALLS="10000" BROWSER="":
    go test -count=1 -timeout 60m ./conformance/browsers -run 'TestSoak$' -soak-plain={{CALLS}} -browser={{BROWSER}} -v

# Many mixed calls with mocks, on both browsers; says whether a driver's end was noticed in time.
soak-mocks CALLS="500" BROWSER="":
    go test -count=1 -timeout 20m ./conformance/browsers -run TestSoakWithMocks -soak={{CALLS}} -browser={{BROWSER}} -v

# Actions with their observation against bare commands, on both browsers, on an idle page.
bench-act:
    go test -count=1 -timeout 20m ./internal/drive -run "^$" -bench Act -benchtime 200x

# A click on a page that logs and requests against one on a quiet page.
bench-noise:
    go test -count=1 -timeout 20m ./internal/drive -run "^$" -bench Noise -benchtime 5x

# A page that logs 100,000 messages and makes 5,000 requests: memory, counts, what a call says meanwhile.
flood:
    go test -count=1 -timeout 20m ./conformance/browsers -run "^TestFlood$" -v -flood-messages 100000 -flood-requests 5000

# The web platform's tests of roles and names, on both browsers.
wpt:
    go test -count=1 -timeout 30m ./internal/pagejs -run TestLiveWPT -v

# Checks, tags and builds eight targets.
release VERSION:
    scripts/test
    git tag -a v{{VERSION}} -m v{{VERSION}}
    mkdir -p bin
    for t in linux/amd64 linux/arm64 linux/arm darwin/amd64 darwin/arm64 windows/amd64 windows/arm64 freebsd/amd64; do \
      GOOS=${t%/*} GOARCH=${t#*/} CGO_ENABLED=0 go build -trimpath -o bin/duet-{{VERSION}}-${t%/*}-${t#*/} ./cmd/duet || exit 1; done
    cd bin && sha256sum duet-{{VERSION}}-* > SHA256SUMS
