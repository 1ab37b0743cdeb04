package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/hooks/install/internal/entry"
)

// runs makes the program of a place one that is there.
func (p *Place) runs(t testing.TB) {
	t.Helper()
	p.Bin = filepath.Join(p.Home, "bin", entry.Program)
	put(t, p.Bin, "#!/bin/sh\n")
	if err := os.Chmod(p.Bin, 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestHookedBySettings(t *testing.T) {
	for _, s := range []Scope{User, Project, Local} {
		p := newPlace(t)
		p.runs(t)
		if p.Hooked("session-start") {
			t.Errorf("%s: hooked by nothing", s)
		}
		if s == Project {
			t.Setenv("PATH", filepath.Dir(p.Bin))
		}
		do(t, p.Install, Hooks, s)
		for _, e := range entry.Events(false) {
			if !p.Hooked(e.Arg) {
				t.Errorf("%s: %s is not hooked", s, e.Arg)
			}
		}
		if p.Hooked("no-event") || p.Hooked("") {
			t.Errorf("%s: an event without a hook is hooked", s)
		}
		if err := os.Remove(p.Bin); err != nil {
			t.Fatal(err)
		}
		if p.Hooked("session-start") {
			t.Errorf("%s: hooked by a program that is gone", s)
		}
	}
}

// TestHookedByOddEntries: an entry that is called for less than ours, or whose file
// cannot be read, does not silence the plugin's.
func TestHookedByOddEntries(t *testing.T) {
	p := newPlace(t)
	p.runs(t)
	shell := `{"hooks":{"SessionStart":[{"matcher":"MATCH","hooks":[{"type":"command","command":"\"` + p.Bin + `\" hook session-start"}]}]}}`
	for text, want := range map[string]bool{
		strings.Replace(shell, `"matcher":"MATCH",`, "", 1):                true,
		strings.Replace(shell, "MATCH", "*", 1):                            true,
		strings.Replace(shell, "MATCH", entry.Events(false)[0].Matcher, 1): true,
		strings.Replace(shell, "MATCH", "startup", 1):                      false,
		strings.Replace(shell, p.Bin, "/elsewhere/git-sage", 1):            false,
		`{"hooks":[]}`: false, `{"hooks":{"SessionStart":[[]]}}`: false, `not JSON`: false, ``: false,
	} {
		put(t, p.mustPath(t, Hooks, User), text)
		if got := p.Hooked("session-start"); got != want {
			t.Errorf("%v: %s", got, text)
		}
	}
}

func TestServedByConfiguration(t *testing.T) {
	for s, want := range map[Scope]bool{User: true, Local: true, Project: false} {
		p := newPlace(t)
		p.runs(t)
		if p.Served() {
			t.Errorf("%s: served by nothing", s)
		}
		do(t, p.Install, MCP, s)
		if p.Served() != want {
			t.Errorf("%s: %v", s, !want)
		}
		other := p
		other.Root = filepath.Join(p.Home, "other")
		if other.Served() != (s == User) {
			t.Errorf("%s: in another project %v", s, other.Served())
		}
	}
}

// TestPluginIsSaid: who installs beside the plugin is told which of both is silent.
func TestPluginIsSaid(t *testing.T) {
	p := newPlace(t)
	if p.HasPlugin() {
		t.Error("a plugin that is not there")
	}
	put(t, p.mustPath(t, Hooks, User), `{"enabledPlugins":{"sage@git-sage":true}}`)
	for _, part := range []Part{Hooks, MCP} {
		r := do(t, p.Install, part, User)
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "its own stay silent") {
			t.Errorf("%s: %q", part, r.Notes)
		}
	}
	if r := do(t, p.Install, MCP, Project); !strings.Contains(strings.Join(r.Notes, "\n"), "every tool twice") {
		t.Errorf("%q", r.Notes)
	}
	put(t, p.mustPath(t, Hooks, Local), `{"enabledPlugins":{"sage@git-sage":false}}`)
	if p.HasPlugin() {
		t.Error("the nearest setting does not count")
	}
	p.Root = ""
	if !p.HasPlugin() {
		t.Error("not in any project")
	}
}
