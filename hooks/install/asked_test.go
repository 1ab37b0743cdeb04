package install

import (
	"strings"
	"testing"
)

// Hooks ask the server only where it is sure to be: wherever they are, without anybody's
// consent; and undoing restores the file.
func TestHooksAskTheServerWhereItIs(t *testing.T) {
	for _, tt := range []struct {
		server, hooks Scope
		programs      bool
		asks          bool
	}{
		{User, User, false, true},
		{User, Local, false, true},
		{Local, Local, false, true},
		{Local, User, false, false}, // elsewhere there is no server
		{Project, Project, false, false},
		{User, Project, false, false}, // not everybody has it
		{User, User, true, false},
	} {
		p := newPlace(t)
		path, _, err := p.editor().File(Hooks, tt.hooks)
		if err != nil {
			t.Fatal(err)
		}
		const owners = "{\n  // mine\n  \"model\": \"opus\"\n}\n"
		put(t, path, owners)
		if _, err := p.Install(MCP, tt.server); err != nil {
			t.Fatal(err)
		}
		p.Programs = tt.programs
		for range 2 {
			if _, err := p.Install(Hooks, tt.hooks); err != nil {
				t.Fatal(err)
			}
		}
		text := get(t, path)
		if n := strings.Count(text, HookTool); (n == 5) != tt.asks || n > 0 != tt.asks {
			t.Errorf("%+v: %d events ask the server", tt, n)
		}
		if r, err := p.Install(Hooks, tt.hooks); err != nil || len(r.Changes) > 0 {
			t.Errorf("%+v: again: %v, %v", tt, r.Changes, err)
		}
		st := p.editor().State(Hooks, tt.hooks)
		if !st.Installed || st.Asks != tt.asks || st.Unheard {
			t.Errorf("%+v: %+v", tt, st)
		}
		if p.Hooked("user-prompt") != tt.asks || p.Hooked("nap") { // the program is not there
			t.Errorf("%+v: the plugin would speak as well", tt)
		}
		if _, err := p.Uninstall(MCP, tt.server); err != nil {
			t.Fatal(err)
		}
		if st := p.editor().State(Hooks, tt.hooks); st.Unheard != tt.asks {
			t.Errorf("%+v: without the server: %+v", tt, st)
		}
		if r, err := p.Install(Hooks, tt.hooks); err != nil || (len(r.Changes) == 5) != tt.asks || strings.Contains(get(t, path), HookTool) {
			t.Errorf("%+v: %v, %v", tt, r.Changes, err)
		}
		if _, err := p.Uninstall(Hooks, tt.hooks); err != nil || get(t, path) != owners {
			t.Errorf("%+v: %v\n%s", tt, err, get(t, path))
		}
	}
}

// An entry that its owner changed by hand is mended, and nothing else of it.
func TestAskedHooksAreMended(t *testing.T) {
	p := newPlace(t)
	if _, err := p.Install(MCP, User); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Install(Hooks, User); err != nil {
		t.Fatal(err)
	}
	path, _, _ := p.editor().File(Hooks, User)
	whole := get(t, path)
	put(t, path, strings.Replace(whole, `"prompt": "${prompt}"`, `"prompt": "${propmt}"`, 1))
	r, err := p.Install(Hooks, User)
	if err != nil || len(r.Changes) != 1 || get(t, path) != whole {
		t.Errorf("%v, %v\n%s", r.Changes, err, get(t, path))
	}
}
