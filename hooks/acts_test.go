package hooks

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

// do is what the agent is told of a call of a tool before it runs.
func (k *chat) do(tool string, in map[string]string) string {
	k.t.Helper()
	return told(k.t, "PreToolUse", k.tell(PreToolUse, map[string]any{"tool_name": tool, "tool_input": in}))
}

func (k *chat) run(command string) string {
	return k.do("Bash", map[string]string{"command": command})
}

// fails is what it is told of a command that failed.
func (k *chat) fails(text string) string {
	k.t.Helper()
	return told(k.t, "PostToolUseFailure", k.tell(ToolFailure, map[string]any{"tool_name": "Bash", "tool_input": map[string]string{"command": "make"}, "error": "Exit code 1\n" + text}))
}

// told is what an answer puts in front of the agent. It holds nothing else: no decision, and
// nothing for the person.
func told(t testing.TB, event, out string) string {
	t.Helper()
	if out == "" {
		return ""
	}
	var a map[string]map[string]string
	if err := json.Unmarshal([]byte(out), &a); err != nil || len(a) != 1 || len(a["hookSpecificOutput"]) != 2 || a["hookSpecificOutput"]["hookEventName"] != event {
		t.Fatalf("%q (%v)", out, err)
	}
	return a["hookSpecificOutput"]["additionalContext"]
}

func (p *place) knowsOfActions() {
	for _, it := range []sage.Item{
		{ID: "pnpm-only", Type: sage.Knowledge, Content: "Running npm install makes a package-lock.json, which CI rejects: use pnpm.", Keywords: []string{"pnpm"}},
		{ID: "rates", Type: sage.Knowledge, Content: "The limits of partners are in config/ratelimits.yaml, and nowhere else."},
		{ID: "outbox", Type: sage.Knowledge, Content: "Publish events through the outbox alone.", Keywords: []string{"outbox"}},
		{ID: "pool", Type: sage.Failure, Approach: "A pool of 40 for each worker", WhyFailed: "sorry, too many clients already", Learned: "ask pgbouncer for 5"},
		{ID: "gone", Type: sage.Knowledge, Status: sage.Archived, Content: "Use terraform apply by hand."},
		{ID: "vendored", Type: sage.Knowledge, Content: "It is copied from upstream.", Scope: sage.Scope{Paths: []string{"third_party/zlib"}}},
	} {
		p.know(it)
	}
}

func TestTitlesForWhatTheAgentDoes(t *testing.T) {
	p := newPlace(t)
	p.knowsOfActions()
	for name, tt := range map[string]struct {
		say  func(*chat) string
		want string // id, "" for nothing
	}{
		"a command": {func(k *chat) string { return k.run("cd web && npm i -D vitest") }, "pnpm-only"},
		"a file": {func(k *chat) string {
			return k.do("Edit", map[string]string{"file_path": p.dir + "/config/ratelimits.yaml"})
		}, "rates"},
		"a new file": {func(k *chat) string {
			return k.do("Write", map[string]string{"file_path": p.dir + "/config/ratelimits.yaml"})
		}, "rates"},
		"a search":            {func(k *chat) string { return k.do("Grep", map[string]string{"pattern": `\boutbox\b`}) }, "outbox"},
		"a search by a shell": {func(k *chat) string { return k.run("rg -n 'config/ratelimits.yaml' . | head") }, "rates"},
		"a path of a command": {func(k *chat) string { return k.run("rm -rf third_party/zlib/test") }, "vendored"},
		"an error":            {func(k *chat) string { return k.fails("FATAL: sorry, too many clients already") }, "pool"},
		"what is put away":    {func(k *chat) string { return k.run("terraform apply") }, ""},
		"another command":     {func(k *chat) string { return k.run("npm test") }, ""},
		"another file":        {func(k *chat) string { return k.do("Edit", map[string]string{"file_path": p.dir + "/config/app.yaml"}) }, ""},
		"a file elsewhere": {func(k *chat) string {
			return k.do("Edit", map[string]string{"file_path": "/etc/config/ratelimits.yaml"})
		}, ""},
		"a file that is read": {func(k *chat) string {
			return k.do("Read", map[string]string{"file_path": p.dir + "/config/ratelimits.yaml"})
		}, ""},
		"another search":       {func(k *chat) string { return k.do("Grep", map[string]string{"pattern": "func main"}) }, ""},
		"another error":        {func(k *chat) string { return k.fails("error: pathspec 'x' did not match any file(s) known to git") }, ""},
		"who only looks":       {func(k *chat) string { return k.run("cat config/ratelimits.yaml") }, ""},
		"a tool of the server": {func(k *chat) string { return k.do("mcp__sage__sage_search", map[string]string{"pattern": "outbox"}) }, ""},
	} {
		k := p.chat(strings.ReplaceAll(name, " ", "-"))
		got := tt.say(k)
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) || len(got) > 300 {
			t.Errorf("%s brings %q, not %q", name, got, tt.want)
		}
		if again := tt.say(k); again != "" {
			t.Errorf("%s brings again %q", name, again)
		}
	}
	if got := p.chat("cure").fails("FATAL: sorry, too many clients already"); !strings.Contains(got, "pool: A pool of 40 for each worker → ask pgbouncer for 5") {
		t.Errorf("a failure without its cure: %q", got)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// What is known of a file is told before it is changed, and not again behind that.
func TestFilesThatAreKnownAreToldBeforeTheyChange(t *testing.T) {
	p := newPlace(t)
	p.know(sage.Item{ID: "rules", Type: sage.Knowledge, Content: "Login must never log.", Scope: sage.Scope{Paths: []string{"login"}}})
	k, file := p.chat("a"), filepath.Join(p.dir, "login", "auth.go")
	if got := k.do("Edit", map[string]string{"file_path": file}); !strings.Contains(got, "Known about login/auth.go: fact rules") {
		t.Errorf("%q", got)
	}
	if got := k.touch("Edit", file); got != "" {
		t.Errorf("again: %q", got)
	}
}

// A search in one file opens it; one in a folder, and one for names, do not.
func TestFilesThatAreKnownAreToldWhenTheyAreSearched(t *testing.T) {
	p := newPlace(t)
	p.know(sage.Item{ID: "rules", Type: sage.Knowledge, Content: "Login must never log.", Scope: sage.Scope{Paths: []string{"login"}}})
	file := p.write("login/auth.go", "package login\n")
	for name, tt := range map[string]struct {
		tool, path string
		told       bool
	}{
		"file": {"Grep", file, true}, "folder": {"Grep", filepath.Dir(file), false}, "nowhere": {"Grep", "", false},
		"gone": {"Grep", file + "x", false}, "elsewhere": {"Grep", filepath.Join(p.home, "auth.go"), false}, "names": {"Glob", filepath.Dir(file), false},
	} {
		k := p.chat(name)
		got := k.do(tt.tool, map[string]string{"pattern": "func main", "path": tt.path})
		if tt.told != strings.Contains(got, "Known about login/auth.go: fact rules") || !tt.told && got != "" {
			t.Errorf("%s: %q", name, got)
		}
		if again := k.touch("Read", file); tt.told != (again == "") {
			t.Errorf("%s: read behind it tells %q", name, again)
		}
	}
	if got := p.chat("here").do("Grep", map[string]string{"pattern": "func main", "path": "login/auth.go"}); !strings.Contains(got, "fact rules") {
		t.Errorf("from the folder of the session: %q", got)
	}
}

// What the session was given as a whole, or as a title, is not told for an action.
func TestTitlesOfWhatWasGiven(t *testing.T) {
	p := newPlace(t)
	p.knowsOfActions()
	k := p.chat("a")
	if _, text := p.ask("a", "may I use pnpm here?"); !strings.Contains(text, "package-lock.json") {
		t.Fatalf("%q", text)
	}
	if got := k.run("npm install vitest"); got != "" {
		t.Errorf("it was given: %q", got)
	}
	k.tell(SessionStart, map[string]any{"source": "compact"})
	if got := k.run("npm install vitest"); got == "" {
		t.Error("after a compaction it is not told")
	}
	p.settings = func() recall.Settings { return recall.Settings{NoContinuity: true} }
	if got := p.chat("off").run("npm install vitest"); got != "" {
		t.Errorf("switched off: %q", got)
	}
}

// What came from elsewhere is not told: there is no room to say so.
func TestTitlesOfOthers(t *testing.T) {
	theirs, p := newPlace(t), newPlace(t)
	theirs.knowsOfActions()
	p.git("fetch", "-q", theirs.dir, "+refs/sage/knowledge:refs/sage/knowledge")
	for _, of := range []*place{theirs, p} {
		got := of.chat("a").run("npm install x") + of.chat("a").run("rm -r third_party/zlib")
		if (got != "") != (of == theirs) {
			t.Errorf("of one's own %v: %q", of == theirs, got)
		}
	}
}
