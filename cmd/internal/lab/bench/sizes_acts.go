package main

import (
	"fmt"
	"strconv"
)

// allSizes are what may become much, and what of each is enough.
var allSizes = []size{
	{"checkpoint of 1 MB", 1 << 20, bulky, bulkyDeeds},
	{"line of 50,000", 50_000, long, commonDeeds},
	{"1,000 lines", 1000, wide, wideDeeds},
	{"100,000 items", 100_000, knowing, commonDeeds},
	{"2,000,000 objects", 2_000_000, crowded, commonDeeds},
}

func just(args ...string) func(int) []string { return func(int) []string { return args } }

func git(args ...string) []string { return append([]string{"git"}, args...) }

// listing is what a list needs of git: the messages.
func listing(args ...string) []string {
	return append(git("log", "--no-decorate", "--format=%H %P %an %ae %at %ct %B"), args...)
}

// texts is what reading all of ours takes: a list of it, and what is in it.
var texts = []string{"sh", "-c", "git rev-list --objects --no-object-names --glob='refs/sage/*' | git cat-file --batch --buffer"}

// commits is the same without files.
var commits = []string{"sh", "-c", "git rev-list --glob='refs/sage/*' | git cat-file --batch --buffer"}

// newest is the same of the newest.
var newest = []string{"sh", "-c", "git rev-list --objects --no-object-names --max-count=1000 --glob='refs/sage/*' | git cat-file --batch --buffer"}

// refs is what a list of lines needs: each with the message of its newest.
var refs = git("for-each-ref", "--format=%(objectname) %(refname) %(committerdate:unix) %(contents)", "refs/sage/")

// ours are all refs of ours, for git log and rev-list.
const ours = "--glob=refs/sage/*"

const mainRef = "refs/sage/heads/main"

// commonDeeds are the commands that everybody uses, the common ones first.
func commonDeeds(w *world, dir string) []deed {
	return []deed{
		{name: "save", args: func(i int) []string {
			return []string{"checkpoint", "save", "-q", "-m", fmt.Sprintf("thesis %d holds", i)}
		}},
		{name: "status", args: just("status")},
		{name: "session-start", args: just("hook", "session-start"), in: func(dir string) string {
			return fmt.Sprintf(`{"hook_event_name":"SessionStart","source":"startup","session_id":"bench","cwd":%q}`, dir)
		}, git: [][]string{refs}},
		{name: "pre-compact", args: just("hook", "pre-compact"), in: func(dir string) string {
			return fmt.Sprintf(`{"hook_event_name":"PreCompact","session_id":"bench","cwd":%q}`, dir)
		}},
		{name: "post-compact", args: just("hook", "post-compact"), in: func(dir string) string {
			return fmt.Sprintf(`{"hook_event_name":"PostCompact","session_id":"bench","cwd":%q,"compact_summary":"<summary>It holds.</summary>"}`, dir)
		}},
		{name: "cwd-changed", args: just("hook", "cwd-changed"), in: func(dir string) string {
			return fmt.Sprintf(`{"hook_event_name":"CwdChanged","session_id":"bench","cwd":%q}`, dir)
		}},
		{name: "continuity mark, or inject", args: func(i int) []string {
			return []string{"continuity", []string{"mark", "inject"}[i%2]}
		}},
		{name: "log -n 20", args: just("log", "-n", "20"), git: [][]string{listing("-n", "20", mainRef)}},
		{name: "log -n 20 --all", args: just("log", "-n", "20", "--all"), git: [][]string{listing("-n", "20", mainRef)}},
		{name: "log --graph -n 20", args: just("log", "--graph", "-n", "20"), git: [][]string{git("log", "--graph", "--format=%H", "-n", "20", mainRef)}},
		{name: "log --grep", all: true, args: just("log", "--grep", "Finding 0000042"), git: [][]string{listing(mainRef)}},
		{name: "list, all of it", args: just("checkpoint", "list"), git: [][]string{listing(mainRef)}},
		{name: "list --json, all of it", args: just("checkpoint", "list", "--json"), git: [][]string{listing(mainRef)}},
		{name: "show @", args: just("show", "@")},
		{name: "show, old, by prefix", args: just("show", w.old(dir)[:12])},
		{name: "rev-parse main~100", args: just("rev-parse", w.back(dir)), git: [][]string{git("rev-parse", mainRef)}},
		{name: "rev-parse main@{1}", args: just("rev-parse", "main@{1}")},
		{name: "diff with an old one", args: just("diff", w.old(dir), "@")},
		{name: "export @", args: just("export", "-o", "-", "@")},
		{name: "branch", args: just("branch"), git: [][]string{refs}},
		{name: "branch -v", args: just("branch", "-v"), git: [][]string{refs}},
		{name: "branch <new>", args: func(i int) []string { return []string{"branch", fmt.Sprintf("new-%d", i)} }},
		{name: "branch -m", args: func(i int) []string {
			return []string{"branch", "-m", fmt.Sprintf("new-%d", i), fmt.Sprintf("named-%d", i)}
		}},
		{name: "branch -d", args: func(i int) []string { return []string{"branch", "-d", fmt.Sprintf("named-%d", i)} }},
		{name: "switch", args: func(i int) []string { return []string{"switch", "-c", fmt.Sprintf("other-%d", i)} }},
		{name: "save, on another line", args: func(i int) []string {
			return []string{"checkpoint", "save", "-q", "--line", "other-0", "-m", fmt.Sprintf("other %d holds", i)}
		}},
		{name: "switch back", args: just("switch", "main")},
		{name: "merge", args: func(i int) []string {
			return []string{"merge", "other-0", "-m", fmt.Sprintf("both hold %d", i)}
		}},
		{name: "tag", args: func(i int) []string { return []string{"tag", fmt.Sprintf("t-%d", i)} }},
		{name: "tag --list", args: just("tag")},
		{name: "rm, or restore --removed", args: func(i int) []string {
			if i%2 == 0 {
				return []string{"checkpoint", "rm", "-q", w.old(dir)}
			}
			return []string{"checkpoint", "restore", "--removed", w.old(dir)}
		}},
		{name: "log -n 20, behind that", args: just("log", "-n", "20"), git: [][]string{listing("-n", "20", mainRef)}},
		{name: "prune --dry-run", all: true, args: just("checkpoint", "prune", "--keep", "100", "--dry-run"), git: [][]string{listing(ours)}},
		{name: "templates list", args: just("templates", "list")},
		{name: "config list", args: just("config", "list")},
		{name: "merge --fetched", args: just("merge", "--fetched")},
		{name: "purge --dry-run <id>", all: true, args: just("purge", "--dry-run", w.old(dir)), git: [][]string{commits}},
		{name: "purge --dry-run --match", all: true, args: just("purge", "--dry-run", "--match", "nowhere to be found"), git: [][]string{git("rev-list", "--objects", "--all", "--reflog", "--indexed-objects"), git("cat-file", "--batch-check", "--batch-all-objects", "--unordered"), texts}},
		{name: "fsck", all: true, args: just("fsck"), git: [][]string{git("fsck", "--full", "--no-dangling"), texts}},
		{name: "doctor", all: true, args: just("doctor"), git: [][]string{refs, newest}},
		{name: "maintenance", all: true, args: just("admin", "maintenance"), git: [][]string{git("rev-list", "--objects", ours), listing(ours)}},
	}
}

// wideDeeds are those, from a line among others.
func wideDeeds(w *world, dir string) []deed { return commonDeeds(w, dir) }

// bulkyDeeds are those that read or write a whole checkpoint.
func bulkyDeeds(w *world, dir string) []deed {
	n := 1 << 20
	if small, _ := w.git(dir, "", "cat-file", "-s", mainRef+":checkpoint.md"); len(small) < 6 {
		n /= 100
	}
	return []deed{
		{name: "save", args: just("checkpoint", "save", "-q", "-F", "-"), in: func(string) string { return large(n, 7) }},
		{name: "status", args: just("status")},
		{name: "log -n 20", args: just("log", "-n", "20")},
		{name: "show @", args: just("show", "@")},
		{name: "diff", args: just("diff", "@~1", "@")},
		{name: "export md", args: just("export", "-o", "-", "@")},
		{name: "export json", args: just("export", "--format", "json", "-o", "-", "@")},
		{name: "export html", args: just("export", "--format", "html", "-o", "-", "@")},
		{name: "restore", args: just("checkpoint", "restore", "@")},
		{name: "session-start", args: just("hook", "session-start"), in: func(dir string) string {
			return fmt.Sprintf(`{"hook_event_name":"SessionStart","source":"startup","session_id":"bench","cwd":%q}`, dir)
		}},
		{name: "merge", args: just("merge", "-m", "x", "main")},
		{name: "fsck", all: true, args: just("fsck"), git: [][]string{git("fsck", "--full", "--no-dangling"), texts}},
		{name: "maintenance", all: true, args: just("admin", "maintenance"), git: [][]string{git("rev-list", "--objects", ours), listing(ours)}},
	}
}

// back is the hundredth checkpoint before the tip, or the first.
func (w *world) back(dir string) string {
	n, err := w.git(dir, "", "rev-list", "--count", "--max-count=101", mainRef)
	if err != nil && w.err == nil {
		w.err = err
	}
	count, _ := strconv.Atoi(n)
	return fmt.Sprintf("main~%d", count-1)
}

// old is a checkpoint of long ago.
func (w *world) old(dir string) string {
	id, err := w.git(dir, "", "rev-list", "--reverse", "--max-parents=0", mainRef)
	if err != nil && w.err == nil {
		w.err = err
	}
	if len(id) < 40 {
		return "0123456789ab"
	}
	return id[:40]
}
