package install

import (
	"strings"
	"testing"
)

// Who chose programs keeps them when the server comes, in that scope, until they choose
// anew or take the hooks out.
func TestProgramsAreRemembered(t *testing.T) {
	for _, before := range []bool{true, false} { // the choice changes the file, or does not
		p := newPlace(t)
		path := p.mustPath(t, Hooks, User)
		asks := func() bool { return strings.Contains(get(t, path), HookTool) }
		install := func(chosen, programs bool) {
			p.Chosen, p.Programs = chosen, programs
			do(t, p.Install, Hooks, User)
		}
		if before {
			do(t, p.Install, MCP, User)
		}
		install(true, false)
		install(true, true)
		do(t, p.Install, MCP, User)
		if install(false, false); asks() || !p.editor().State(Hooks, User).Programs {
			t.Errorf("%v: the choice is forgotten", before)
		}
		p.Chosen = false
		if do(t, p.Install, Hooks, Local); p.editor().State(Hooks, Local).Programs {
			t.Error("it was made for the user's scope alone")
		}
		if install(true, false); !asks() || p.editor().State(Hooks, User).Programs {
			t.Errorf("%v: it cannot be changed back", before)
		}
		install(true, true)
		do(t, p.Uninstall, Hooks, User)
		if install(false, false); !asks() {
			t.Errorf("%v: it outlives the hooks", before)
		}
	}
}
