package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/watch"
)

// top is the repository, from here.
var top = filepath.Join("..", "..", "..")

// docPages are the pages at the top and those in docs/, by their names from the top.
func docPages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.md", filepath.Join("docs", "*.md")} {
		names, err := filepath.Glob(filepath.Join(top, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no pages: %v", pattern, err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, err := filepath.Rel(top, name)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.ToSlash(rel)] = string(b)
		}
	}
	return all
}

// TestDocsAreShort: a page that nobody reads to its end says nothing.
func TestDocsAreShort(t *testing.T) {
	for name, text := range docPages(t) {
		most := 150
		if strings.HasPrefix(name, "docs/") || name == "ARCHITECTURE.md" {
			most = 200
		}
		if n := strings.Count(text, "\n"); n > most {
			t.Errorf("%s has %d lines, more than %d", name, n, most)
		}
	}
}

// TestDocsPlay plays the blocks of each page in their order, in a fresh repository with a
// remote: 'sh' is run as a script that must succeed, 'console' prompt by prompt, and what
// is printed must be what stands there ("..." is any number of lines). -update writes it.
// What cannot run here is marked 'sh elsewhere', and only checked for commands.
func TestDocsPlay(t *testing.T) {
	elsewhere := 0
	for name, text := range docPages(t) {
		elsewhere += strings.Count(text, "\n```sh elsewhere\n")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := newDocsWorld(t)
			for _, b := range blocks(text) {
				switch b.lang {
				case "sh":
					if out, err := root.run(b.text); err != nil {
						t.Errorf("%v\n%s\n%s", err, b.text, out)
					}
				case "console":
					text = strings.Replace(text, b.text, root.console(t, b.text), 1)
				case "sh elsewhere", "text", "go":
				default:
					t.Errorf("a block in %q: want sh, console, text, go, or 'sh elsewhere' for what cannot run here", b.lang)
				}
			}
			if *update {
				if err := os.WriteFile(filepath.Join(top, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if elsewhere > 8 {
		t.Errorf("%d blocks are not played: that is too many to trust them", elsewhere)
	}
}

// A docsWorld is a repository with a remote, and a home, for a page.
type docsWorld struct {
	dir string
	env []string
}

func newDocsWorld(t *testing.T) docsWorld {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"shop", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(root, "home")
	t.Cleanup(func() { // a watcher that a page started and did not stop
		_, _ = watch.Place{Home: filepath.Join(home, ".sage")}.Stop(t.Context())
	})
	w := docsWorld{filepath.Join(root, "shop"), []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CEILING_DIRECTORIES=" + root, "TZ=UTC", "LC_ALL=C", "EDITOR=true", "SAGE_TEST_CLOCK=2026-11-21T12:00:00Z",
	}}
	if out, err := w.run(docsBegin); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return w
}

// docsBegin makes the repository that every page begins with.
const docsBegin = `
git config --global init.defaultBranch main
git config --global user.name Ada
git config --global user.email ada@example.org
git init -q --bare ../origin.git
git init -q
git remote add origin ../origin.git
echo 'package main' >main.go
git add main.go
GIT_AUTHOR_DATE=2026-11-20T12:00:00Z GIT_COMMITTER_DATE=2026-11-20T12:00:00Z git commit -q -m 'Begin'
`

func (w docsWorld) run(script string) (string, error) {
	var out bytes.Buffer
	c := exec.Command("sh", "-e", "-c", script)
	c.Dir, c.Env, c.Stdout, c.Stderr = w.dir, w.env, &out, &out
	err := c.Run()
	return out.String(), err
}

// console plays a block and returns it with what was printed.
func (w docsWorld) console(t *testing.T, block string) string {
	t.Helper()
	var played strings.Builder
	for _, p := range prompts(block) {
		out, err := w.run(p.command)
		if err != nil {
			t.Errorf("%v\n%s\n%s", err, p.command, out)
		}
		if !printed(p.want, out) {
			if !*update {
				t.Errorf("$ %s\ngot:\n%s\nwant:\n%s", p.command, out, p.want)
			}
			p.want = out
		}
		played.WriteString(p.typed + p.want)
	}
	return played.String()
}

var docsID = regexp.MustCompile(`(?m)\b[0-9a-f]{8}([0-9a-f]{32})?\b|^ *[0-9]+%`)

// printed reports whether a page says what was printed: ids and scores are any, and a line
// of "..." is any number of lines.
func printed(want, got string) bool {
	want = regexp.QuoteMeta(docsID.ReplaceAllString(want, "<id>"))
	want = strings.ReplaceAll(want, `\.\.\.`+"\n", `(?s:.*\n)?`)
	return regexp.MustCompile(`^` + want + `$`).MatchString(docsID.ReplaceAllString(got, "<id>"))
}

// A prompt is a command of a console block, as it is typed and as a shell reads it, and
// what it prints.
type prompt struct{ typed, command, want string }

func prompts(block string) (list []prompt) {
	more := false // lines of the same command follow
	for line := range strings.Lines(block) {
		command, begins := strings.CutPrefix(line, "$ ")
		rest, goesOn := strings.CutPrefix(line, "> ")
		switch {
		case begins:
			list = append(list, prompt{typed: line, command: command})
			more = strings.HasSuffix(line, "\\\n")
		case len(list) == 0:
			list = append(list, prompt{want: line, command: "false # no prompt"})
		case more, goesOn && list[len(list)-1].want == "", line == ">\n":
			p := &list[len(list)-1]
			if p.typed += line; more {
				rest = line
			}
			p.command += strings.TrimPrefix(rest, ">\n") + map[bool]string{true: "\n"}[line == ">\n"]
			more = strings.HasSuffix(line, "\\\n")
		default:
			list[len(list)-1].want += line
		}
	}
	return list
}

var (
	inlineCode = regexp.MustCompile("`([^`\n]+(?:\n[^`\n]+)?)`")
	sageLine   = regexp.MustCompile(`(?:^|[\s(|;&'"])(?:git[ -]sage)((?:[ \n][^\s'"()|;&,]+)*)`)
	makeCall   = regexp.MustCompile(`(?:^|[\s(])make ((?:[a-z0-9-]+ ?)+)`)
	settingKey = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)+$`)
	linkTarget = regexp.MustCompile(`\]\(([^)#]*)(#[^)]*)?\)`)
)

// TestDocsNameWhatThereIs: commands and their options, settings, targets of make and files,
// wherever they stand in a page.
func TestDocsNameWhatThereIs(t *testing.T) {
	root := newRoot(apptest.New(t.TempDir()))
	targets, tests := makeTargets(t), testNames(t)
	named := 0
	for name, text := range docPages(t) {
		var code []string
		for _, b := range blocks(text) {
			code = append(code, strings.Split(strings.ReplaceAll(b.text, "\\\n", " "), "\n")...)
		}
		for _, m := range inlineCode.FindAllStringSubmatch(text, -1) {
			code = append(code, strings.ReplaceAll(m[1], "\n", " "))
		}
		for _, line := range code {
			line, _, _ = strings.Cut(line, " # ")
			for _, m := range sageLine.FindAllStringSubmatch(line, -1) {
				named++
				if why := wrongCommand(root, strings.Fields(m[1])); why != "" {
					t.Errorf("%s: %s: %s", name, strings.TrimSpace(m[0]), why)
				}
			}
			for _, m := range makeCall.FindAllStringSubmatch(line, -1) {
				for _, target := range strings.Fields(m[1]) {
					if !slices.Contains(targets, target) {
						t.Errorf("%s: make %s: no such target", name, target)
					}
				}
			}
			if why := wrongPath(line, tests); why != "" {
				t.Errorf("%s: %s: %s", name, line, why)
			}
			if key := line; settingKey.MatchString(key) && !knownKey(key) {
				t.Errorf("%s: %s: no such setting, tool or event", name, key)
			}
		}
		for _, m := range linkTarget.FindAllStringSubmatch(text, -1) {
			if m[1] == "" || strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(top, filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s: a link to %s: %v", name, m[1], err)
			}
		}
	}
	if named < 150 {
		t.Errorf("only %d commands are named", named)
	}
}

// wrongCommand says what is wrong with the words behind "git sage"; words in brackets and
// what comes behind them stand for something.
func wrongCommand(root *cobra.Command, words []string) string {
	for len(words) > 0 && (words[0] == "-C" || words[0] == "...") {
		words = words[min(2, len(words)):]
	}
	c, _, err := root.Find(words)
	if err != nil {
		return err.Error()
	}
	args := words
	for p := c; p.HasParent(); p = p.Parent() {
		args = args[1:]
	}
	if c.HasSubCommands() && c.Annotations["runs"] == "" && len(args) > 0 && !strings.HasPrefix(args[0], "-") && !strings.HasPrefix(args[0], "<") {
		return "it has no command " + args[0]
	}
	for _, word := range args {
		flag, _, _ := strings.Cut(word, "=")
		switch {
		case !strings.HasPrefix(flag, "-") || flag == "-" || flag == "--":
		case flag == "--help" || flag == "-h":
		case strings.HasPrefix(flag, "--"):
			if f := flag[2:]; c.Flags().Lookup(f) == nil && root.PersistentFlags().Lookup(f) == nil && root.Flags().Lookup(f) == nil {
				return "it has no option " + flag
			}
		case c.Flags().ShorthandLookup(flag[1:2]) == nil && root.PersistentFlags().ShorthandLookup(flag[1:2]) == nil:
			return "it has no option " + flag
		}
	}
	return ""
}

// TestDocsNotice: the check above finds what it is for.
func TestDocsNotice(t *testing.T) {
	root := newRoot(apptest.New(t.TempDir()))
	for line, right := range map[string]bool{
		"save --thesis x": true, "checkpoint restore --removed <id>": true, "log -n 1": true, "mcp": true,
		"fsck --set <line>=<id>": true, "--version": true, "": true, "remember --help": true,
		"sav": false, "checkpoint restor": false, "save --no-such": false, "log -Z": false, "knowledge <id>": true,
	} {
		if why := wrongCommand(root, strings.Fields(line)); (why == "") != right {
			t.Errorf("git sage %s: %q", line, why)
		}
	}
	for want, got := range map[string]string{
		"a\n...\nz\n": "a\nb\nc\nz\n", "[main 01234567] x\n": "[main 89abcdef] x\n", " 91%  x\n": " 77%  x\n",
	} {
		if !printed(want, got) || printed(want, got+"more\n") || printed(want, "") {
			t.Errorf("%q and %q", want, got)
		}
	}
}

// knownKey reports whether a name with underscores is a setting, a tool of the server, or a
// trigger of a checkpoint.
func knownKey(key string) bool {
	_, err := config.Lookup(key)
	return err == nil || strings.HasPrefix(key, "sage_") || slices.Contains(sage.Words("trigger"), key)
}

var (
	testName = regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w*$`)
	ownPath  = regexp.MustCompile(`^(cmd|docs|gitstore|hooks|mcp|plugin|prose|recall|testdata)/[\w./-]+$`)
)

// wrongPath says what is wrong with the name of a test or of a file of ours.
func wrongPath(code string, tests string) string {
	if testName.MatchString(code) && !strings.Contains(tests, "\nfunc "+code+"(") {
		return "no such test"
	}
	if ownPath.MatchString(code) {
		if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(code))); err != nil {
			return "no such file"
		}
	}
	return ""
}

// testNames are the lines of all tests in Go that begin a function.
func testNames(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for line := range strings.Lines(string(b)) {
			if strings.HasPrefix(line, "func ") {
				all.WriteString("\n" + line)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func makeTargets(t *testing.T) (list []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(top, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`).FindAllSubmatch(b, -1) {
		list = append(list, string(m[1]))
	}
	return list
}

// TestReadmeSetsUp: the two commands that set everything up, as CI runs them.
func TestReadmeSetsUp(t *testing.T) {
	text := docPages(t)["README.md"]
	for _, line := range []string{"    make install try ", "    make test "} {
		if strings.Count(text, "\n"+line) != 1 {
			t.Errorf("README does not have, once: %s", fmt.Sprintf("%q", line))
		}
	}
}
