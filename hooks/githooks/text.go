package githooks

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Names are the hooks after which HEAD is another commit. A rebase calls post-checkout when it
// begins, post-commit or not by its backend, and only post-rewrite when it ends.
// pre-push is the only one that tells of a push; what it starts waits until that is over.
var Names = []string{"post-checkout", "post-commit", "post-merge", "post-rewrite", "pre-push"}

// Fresh are those that keep notes and the index of code.
var Fresh = Names[:4]

// trailerHook is one that is written if that is wished: it adds to the message of a commit which
// checkpoints explain it.
const trailerHook = "prepare-commit-msg"

// aside is what the name of the user's own hook ends with while ours stands in its place.
const aside = ".before-sage"

// mark begins the second line of a hook of ours. A sum of the lines below it follows: what
// fits its sum, nobody edited since, whichever version wrote it.
const mark = "# git-sage hook "

// script is a hook below its mark. git waits for a hook and for whoever holds its streams, so
// that what runs in the background gets none: not those above 2 either, of which one may be
// somebody's lock. GIT_INDEX_FILE may name one that lasts as long as the commit.
const script = `# Runs 'git sage' in the background. The hook that was here before runs first, and git gets
# its answer. 'git sage hooks uninstall --git' puts it back.
own="${0%/*}/NAME.before-sage" status=0READ
if [ -x "$own" ]; then
	FEED"$own" "$@"
	status=$?
fi
if WHENcommand -v git-sage >/dev/null 2>&1; then
	(unset GIT_INDEX_FILE; NOTEexec git-sage RUN) </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
fi
exit $status
`

// trailerScript is the hook that is waited for: the message is written when it ends. A message
// that the user's hook refuses gets nothing, and what fails keeps nobody from committing.
const trailerScript = `# Names the checkpoints that explain a commit in its message. The hook that was here before runs
# first, and git gets its answer. 'git sage hooks uninstall --git' puts it back.
own="${0%/*}/NAME.before-sage" status=0
if [ -x "$own" ]; then
	"$own" "$@"
	status=$?
fi
if [ "$status" = 0 ] && command -v git-sage >/dev/null 2>&1; then
	git-sage notes trailer "$@" </dev/null >/dev/null 2>&1
fi
exit $status
`

// text is the hook of a name. A checkout of files, or one that stays at the commit, changes
// less than the next search finds by itself, and makes no commit. What post-rewrite reads,
// which commits became which, both the user's hook and ours are fed.
func text(name string) string {
	read, feed, note, when, run, script := "", "", "git-sage notes record; ", "", "index --background", script
	switch name {
	case trailerHook:
		script = trailerScript
	case "pre-push": // git's own goes first, and one that the user's hook refuses sends nothing
		when, run = `[ "$status" = 0 ] && `, `push --quiet "$1"`
		note = `for n in $(seq 600); do kill -0 "$PPID" || break; sleep 1; done; `
	case "post-merge": // who had commits may have sent memory with them
		note += "git-sage sync --background; "
	case "post-checkout":
		note, when = "", `[ "$3" = 1 ] && [ "$1" != "$2" ] && `
	case "post-rewrite":
		const pairs = `printf '%s\n' "$pairs" | `
		read, feed, note = ` pairs=$(cat)`, pairs, pairs+`git-sage notes record --rewritten "$1"; `
	}
	body := strings.NewReplacer("NAME", name, "READ", read, "FEED", feed, "NOTE", note, "WHEN", when, "RUN", run).Replace(script)
	return "#!/bin/sh\n" + mark + sum(body) + "\n" + body
}

// ByHand is what to add to hooks that are not ours to write.
const ByHand = "git sage notes record; git sage index --background"

func sum(body string) string {
	h := sha256.Sum256([]byte(body))
	return hex.EncodeToString(h[:8])
}

// isOurs reports whether a hook was written by a version of git-sage, and edited whether it
// was changed since.
func isOurs(hook string) (ours, edited bool) {
	_, rest, ok := strings.Cut(hook, "\n"+mark)
	if !ok {
		return false, false
	}
	was, body, _ := strings.Cut(rest, "\n")
	return true, was != sum(body) || !strings.HasPrefix(hook, "#!/bin/sh\n"+mark)
}
