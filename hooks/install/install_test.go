package install

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

var update = flag.Bool("update", false, "write the golden files anew")

const bin = "/opt/bin/git-sage"

// newPlace is a machine of its own: a home folder and a project in it.
func newPlace(t testing.TB) Place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := Place{Home: filepath.Join(dir, "home"), Root: filepath.Join(dir, "repo"), Bin: bin, Records: filepath.Join(dir, "home", ".sage", "installs")}
	for _, d := range []string{p.Home, p.Root} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", filepath.Join(dir, "no programs")) // what is installed on this machine is not on it
	return p
}

func (p Place) mustPath(t testing.TB, part Part, s Scope) string {
	t.Helper()
	path, _, err := p.editor().File(part, s)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func put(t testing.TB, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o640); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func do(t testing.TB, f func(Part, Scope) (Result, error), part Part, s Scope) Result {
	t.Helper()
	r, err := f(part, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tree lists every file below dir with its content and mode.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			m[path] = "folder"
			return err
		}
		info, err := e.Info()
		m[path] = info.Mode().String() + " " + get(t, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// samples are settings as people and programs write them.
var samples = map[string]string{
	"empty":             "",
	"blank":             " \n\n",
	"bom":               "\ufeff",
	"object":            "{}",
	"object-nl":         "{}\n",
	"object-wide":       "{\n}\n",
	"object-spaces":     "{  }",
	"client":            "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\"\n    ]\n  }\n}",
	"tabs":              "{\n\t\"model\": \"opus\"\n}\n",
	"four":              "{\n    \"model\": \"opus\",\n    \"hooks\": {}\n}\n",
	"flat":              "{\n\"model\": \"opus\"\n}\n",
	"crlf":              "\ufeff{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"one-line":          `{"model": "opus", "hooks": {}}`,
	"tight":             `{"model":"opus","mcpServers":{},"hooks":{"SessionStart":[]}}`,
	"comments":          "// mine\n{\n  // the model\n  \"model\": \"opus\" // for now\n  /* end */\n}\n// bye",
	"trailing-comma":    "{\n  \"model\": \"opus\", // why not\n  \"hooks\": {\n    \"SessionStart\": [\n    ],\n  },\n}\n",
	"comment-in-empty":  "{ // nothing yet\n}\n",
	"comment-in-hooks":  "{\"hooks\": { /* none */ }}",
	"others":            "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"echo hi\"\n          }\n        ]\n      }\n    ],\n    \"Stop\": []\n  },\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
	"duplicate-keys":    "{\"hooks\": 1, \"hooks\": {\"PreCompact\": [ ]}}",
	"escapes":           "{\"h\\u006foks\": {\"SessionStart\\u0000\": []}, \"x\": \"\\ud800\"}\n",
	"comma-then-lines":  "{\"a\": 1,\n \"b\": 2}",
	"line-comment-last": "{\"a\": 1 // x\n}",
}

func eachPart(f func(part Part, s Scope)) {
	for _, part := range []Part{Hooks, MCP} {
		for _, s := range []Scope{User, Project, Local} {
			f(part, s)
		}
	}
}

// For every file, part and scope: installing twice is installing once, nothing
// but our entries is new, and uninstalling brings back bytes and mode.
// Case F82: uninstalling restores every byte.
func TestRoundTrip(t *testing.T) {
	for name, before := range samples {
		eachPart(func(part Part, s Scope) {
			t.Run(name+"/"+string(part)+"/"+string(s), func(t *testing.T) {
				p := newPlace(t)
				path := p.mustPath(t, part, s)
				put(t, path, before)
				want := tree(t, p.Root)
				wantHome := tree(t, p.Home)

				if r := do(t, p.Install, part, s); len(r.Changes) == 0 {
					t.Fatal("nothing was installed")
				}
				once := get(t, path)
				if r := do(t, p.Install, part, s); len(r.Changes) != 0 || get(t, path) != once {
					t.Errorf("the second time changed %q:\n%s", r.Changes, get(t, path))
				}
				if st := p.editor().State(part, s); !st.Installed || st.Err != nil || len(st.Stale) > 0 {
					t.Errorf("status %+v", st)
				}
				rest := once
				for i := range len(before) { // before must be in it, in order
					k := strings.IndexByte(rest, before[i])
					if k < 0 {
						t.Fatalf("bytes of before are gone:\n%s", once)
					}
					rest = rest[k+1:]
				}
				do(t, p.Uninstall, part, s)
				if diff := cmp.Diff(want, tree(t, p.Root)); diff != "" {
					t.Errorf("project (-before +after):\n%s", diff)
				}
				if diff := cmp.Diff(wantHome, tree(t, p.Home), ignoreSage(p)); diff != "" {
					t.Errorf("home (-before +after):\n%s", diff)
				}
			})
		})
	}
}

// ignoreSage leaves out the folder of ours that records lie in.
func ignoreSage(p Place) cmp.Option {
	return cmp.FilterPath(func(path cmp.Path) bool {
		k, ok := path.Last().(cmp.MapIndex)
		return ok && k.Key().String() == filepath.Join(p.Home, ".sage")
	}, cmp.Ignore())
}

// Without the record only what is empty by then can differ.
func TestWithoutRecord(t *testing.T) {
	for name, before := range samples {
		eachPart(func(part Part, s Scope) {
			p := newPlace(t)
			p.Records = ""
			path := p.mustPath(t, part, s)
			put(t, path, before)
			do(t, p.Install, part, s)
			do(t, p.Uninstall, part, s)
			d, err := draft.Read([]byte(get(t, path)), false)
			if err != nil || len(p.editor().All(d)) != 0 {
				t.Errorf("%s %s %s: %v\n%s", name, part, s, err, get(t, path))
			}
			if name == "client" || name == "crlf" || name == "tabs" {
				if s != Local && get(t, path) != before {
					t.Errorf("%s %s %s:\n%q, want\n%q", name, part, s, get(t, path), before)
				}
			}
		})
	}
}

func TestMissingFile(t *testing.T) {
	eachPart(func(part Part, s Scope) {
		p := newPlace(t)
		root, home := tree(t, p.Root), tree(t, p.Home)
		do(t, p.Install, part, s)
		path := p.mustPath(t, part, s)
		if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || (s == User && info.Mode().Perm() != 0o600)) {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
		do(t, p.Uninstall, part, s)
		if diff := cmp.Diff(root, tree(t, p.Root)); diff != "" {
			t.Errorf("%s %s (-before +after):\n%s", part, s, diff)
		}
		if diff := cmp.Diff(home, tree(t, p.Home), ignoreSage(p)); diff != "" {
			t.Errorf("%s %s (-before +after):\n%s", part, s, diff)
		}
		if r := do(t, p.Uninstall, part, s); len(r.Changes) != 0 {
			t.Errorf("uninstalled twice: %v", r)
		}
	})
}

// A file that we made stays once somebody else has written into it.
func TestMadeFileInUse(t *testing.T) {
	p := newPlace(t)
	path := p.mustPath(t, MCP, Project)
	do(t, p.Install, MCP, Project)
	put(t, path, strings.Replace(get(t, path), "{", "{\n  \"other\": 1,", 1))
	do(t, p.Uninstall, MCP, Project)
	if diff := cmp.Diff("{\n  \"other\": 1\n}\n", get(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Others write the file between install and uninstall: theirs stays, ours goes,
// the layout from before is back.
func TestOthersWriteBetween(t *testing.T) {
	for name, before := range map[string]string{"client": samples["client"], "tabs": samples["tabs"], "four": samples["four"]} {
		p := newPlace(t)
		path := p.mustPath(t, Hooks, User)
		put(t, path, before)
		do(t, p.Install, Hooks, User)
		put(t, path, strings.Replace(get(t, path), "opus", "haiku", 1))
		do(t, p.Uninstall, Hooks, User)
		if diff := cmp.Diff(strings.Replace(before, "opus", "haiku", 1), get(t, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// All servers of one file, installed and removed in turn.
func TestThreeInOneFile(t *testing.T) {
	for _, before := range []string{"", "{}", "{ }", samples["client"], samples["tight"]} {
		p := newPlace(t)
		q := p
		q.Root = filepath.Join(filepath.Dir(p.Root), "second")
		if err := os.Mkdir(q.Root, 0o755); err != nil {
			t.Fatal(err)
		}
		path := p.mustPath(t, MCP, User)
		put(t, path, before)
		do(t, p.Install, MCP, User)
		do(t, p.Install, MCP, Local)
		do(t, q.Install, MCP, Local)
		do(t, p.Uninstall, MCP, User)
		if st := q.editor().State(MCP, Local); !st.Installed {
			t.Errorf("one removed, another is gone:\n%s", get(t, path))
		}
		do(t, q.Uninstall, MCP, Local)
		do(t, p.Uninstall, MCP, Local)
		if got := get(t, path); got != before {
			t.Errorf("%q, want %q", got, before)
		}
	}
}

// A binary elsewhere: the entries are mended in place, and their owner's own
// changes to them stay.
func TestStale(t *testing.T) {
	eachPart(func(part Part, s Scope) {
		if s == Project {
			return // has no path in it
		}
		p := newPlace(t)
		path := p.mustPath(t, part, s)
		put(t, path, samples["client"])
		do(t, p.Install, part, s)
		first := get(t, path)
		q := p
		q.Bin = "/usr/local/bin/git-sage"
		if st := q.editor().State(part, s); len(st.Stale) != 1 || st.Stale[0] != bin {
			t.Errorf("status before: %+v", st)
		}
		r := do(t, q.Install, part, s)
		if want := strings.ReplaceAll(first, bin, q.Bin); get(t, path) != want {
			t.Errorf("%s %s:\n%s\nwant\n%s", part, s, get(t, path), want)
		}
		if len(r.Changes) == 0 || !strings.Contains(r.Changes[0], "instead of '"+bin+"'") {
			t.Errorf("changes %q", r.Changes)
		}
		do(t, q.Uninstall, part, s)
		if got := get(t, path); got != samples["client"] {
			t.Errorf("uninstalled: %q", got)
		}
	})
}

// besideEvents is what is added for all events but some.
func besideEvents(but ...string) (text string) {
	for _, e := range entry.Events(false) {
		if slices.Contains(but, e.Name) {
			continue
		}
		matcher := ""
		if e.Matcher != "" {
			matcher = fmt.Sprintf("        \"matcher\": %q,\n", e.Matcher)
		}
		text += fmt.Sprintf(",\n    %q: [\n      {\n%s        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/opt/bin/git-sage\",\n"+
			"            \"args\": [\n              \"hook\",\n              %q\n            ],\n            \"timeout\": %d\n          }\n        ]\n      }\n    ]", e.Name, matcher, e.Arg, e.Timeout)
	}
	return text
}

// Case F82: what people wrote beside ours stays.
func TestByHand(t *testing.T) {
	const before = `{
  "hooks": {
    "SessionStart": [
      {
        "matcher": "startup",
        "hooks": [
          { "type": "command", "command": "echo hi" },
          { "type": "command", "command": "/old/git-sage", "args": ["hook", "session-start"], "timeout": 3 },
          { "type": "command", "command": "\"/old er/git-sage\" hook session-start" }
        ]
      }
    ],
    "PreCompact": [ { "hooks": [ { "type": "command", "command": "git-sage hook pre-compact" } ] } ]
  }
}
`
	p := newPlace(t)
	path := p.mustPath(t, Hooks, User)
	put(t, path, before)
	do(t, p.Install, Hooks, User)
	want := strings.NewReplacer(
		`"/old/git-sage"`, `"/opt/bin/git-sage"`,
		`"timeout": 3 },
          { "type": "command", "command": "\"/old er/git-sage\" hook session-start" }`, `"timeout": 3 }`,
		`{ "type": "command", "command": "git-sage hook pre-compact" }`, `{"type": "command", "command": "/opt/bin/git-sage", "args": ["hook", "pre-compact"], "timeout": 10}`,
		"} ]\n  }", "} ]"+besideEvents("SessionStart", "PreCompact")+"\n  }",
	).Replace(before)
	if diff := cmp.Diff(want, get(t, path)); diff != "" {
		t.Errorf("installed (-want +got):\n%s", diff)
	}
	do(t, p.Uninstall, Hooks, User)
	if diff := cmp.Diff(before, get(t, path)); diff != "" {
		t.Errorf("uninstalled (-want +got):\n%s", diff)
	}
}

// TestTypedCompaction: hooks of an older install, which were called for every compaction,
// are called for the client's own alone; where autosave is ask the one before it is called
// for all, and the plugin's own keeps silent beside it.
func TestTypedCompaction(t *testing.T) {
	p := newPlace(t)
	p.runs(t)
	path := p.mustPath(t, Hooks, User)
	do(t, p.Install, Hooks, User)
	own := get(t, path)
	old := strings.ReplaceAll(own, "        \"matcher\": \"auto\",\n", "")
	if old == own {
		t.Fatalf("no matcher in\n%s", own)
	}
	put(t, path, old)
	r := do(t, p.Install, Hooks, User)
	if want := []string{"hook PreCompact is not called for a /compact that you type", "hook PostCompact is not called for a /compact that you type"}; !slices.Equal(r.Changes, want) {
		t.Errorf("mended an older one: %q", r.Changes)
	}
	matcher := func(event string) string {
		d := p.editor().ReadFile(path)
		return d.Root.Get("hooks").Get(event).Items[0].Value.Get("matcher").Text(d.Src)
	}
	if matcher("PreCompact") != "auto" || matcher("PostCompact") != "auto" {
		t.Errorf("mended:\n%s", get(t, path))
	}
	if p.Lags(User) {
		t.Error("it lags behind nothing")
	}
	if p.Typed = true; !p.Lags(User) {
		t.Error("it follows before it is installed")
	}
	if r := do(t, p.Install, Hooks, User); len(r.Changes) != 1 || matcher("PreCompact") != "auto|manual" || matcher("PostCompact") != "auto" {
		t.Errorf("%q:\n%s", r.Changes, get(t, path))
	}
	if !p.Hooked("pre-compact") {
		t.Error("the plugin's is called, too")
	}
	if r := do(t, p.Install, Hooks, User); len(r.Changes) != 0 {
		t.Errorf("again: %q", r.Changes)
	}
	do(t, p.Uninstall, Hooks, User)
	if tree(t, p.Home)[path] != "" {
		t.Errorf("left:\n%s", get(t, path))
	}
}

// Case F82: a file that cannot be understood is not written.
func TestRefuses(t *testing.T) {
	tests := []struct {
		name, before, want string
		part               Part
	}{
		{"cut", "{\n  \"a\": [1, 2\n", "line 3, column 1: ',' or ']' expected", Hooks},
		{"bare", "{a: 1}", "line 1, column 2: a name in double quotes expected", Hooks},
		{"after", "{} {}", "line 1, column 4: text after the object", Hooks},
		{"list", "[]", "an object must begin here", Hooks},
		{"nul", "\x00", "an object must begin here", Hooks},
		{"comment", "{ /* }", "a comment without an end", Hooks},
		{"text", "{\"a\": \"b\n\"}", "a text without an end", Hooks},
		{"escape", `{"a": "\x"}`, "a text with a bad escape", Hooks},
		{"number", `{"a": 01}`, "line 1, column 7: a value expected", Hooks},
		{"two commas", `{"a": 1,, "b": 2}`, "a name in double quotes expected", Hooks},
		{"deep", `{"a": ` + strings.Repeat("[", 600), "nested too deep", Hooks},
		{"hooks is a list", `{"hooks": []}`, "'hooks' is not an object", Hooks},
		{"hooks is null", `{"hooks": null}`, "'hooks' is not an object", Hooks},
		{"event is an object", `{"hooks": {"PreCompact": {}}}`, "'hooks.PreCompact' is not a list", Hooks},
		{"taken", `{"mcpServers": {"sage": {"command": "py\u001bthon", "args": ["-m", "sage.mcp_server"]}}}`, `a server 'sage' exists already and runs 'py\x1bthon'`, MCP},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			path := p.mustPath(t, tt.part, User)
			put(t, path, tt.before)
			before := tree(t, p.Home)
			_, err := p.Install(tt.part, User)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if diff := cmp.Diff(before, tree(t, p.Home)); diff != "" {
				t.Errorf("written (-before +after):\n%s", diff)
			}
		})
	}
}

// Case F82: nothing is written through a project's link.
func TestLinks(t *testing.T) {
	p := newPlace(t)
	real := filepath.Join(p.Home, "dotfiles", "settings.json")
	put(t, real, "{}\n")
	for _, s := range []Scope{User, Project} {
		path := p.mustPath(t, Hooks, s)
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(real, path); err != nil {
			t.Skip(err)
		}
	}
	if _, err := p.Install(Hooks, Project); err == nil || !strings.Contains(err.Error(), real) {
		t.Errorf("a project's link: %v", err)
	}
	do(t, p.Install, Hooks, User)
	if info, err := os.Lstat(p.mustPath(t, Hooks, User)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the user's link is gone")
	}
	if !strings.Contains(get(t, real), bin) {
		t.Error("the link's target was not written")
	}
	do(t, p.Uninstall, Hooks, User)
	if got := get(t, real); got != "{}\n" {
		t.Errorf("%q", got)
	}

	q := newPlace(t)
	if err := os.Symlink(t.TempDir(), filepath.Join(q.Root, ".claude")); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Install(Hooks, Local); err == nil {
		t.Error("a project's linked folder is written through")
	}
	if err := os.Symlink("/nowhere/at/all", q.mustPath(t, MCP, User)); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Install(MCP, User); err == nil || !strings.Contains(err.Error(), "leads nowhere") {
		t.Errorf("a link that leads nowhere: %v", err)
	}
}

func TestBusy(t *testing.T) {
	p := newPlace(t)
	path := p.mustPath(t, MCP, User)
	put(t, path, "{}")
	n := 0
	_, err := p.editor().Change(MCP, User, func(d *draft.Draft, r *Result) error {
		if n++; n < 3 {
			put(t, path, "{\"n\": "+strings.Repeat("1", n)+"}")
		}
		return p.editor().InstallServer(d, r, bin, []string{"mcpServers"}, entry.ServerEntry(bin))
	})
	if err != nil || n != 3 {
		t.Errorf("%d tries: %v", n, err)
	}
	if got := get(t, path); !strings.Contains(got, `"n": 11`) || !strings.Contains(got, bin) {
		t.Errorf("lost: %s", got)
	}
	put(t, path, "{}")
	_, err = p.editor().Change(MCP, User, func(d *draft.Draft, r *Result) error {
		n++
		put(t, path, "{\"n\": "+strings.Repeat("1", n)+"}")
		return p.editor().InstallServer(d, r, bin, []string{"mcpServers"}, entry.ServerEntry(bin))
	})
	if !errors.Is(err, disk.ErrBusy) {
		t.Errorf("always written: %v", err)
	}
}

func TestDryRun(t *testing.T) {
	p := newPlace(t)
	p.DryRun = true
	before := tree(t, filepath.Dir(p.Home))
	if r := do(t, p.Install, Hooks, Project); len(r.Changes) != len(entry.Events(false)) || len(r.Notes) != 1 {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(before, tree(t, filepath.Dir(p.Home))); diff != "" {
		t.Errorf("written (-before +after):\n%s", diff)
	}
}

func TestScopes(t *testing.T) {
	for _, s := range []string{"user", "project", "local"} {
		if got, err := ParseScope(s); err != nil || string(got) != s {
			t.Errorf("%s: %v %v", s, got, err)
		}
	}
	for _, s := range []string{"", "User", "global"} {
		if _, err := ParseScope(s); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
	p := newPlace(t)
	p.Root = ""
	if _, err := p.Install(Hooks, Local); !errors.Is(err, place.ErrNoProject) {
		t.Errorf("outside of a project: %v", err)
	}
	p.Bin = "git-sage"
	if _, err := p.Install(Hooks, User); err == nil {
		t.Error("a relative path is taken")
	}
	p.ConfigDir = filepath.Join(p.Home, "cfg")
	if a, b := p.mustPath(t, Hooks, User), p.mustPath(t, MCP, User); filepath.Dir(a) != p.ConfigDir || filepath.Dir(b) != p.ConfigDir {
		t.Errorf("CLAUDE_CONFIG_DIR: %s %s", a, b)
	}
}

func TestStatus(t *testing.T) {
	p := newPlace(t)
	p.Bin = filepath.Join(p.Home, "git-sage")
	put(t, p.Bin, "x")
	put(t, p.mustPath(t, Hooks, Local), "{oops")
	put(t, p.mustPath(t, Hooks, User), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bash ~/.claude/hooks/sage/pre-compact.sh"}]}]}}`)
	do(t, p.Install, MCP, User)
	got := map[string]State{}
	for _, s := range p.Status() {
		got[string(s.Part)+" "+string(s.Scope)] = s
	}
	if s := got["mcp user"]; !s.Installed || len(s.Missing)+len(s.Stale) > 0 {
		t.Errorf("mcp user: %+v", s)
	}
	if s := got["hooks user"]; s.Installed || len(s.Others) != 1 {
		t.Errorf("hooks user: %+v", s)
	}
	if s := got["hooks local"]; s.Err == nil {
		t.Errorf("hooks local: %+v", s)
	}
	if err := os.Remove(p.Bin); err != nil {
		t.Fatal(err)
	}
	if s := p.editor().State(MCP, User); len(s.Missing) != 1 {
		t.Errorf("the program is gone: %+v", s)
	}
	p.Root = ""
	if n := len(p.Status()); n != 2 {
		t.Errorf("outside of a project: %d states", n)
	}
}

// What is written, for people to look at.
func TestGolden(t *testing.T) {
	for _, name := range []string{"empty", "client", "tabs", "tight", "comments", "trailing-comma", "others"} {
		for _, part := range []Part{Hooks, MCP} {
			p := newPlace(t)
			path := p.mustPath(t, part, User)
			put(t, path, samples[name])
			do(t, p.Install, part, User)
			golden := filepath.Join("testdata", name+"."+string(part)+".golden")
			got := get(t, path)
			if *update {
				put(t, golden, got)
			}
			if diff := cmp.Diff(get(t, golden), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", golden, diff)
			}
		}
	}
}

// Whatever the file: refused and untouched, or installed once, valid, and
// taken out again to the same bytes.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	for _, s := range written {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, hooks bool) {
		part, s := MCP, Local
		if hooks {
			part, s = Hooks, User
		}
		p := newPlace(t)
		path := p.mustPath(t, part, s)
		put(t, path, string(data))
		owners, err := draft.Read(data, false)
		clean := err == nil && len(p.editor().All(owners)) == len(mend.ByHand(owners, p.editor().All(owners)))
		if _, err := p.Install(part, s); err != nil {
			if get(t, path) != string(data) {
				t.Fatalf("refused (%v), and yet written", err)
			}
			return
		}
		once := get(t, path)
		if r := do(t, p.Install, part, s); len(r.Changes) != 0 || get(t, path) != once {
			t.Fatalf("the second time changed %q", r.Changes)
		}
		do(t, p.Uninstall, part, s)
		if got := get(t, path); clean && got != string(data) {
			t.Fatalf("%q, want %q, was %q", got, data, once)
		}
		// The same without the record: valid, and nothing of ours in it.
		p.Records = ""
		put(t, path, once)
		do(t, p.Uninstall, part, s)
		d, err := draft.Read([]byte(get(t, path)), false)
		if err != nil || len(p.editor().Sites(d, part, s)) != 0 {
			t.Fatalf("%v: %q, was %q", err, get(t, path), once)
		}
	})
}

// TestOlderFileHook: the hook behind tools was once called for files that are changed, too,
// which the one ahead of them is called for now.
func TestOlderFileHook(t *testing.T) {
	p := newPlace(t)
	path := p.mustPath(t, Hooks, User)
	do(t, p.Install, Hooks, User)
	whole := get(t, path)
	older := strings.Replace(whole, `"matcher": "`+entry.Reading+`"`, `"matcher": "`+entry.Touching+`"`, 1)
	put(t, path, older)
	if older == whole || len(p.editor().State(Hooks, User).Lacks) > 0 {
		t.Fatalf("no older install: %s", older)
	}
	want := []string{"hook PostToolUse leaves changed files to PreToolUse"}
	if r := do(t, p.Install, Hooks, User); !slices.Equal(r.Changes, want) || get(t, path) != whole {
		t.Errorf("%q, %s", r.Changes, get(t, path))
	}
	if r := do(t, p.Install, Hooks, User); len(r.Changes) != 0 {
		t.Errorf("again: %q", r.Changes)
	}
}

// TestOlderInstall: what was installed before there were other events gets those, and
// nothing twice.
func TestOlderInstall(t *testing.T) {
	p := newPlace(t)
	path := p.mustPath(t, Hooks, User)
	do(t, p.Install, Hooks, User)
	whole := get(t, path)
	for _, e := range entry.Events(false)[1:] {
		part := strings.Replace(whole, `"`+e.Name+`"`, `"Notification"`, 1)
		part = strings.ReplaceAll(part, `"hook",
              "`+e.Arg+`"`, `"other"`)
		put(t, path, part)
		if st := p.editor().State(Hooks, User); st.Installed || len(st.Lacks) != 1 || st.Lacks[0] != e.Name {
			t.Errorf("without %s: %+v", e.Name, st)
		}
		if r := do(t, p.Install, Hooks, User); len(r.Changes) != 1 || r.Changes[0] != "added hook "+e.Name {
			t.Errorf("without %s: %q", e.Name, r.Changes)
		}
		if st := p.editor().State(Hooks, User); !st.Installed {
			t.Errorf("with %s: %+v", e.Name, st)
		}
	}
	if r := do(t, p.Install, Hooks, User); len(r.Changes) != 0 {
		t.Errorf("again: %q", r.Changes)
	}
}
