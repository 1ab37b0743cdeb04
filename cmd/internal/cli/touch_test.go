package cli

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
)

// A touchCase is one call of a command in a repository full of the user's own
// things.
type touchCase struct {
	args   string // split at blanks
	stdin  string
	status int
	allow  []string // files that the command says it writes
}

// gitHooks are what 'git sage init --git-hooks' says it adds.
var gitHooks = []string{"repo/.git/hooks/post-checkout", "repo/.git/hooks/post-commit", "repo/.git/hooks/post-merge", "repo/.git/hooks/post-rewrite", "repo/.git/hooks/pre-push"}

// touchCases has every command of the tree: a new one without a case fails.
var touchCases = map[string][]touchCase{
	"git sage init": {
		{args: "init", allow: []string{"repo/.git/info/exclude"}},
		{args: "init --git-hooks", allow: append(gitHooks, "repo/.git/info/exclude")},
		{args: "init --claude", allow: []string{"repo/.git/info/exclude", "repo/.claude/settings.local.json", "home/.claude.json"}},
	},
	"git sage status":                   {{args: "status"}, {args: "status --json"}},
	"git sage ui":                       {{args: "ui --port 70000", status: 129}}, // package page has what it answers
	"git sage log":                      {{args: "log --graph --all"}, {args: "log --commits"}, {args: "log --json --show-signature -- auth.go"}},
	"git sage activity":                 {{args: "activity"}, {args: "activity --since yesterday --author nobody --json"}},
	"git sage show":                     {{args: "show main other"}, {args: "show --raw"}, {args: "show HEAD"}, {args: "show --conversation main", status: 128}},
	"git sage notes":                    {{args: "notes HEAD~1..HEAD"}, {args: "notes", status: 129}},
	"git sage notes trailer":            {{args: "notes trailer nosuch", status: 128}, {args: "notes trailer nosuch merge"}},
	"git sage notes record":             {{args: "notes record"}, {args: "notes record --rewritten amend", stdin: "not pairs\n"}},
	"git sage diff":                     {{args: "diff main other"}},
	"git sage branch":                   {{args: "branch"}, {args: "branch new main~1"}, {args: "branch -m other third"}, {args: "branch -d other"}},
	"git sage switch":                   {{args: "switch other"}, {args: "switch -c new main~1"}},
	"git sage merge":                    {{args: "merge other --thesis both"}, {args: "merge other", status: 1}},
	"git sage sync":                     {{args: "sync hub"}, {args: "sync --dry-run hub"}, {args: "sync --all", status: 128}},
	"git sage share":                    {{args: "share --yes hub"}, {args: "share --dry-run hub"}, {args: "share --none hub"}},
	"git sage fetch":                    {{args: "fetch hub"}},
	"git sage pull":                     {{args: "pull hub"}},
	"git sage push":                     {{args: "push hub", status: 128}},
	"git sage remote":                   {{args: "remote"}},
	"git sage remote list":              {{args: "remote list --json"}},
	"git sage remote show":              {{args: "remote show hub"}},
	"git sage remote add":               {{args: "remote add memory ../memory.git", allow: []string{"repo/.git/config"}}},
	"git sage remote set":               {{args: "remote set hub ../memory.git", allow: []string{"repo/.git/config"}}, {args: "remote set --push hub ../memory.git", allow: []string{"repo/.git/config"}}},
	"git sage remote rm":                {{args: "remote rm hub", allow: []string{"repo/.git/config"}}},
	"git sage remote keygen":            {{args: "remote keygen"}},
	"git sage remote recipients":        {{args: "remote recipients"}},
	"git sage remote recipients list":   {{args: "remote recipients list --json"}},
	"git sage remote recipients add":    {{args: "remote recipients add age1f7xxxgqllqv4a0ft6xdz5u3zyz8ylhgjwu3rxrmrlrpgzmcqhf9smyuh4v", status: 128}},
	"git sage remote recipients rm":     {{args: "remote recipients rm carl", status: 128}},
	"git sage remote recipients accept": {{args: "remote recipients accept --yes", status: 128}},
	"git sage tag":                      {{args: "tag"}, {args: "tag new"}, {args: "tag -d first"}},
	"git sage undo":                     {{args: "undo"}, {args: "undo --last"}, {args: "undo --last --json"}},
	"git sage rev-parse":                {{args: "rev-parse main~1"}},
	"git sage checkpoint save":          {{args: "checkpoint save -m thought -c 0.5"}, {args: "checkpoint save -F -", stdin: "thesis: from a file\n"}},
	"git sage save":                     {{args: "save -m thought"}},
	"git sage checkpoint edit":          {{args: "checkpoint edit main -m better"}},
	"git sage checkpoint list":          {{args: "checkpoint list -n 2"}},
	"git sage checkpoint show":          {{args: "checkpoint show first"}},
	"git sage checkpoint diff":          {{args: "checkpoint diff main other"}},
	"git sage index":                    {{args: "index"}, {args: "index --full --embed ."}, {args: "index --background", status: 128}, {args: "index --rev HEAD --no-embed"}},
	"git sage index status":             {{args: "index status"}},
	"git sage index gc":                 {{args: "index gc"}},
	"git sage search-code":              {{args: "search-code text", status: 1}},
	"git sage grep":                     {{args: "grep nosuch", status: 1}},
	"git sage outline":                  {{args: "outline .", status: 1}},
	"git sage analyze":                  {{args: "analyze nosuch", status: 1}},
	"git sage related":                  {{args: "related nosuch", status: 1}},
	"git sage search":                   {{args: "search third"}, {args: "search --json --line other elsewhere"}, {args: "search nothing-like-it"}},
	"git sage checkpoint search":        {{args: "checkpoint search --explain elsewhere"}},
	"git sage checkpoint restore":       {{args: "checkpoint restore first"}},
	"git sage checkpoint branch":        {{args: "checkpoint branch first --name new"}},
	"git sage checkpoint rm":            {{args: "checkpoint rm main"}},
	"git sage checkpoint prune":         {{args: "checkpoint prune --keep 1"}, {args: "checkpoint prune --keep 1 --dry-run"}},
	"git sage checkpoint export":        {{args: "checkpoint export main"}, {args: "checkpoint export ../out"}},
	"git sage export":                   {{args: "export main"}, {args: "export ../out"}},
	"git sage handoff":                  {{args: "handoff --to ada"}, {args: "handoff -m thought"}},
	"git sage templates list":           {{args: "templates list"}},
	"git sage templates show":           {{args: "templates show default"}},
	"git sage templates add":            {{args: "templates add -", stdin: "name: incident\n"}, {args: "templates add --user -", stdin: "name: incident\n"}},
	"git sage templates rm":             {{args: "templates rm incident", status: 128}},
	"git sage hooks install":            {{args: "hooks install", allow: []string{"home/.claude/settings.json"}}, {args: "hooks install --dry-run"}, {args: "hooks install --git --dry-run"}, {args: "hooks install --git", allow: gitHooks}},
	"git sage hooks uninstall":          {{args: "hooks uninstall"}, {args: "hooks uninstall --git"}},
	"git sage hooks status":             {{args: "hooks status", status: 1}},
	"git sage mcp":                      {{args: "mcp"}},
	"git sage mcp serve":                {{args: "mcp serve"}},
	"git sage mcp install":              {{args: "mcp install", allow: []string{"home/.claude.json"}}},
	"git sage mcp uninstall":            {{args: "mcp uninstall"}},
	"git sage mcp status":               {{args: "mcp status", status: 1}},
	"git sage agent-skills install": {
		{args: "agent-skills install sage-save", allow: []string{"home/.claude/skills/sage-save/SKILL.md"}},
		{args: "agent-skills install --project sage-save", allow: []string{"repo/.claude/skills/sage-save/SKILL.md"}},
		{args: "agent-skills install --dry-run"},
	},
	"git sage agent-skills list":        {{args: "agent-skills list"}},
	"git sage agent-skills show":        {{args: "agent-skills show sage-memory"}},
	"git sage agent-skills update":      {{args: "agent-skills update"}},
	"git sage agent-skills uninstall":   {{args: "agent-skills uninstall"}},
	"git sage continuity status":        {{args: "continuity status"}},
	"git sage continuity clear":         {{args: "continuity clear"}, {args: "continuity clear --force"}},
	"git sage continuity mark":          {{args: "continuity mark"}, {args: "continuity mark --session s --reason x"}},
	"git sage continuity inject":        {{args: "continuity inject", status: 1}},
	"git sage ask":                      {{args: "ask --dry-run third"}, {args: "ask third", status: 128}}, // this world has no model
	"git sage chat":                     {{args: "chat", status: 128}},                                     // likewise
	"git sage usage":                    {{args: "usage"}, {args: "usage --by day --json --global"}, {args: "usage --by hour", status: 129}},
	"git sage watcher start":            {{args: "watcher start", status: 128}}, // this app has no program to start
	"git sage watcher run":              {{args: "watcher run", status: 128}},   // likewise
	"git sage watcher stop":             {{args: "watcher stop"}},
	"git sage watcher status":           {{args: "watcher status", status: 1}, {args: "watcher status --json", status: 1}},
	"git sage watcher autostart":        {{args: "watcher autostart"}, {args: "watcher autostart --off"}, {args: "watcher autostart --project", allow: []string{"repo/.sage/tuning.yaml"}}},
	"git sage why":                      {{args: "why auth.go", status: 1}},
	"git sage blame":                    {{args: "blame auth.go"}},
	"git sage verify":                   {{args: "verify"}, {args: "verify --fix --all"}},
	"git sage fsck":                     {{args: "fsck"}, {args: "fsck --repair"}},
	"git sage doctor":                   {{args: "doctor"}},
	"git sage purge":                    {{args: "purge main~1 --yes"}, {args: "purge --match thought --dry-run"}, {args: "purge main", status: 128}, {args: "purge --finish --yes"}},
	"git sage admin maintenance":        {{args: "admin maintenance"}, {args: "admin maintenance --max-count 1"}, {args: "admin maintenance --dry-run --max-age-days 1"}},
	"git sage admin rebuild-embeddings": {{args: "admin rebuild-embeddings"}, {args: "admin rebuild-embeddings --missing"}},
	"git sage admin clear-cache":        {{args: "admin clear-cache"}},
	"git sage admin embedtest":          {{args: "admin embedtest", status: 128}}, // this app has no weights
	"git sage redact test":              {{args: "redact test -", stdin: "nothing secret\n"}},
	"git sage embed":                    {{args: "embed -", stdin: "text\n", status: 128}}, // this app has no weights
	"git sage model list":               {{args: "model list"}},
	"git sage model info":               {{args: "model info e5-small-v2", status: 128}},
	"git sage model use":                {{args: "model use none"}, {args: "model use mine", status: 128}},
	"git sage model calibrate":          {{args: "model calibrate mine", status: 128}},
	"git sage config list":              {{args: "config list"}},
	"git sage config get":               {{args: "config get recall_threshold"}, {args: "config get nosuch", status: 128}},
	"git sage config set":               {{args: "config set recall_threshold 0.5", allow: []string{"repo/.git/config"}}, {args: "config set --project recall_threshold 0.5", allow: []string{"repo/.sage/tuning.yaml"}}},
	"git sage config reset":             {{args: "config reset"}, {args: "config reset --project"}},
	"git sage completion":               {{args: "completion bash"}},
	"git sage hook":                     {{args: "hook session-start", stdin: `{"session_id":"s","source":"startup","hook_event_name":"SessionStart"}`}, {args: "hook pre-compact"}, {args: "hook post-compact", stdin: `{"session_id":"s","compact_summary":"<summary>It went well.</summary>"}`}, {args: "hook cwd-changed", stdin: `{"session_id":"s"}`}},
	"git sage help":                     {{args: "help checkpoint save"}},
	"git sage man":                      {{args: "man"}},
	"git sage version":                  {{args: "version"}},
	"git sage uninstall":                {{args: "uninstall"}, {args: "uninstall --dry-run"}, {args: "uninstall --yes"}, {args: "uninstall --yes --all"}},
}

// TestNothingOfTheUsersIsTouched runs every command and compares everything
// that is the user's, byte by byte: work tree, index, branches, stash, notes,
// hooks, config, reflogs and home.
// It is case F83.
func TestNothingOfTheUsersIsTouched(t *testing.T) {
	root := t.TempDir()
	prepareTouched(t, root)
	before := snapshot(t, root)
	for _, path := range runnable(newRoot(apptest.New(root))) {
		cases := touchCases[path]
		if len(cases) == 0 {
			t.Errorf("%s has no case here", path)
		}
		for _, tc := range cases {
			t.Run(tc.args, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
					t.Fatal(err)
				}
				out, status := runIn(dir, tc.stdin, strings.Fields(tc.args)...)
				if status != tc.status {
					t.Fatalf("status %d, want %d\n%s", status, tc.status, out)
				}
				after := snapshot(t, dir)
				want := maps.Clone(before)
				for _, file := range tc.allow {
					delete(want, file)
					delete(after, file)
				}
				if diff := cmp.Diff(want, after); diff != "" {
					t.Errorf("the user's things changed (-before +after):\n%s", diff)
				}
			})
		}
	}
}

// TestTouchCasesAreCommands catches a case whose command is gone.
func TestTouchCasesAreCommands(t *testing.T) {
	paths := runnable(newRoot(apptest.New(t.TempDir())))
	for path := range touchCases {
		if !slices.Contains(paths, path) {
			t.Errorf("no command '%s'", path)
		}
	}
}

// runnable are the paths of all commands that do something by themselves.
func runnable(c *cobra.Command) (paths []string) {
	for _, v := range c.Commands() {
		if v.Name() == "no-help" {
			continue
		}
		if !v.HasSubCommands() || hasOwnUse(v) {
			paths = append(paths, v.CommandPath())
		}
		paths = append(paths, runnable(v)...)
	}
	return paths
}

// runIn runs a command line there and returns what it printed on either stream.
func runIn(root, stdin string, args ...string) (string, int) {
	var out bytes.Buffer
	a := apptest.New(root)
	a.In, a.Out, a.Err = strings.NewReader(stdin), &out, &out
	status := run(a, args)
	return out.String(), status
}

// prepareTouched makes a repository with something of everything.
func prepareTouched(t *testing.T, root string) {
	t.Helper()
	for _, dir := range []string{"repo", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	sh(t, root, `
		git config --global user.name Ada
		git config --global user.email ada@example.org
		git init -q -b main
		echo one >auth.go; git add auth.go; git commit -q -m one
		git branch topic
		echo two >auth.go; git commit -q -a -m two
		git notes add -m noted
		echo stashed >auth.go; git stash -q
		echo staged >staged; git add staged
		echo three >auth.go; echo untracked >untracked
		echo '#!/bin/sh' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
		git config alias.x log
		git init -q --bare ../hub.git; git config remote.hub.url ../hub.git
		git status >/dev/null`)
	for _, line := range []string{
		"checkpoint save -m first", "tag first", "checkpoint save -m second",
		"switch -c other", "checkpoint save -m elsewhere", "switch main", "checkpoint save -m third --skill law",
		"knowledge add -m fact --id fact --keyword fact", "todo add chore", "note add goal -m ship", "skill new law -m cite", "core add auth.go",
	} {
		if out, status := runIn(root, "", strings.Fields(line)...); status != 0 {
			t.Fatalf("%s: status %d\n%s", line, status, out)
		}
	}
}

func sh(t *testing.T, root, script string) {
	t.Helper()
	a := apptest.New(root)
	c := exec.Command("sh", "-e", "-c", script)
	c.Dir, c.Env = a.Dir, a.Env
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// ours are the places where git-sage may write.
var ours = []string{
	"repo/.git/objects", "repo/.git/sage", "repo/.git/refs/sage", "repo/.git/logs/refs/sage",
	"repo/.git/refs/notes/sage", "repo/.sage/local", "home/.sage", "out", "hub.git",
}

// snapshot is the content of every file beneath root but ours, and every ref
// but ours, however git stores it.
func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if slices.Contains(ours, rel) && d.IsDir() {
			return filepath.SkipDir
		}
		if d.IsDir() || slices.Contains(ours, rel) {
			return nil
		}
		data, err := os.ReadFile(path)
		info, err2 := d.Info()
		if err != nil || err2 != nil {
			return fmt.Errorf("%v %v", err, err2)
		}
		files[rel] = fmt.Sprintf("%v %x", info.Mode(), sha256.Sum256(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	a := apptest.New(root)
	c := exec.Command("git", "for-each-ref", "--format=%(refname) %(objectname)")
	c.Dir, c.Env = a.Dir, a.Env
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		name, id, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(name, "refs/sage/") && name != "refs/notes/sage" {
			files["ref "+name] = id
		}
	}
	return files
}
