package install

import (
	"strings"
	"testing"
)

const (
	oldHooks = `{
  // mine
  "model": "opus",
  "hooks": {
    "PreCompact": [{"hooks": [{"type": "command", "command": "~/.claude/hooks/pre-compact.sh"}]}],
    "Stop": [
      {"hooks": [{"type": "command", "command": "~/.claude/hooks/post-response-context-check.sh"}]},
      {"matcher": "", "hooks": [{"type": "command", "command": "my own"}, {"type": "command", "command": "~/.claude/hooks/post-response-semantic-detector.sh", "timeout": 9}]}
    ]
  },
  "theme":   "dark"
}
`
	oldServer = `{"a":1,"mcpServers":{"memory":{"command":"python","args":["-m","sage.mcp_server"]},"other":{"command":"x"}},"projects":{"/elsewhere":{"mcpServers":{"sage":{"command":"sage-mcp"}}}}}`
)

func TestPredecessorIsTakenOutAndPutBack(t *testing.T) {
	for name, ours := range map[string]bool{"alone": false, "beside ours": true} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			files := map[string]string{
				p.mustPath(t, Hooks, User): oldHooks, p.mustPath(t, Hooks, Project): `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`,
				p.mustPath(t, MCP, User): oldServer, p.mustPath(t, MCP, Project): "\ufeff" + `{"mcpServers": {"claude-sage": {"command": "claude-sage"}}}`,
			}
			for path, text := range files {
				put(t, path, text)
			}
			if ours {
				if _, err := p.Install(Hooks, User); err != nil {
					t.Fatal(err)
				}
				files[p.mustPath(t, Hooks, User)] = get(t, p.mustPath(t, Hooks, User))
			}
			dry := p
			dry.DryRun = true
			if list, err := dry.RemovePredecessor(); err != nil || len(list) != 3 {
				t.Errorf("a dry run finds %v, %v", list, err)
			}
			same(t, files)

			list, err := p.RemovePredecessor()
			if err != nil || len(list) != 3 || len(list[2].Changes) != 3 {
				t.Fatalf("%+v, %v", list, err)
			}
			for path := range files {
				text := get(t, path)
				for _, word := range []string{"post-response", "pre-compact.sh", "sage.mcp_server", `"claude-sage"`} {
					if strings.Contains(text, word) {
						t.Errorf("%s still has %s:\n%s", path, word, text)
					}
				}
			}
			text := get(t, p.mustPath(t, Hooks, User))
			if !strings.Contains(text, "// mine\n  \"model\": \"opus\",") || !strings.Contains(text, `"my own"`) || !strings.Contains(text, `"theme":   "dark"`) || ours != strings.Contains(text, "/opt/bin/git-sage") {
				t.Errorf("%s", text)
			}
			if text := get(t, p.mustPath(t, MCP, User)); !strings.Contains(text, `"other":{"command":"x"}`) || !strings.Contains(text, `"sage":{"command":"sage-mcp"}`) {
				t.Errorf("%s", text)
			}
			if list, err := p.RemovePredecessor(); err != nil || len(list) > 0 {
				t.Errorf("a second run finds %v, %v", list, err)
			}

			if list, err := p.RestorePredecessor(); err != nil || len(list) != 3 {
				t.Fatalf("%v, %v", list, err)
			}
			same(t, files)
			if ours { // which go as they came
				if _, err := p.Uninstall(Hooks, User); err != nil {
					t.Fatal(err)
				}
				if got := get(t, p.mustPath(t, Hooks, User)); got != oldHooks {
					t.Errorf("without ours it is\n%s", got)
				}
			}
			if list, err := p.RestorePredecessor(); err != nil || len(list) > 0 {
				t.Errorf("a second time: %v, %v", list, err)
			}
		})
	}
}

// same holds that files are as they were, byte for byte.
func same(t *testing.T, files map[string]string) {
	t.Helper()
	for path, want := range files {
		if got := get(t, path); got != want {
			t.Errorf("%s is\n%s\nwas\n%s", path, got, want)
		}
	}
}

func TestPredecessorIsPutBackBesideWhatIsNew(t *testing.T) {
	p := newPlace(t)
	hooks, servers := p.mustPath(t, Hooks, User), p.mustPath(t, MCP, User)
	put(t, hooks, oldHooks)
	put(t, servers, oldServer)
	if _, err := p.RemovePredecessor(); err != nil {
		t.Fatal(err)
	}
	put(t, hooks, `{"model": "other"}`)
	put(t, servers, strings.Replace(get(t, servers), `"a":1`, `"a":2`, 1))
	mine := map[string]string{hooks: get(t, hooks), servers: get(t, servers)}
	for _, part := range []Part{Hooks, MCP} {
		if _, err := p.Install(part, User); err != nil {
			t.Fatal(err)
		}
	}
	list, err := p.RestorePredecessor()
	if err != nil || len(list) != 2 || len(list[0].Changes)+len(list[1].Changes) != 4 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, path := range []string{hooks, servers} {
		if text := get(t, path); !strings.Contains(text, bin) {
			t.Errorf("ours is gone from\n%s", text)
		}
	}
	for _, part := range []Part{Hooks, MCP} {
		if _, err := p.Uninstall(part, User); err != nil {
			t.Fatal(err)
		}
	}
	text := get(t, hooks)
	for _, want := range []string{`"model": "other"`, "pre-compact.sh", "post-response-context-check.sh", `"matcher": ""`, `"timeout": 9`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if text := get(t, servers); !strings.Contains(text, `"memory":{"command":"python","args":["-m","sage.mcp_server"]}`) || !strings.Contains(text, `"a":2`) || strings.Contains(text, bin) {
		t.Errorf("%s", text)
	}
	if _, err := p.RemovePredecessor(); err != nil {
		t.Fatal(err)
	}
	if got := get(t, servers); got != mine[servers] {
		t.Errorf("without it is\n%s\nwas\n%s", got, mine[servers])
	}
}

func TestPredecessorIsNotPutBackOverWhatIsNew(t *testing.T) {
	p := newPlace(t)
	path := p.mustPath(t, MCP, User)
	put(t, path, oldServer)
	if _, err := p.RemovePredecessor(); err != nil {
		t.Fatal(err)
	}
	taken := `{"mcpServers": {"memory": {"command": "mine"}}}`
	for range 2 {
		put(t, path, taken)
		if _, err := p.RestorePredecessor(); err == nil || !strings.Contains(err.Error(), "another server is called 'memory' now") {
			t.Errorf("%v", err)
		}
		same(t, map[string]string{path: taken})
	}
	put(t, path, "{}") // it is out of the way
	if list, err := p.RestorePredecessor(); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
