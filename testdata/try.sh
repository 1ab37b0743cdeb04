#!/bin/sh
# A short session with git-sage in a scratch repository: two lines of thought on
# one question, a merge that settles them, and a restore. Each command is shown
# before it runs; any that fails ends the session with its status.
set -eu
store=$(cd "$(dirname "$0")" && pwd)/store
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

export HOME="$scratch/home" SAGE_HOME="$scratch/home/.sage" GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
unset GIT_DIR GIT_WORK_TREE SAGE_SESSION CLAUDE_CODE_SESSION_ID XDG_CONFIG_HOME
mkdir -p "$HOME"
git config --global init.defaultBranch main
git config --global user.name Ada
git config --global user.email ada@example.org

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[m') color=--color=always; else bold= plain= color=--color=never; fi

say() { printf '\n# %s\n' "$*"; }
try() { # shows a command and runs it
	line=
	for word in "$@"; do
		case $word in
		*[!a-zA-Z0-9_./~=@-]*) line="$line '$word'" ;;
		*) line="$line $word" ;;
		esac
	done
	printf '%s$%s%s\n' "$bold" "$line" "$plain"
	"$@"
}
code() { # writes a file that has the lines which the checkpoints refer to
	awk -v first="$2" 'BEGIN { print first; for (i = 2; i <= 90; i++) print "// line " i }' >"$1"
}

say "a repository with some code"
cp "$store"/auth-tokens.md "$store"/auth-cookies.md "$scratch"
cd "$scratch"
try git init -q shop
cd shop
mkdir -p internal/auth internal/session web/src/api
code internal/auth/jwt.go 'package auth'
code internal/session/store.go 'package session'
code web/src/api/client.ts 'export {}'
git add .
git commit -q -m 'Add auth'

say "what was concluded about sign-in, from a file"
try git sage save -F ../auth-tokens.md

say "another thought, on a line of its own"
try git sage switch -c cookies
try git sage save -F ../auth-cookies.md
try git sage branch -v

say "what differs between the two"
try git sage diff "$color" main cookies

say "both lead to a synthesis"
try git sage switch main
try git sage checkpoint edit main -m 'Tokens work, but taking one back needs a list on every node' -c 0.5
try git sage merge cookies --thesis 'Cookies for the browser, tokens for the API' -c 0.85
try git sage log --graph --oneline "$color"

say "the brief that the next session begins with"
try git sage checkpoint restore main

say "a fact, and a prompt that needs it: why it comes back"
try git sage remember 'The staging database is emptied every Sunday night.' --id staging-wipe --keyword 'staging database'
try git sage recall --explain 'Why is the staging database empty?'

say "and nothing of yours was touched"
try git status --short
try git log --oneline
try git sage fsck
printf '\nThat was git-sage. %s\n' "'git sage help' lists the rest."
