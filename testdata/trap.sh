#!/bin/sh
# Runs a command, which runs tests, as a user whose own things are a trap: git's
# configuration and ours are broken, every variable that a client or git would set leads
# astray, and another git-sage is installed and first on PATH. What reads any of it fails,
# what runs any of it leaves a mark, and what writes there is seen: a difference in the
# home, and the command fails. TRAP_PROGRAM is the git-sage that is installed there, if
# not one that only fails.
#
# The trap lies at the same place each time, so that go knows a test again that it ran
# before, unless somebody is in it.
set -eu
: "${GO:=go}"
GOCACHE=$($GO env GOCACHE) GOMODCACHE=$($GO env GOMODCACHE) GOPATH=$($GO env GOPATH) GOENV=$($GO env GOENV)
export GOCACHE GOMODCACHE GOPATH GOENV # the caches of who builds are no part of it
# Tests make thousands of repositories, and each save in them syncs: all of them take 10
# minutes on a disk and 6 in memory, of which they need 500 MB. Programs must be allowed to
# run there.
roomy() { # a folder
	[ -w "$1" ] && [ "$(df -Pk "$1" | awk 'NR == 2 {print $4}')" -gt 4000000 ] || return 1
	probe=$(mktemp "$1/git-sage-probe.XXXXXX") || return 1
	echo '#!/bin/sh' >"$probe" && chmod +x "$probe" && "$probe" 2>/dev/null && rm "$probe" || { rm -f "$probe"; return 1; }
}
if [ -z "${TMPDIR:-}${GOTMPDIR:-}" ] && roomy /dev/shm; then
	export TMPDIR=/dev/shm
fi
trap=${TMPDIR:-/tmp}/git-sage-trap-$(id -u)-$(pwd | cksum | cut -d' ' -f1)
if ! mkdir -m 700 "$trap" 2>/dev/null; then
	user=$(cat "$trap/pid" 2>/dev/null) || user=
	if [ -O "$trap" ] && [ -n "$user" ] && ! kill -0 "$user" 2>/dev/null; then
		rm -rf "$trap" && mkdir -m 700 "$trap" # left by one that was killed
	else
		trap=$(mktemp -d)
	fi
fi
echo $$ >"$trap/pid"
trap 'rm -rf "$trap"' EXIT
trap 'exit 130' INT TERM

home=$trap/home
mkdir -p "$home/.local/bin" "$home/go/bin" "$home/.config/git" "$home/.claude/projects" "$home/.claude/plugins" \
	"$home/.sage/run" "$home/.codex" "$home/.cursor" "$trap/run"
cat >"$trap/program" <<END
#!/bin/sh
echo "trap: a test runs what the user has installed: \$0 \$*" >&2
echo "\$0 \$*" >>'$trap/ran'
exit 97
END
chmod +x "$trap/program"
for program in "$home/.local/bin/git-sage" "$home/go/bin/git-sage" "$home/.local/bin/editor"; do
	cp "$trap/program" "$program"
done
[ -z "${TRAP_PROGRAM:-}" ] || cp "$TRAP_PROGRAM" "$home/.local/bin/git-sage"
for broken in .gitconfig .config/git/config .sage/config.yaml .sage/tuning.yaml .sage/plugins.yaml \
	.claude/settings.json .claude.json .codex/config.toml .cursor/mcp.json; do
	echo 'trap: a test reads what is the user'"'"'s: [' >"$home/$broken"
done

mkdir -p "$home/.config/go/telemetry" && echo off >"$home/.config/go/telemetry/mode" # of go's own, which is no test

look() { (cd "$home" && find . -type f -exec cksum {} + | sort && find . ! -type f | sort); }
look >"$trap/before"
status=0
env HOME="$home" USERPROFILE="$home" PATH="$home/.local/bin:$PATH" \
	XDG_CONFIG_HOME="$home/.config" XDG_DATA_HOME="$home/.local/share" XDG_CACHE_HOME="$home/.cache" \
	XDG_STATE_HOME="$home/.local/state" XDG_RUNTIME_DIR="$trap/run" \
	GIT_DIR="$trap/no repository" GIT_WORK_TREE="$trap/no tree" GIT_INDEX_FILE="$trap/no index" \
	GIT_AUTHOR_NAME=Trap GIT_AUTHOR_EMAIL=trap@example.org GIT_AUTHOR_DATE='@1 +0000' \
	GIT_COMMITTER_NAME=Trap GIT_COMMITTER_EMAIL=trap@example.org GIT_COMMITTER_DATE='@1 +0000' EMAIL=trap@example.org \
	GIT_EDITOR="$home/.local/bin/editor" EDITOR="$home/.local/bin/editor" VISUAL="$home/.local/bin/editor" PAGER="$home/.local/bin/editor" \
	SAGE_HOME="$home/.sage" SAGE_SESSION=trap SAGE_ENABLED=false SAGE_AUTOSAVE=trap SAGE_RECALL_THRESHOLD=trap SAGE_SKILL=trap \
	CI=true CLAUDECODE=1 CLAUDE_CODE_ENTRYPOINT=sdk-cli CLAUDE_CODE_SESSION_ATTENDED=0 CLAUDE_CODE_SESSION_ID=trap CLAUDE_CONFIG_DIR="$home/.claude" CLAUDE_PROJECT_DIR="$trap/no project" \
	CLAUDE_PLUGIN_ROOT="$trap/no plugin" CODEX_HOME="$home/.codex" \
	"$@" || status=$?
look >"$trap/after"
if ! diff "$trap/before" "$trap/after" >&2; then
	echo "trap: a test wrote into the user's home: what differs is above" >&2
	status=1
fi
if [ -e "$trap/ran" ]; then
	echo "trap: tests ran programs of the user's:" >&2
	sort -u "$trap/ran" >&2
	status=1
fi
if [ -n "$(ls -A "$trap/run")" ]; then
	echo "trap: tests left this where the user's sockets are: $(ls -A "$trap/run")" >&2
	status=1
fi
exit "$status"
