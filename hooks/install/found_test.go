package install

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// written are settings with hooks that a person wrote.
var written = map[string]string{
	"shell line":  "{\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [ {\"type\": \"command\", \"command\": \"git-sage hook stop\"} ] } ],\n    \"PreCompact\": []\n  }\n}\n",
	"arguments":   `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"/opt/bin/git-sage","args":["hook","session-start"],"timeout":3}]}]}}`,
	"two of one":  "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"/a/git-sage hook stop\"}, {\"command\": \"/b/git-sage hook stop\"}]}]}\n}",
	"in comments": "{\n  // mine\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": /* old */ \"/a/git-sage\", \"args\": [\"hook\", \"stop\", \"-v\"]}]}]} // end\n}",
}

func TestUninstallKeepsHooksWrittenByHand(t *testing.T) {
	for name, before := range written {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			path := p.mustPath(t, Hooks, User)
			put(t, path, before)
			do(t, p.Install, Hooks, User)
			do(t, p.Install, Hooks, User)
			p.Bin = "/elsewhere/git-sage"
			do(t, p.Install, Hooks, User)
			r := do(t, p.Uninstall, Hooks, User)
			if got := get(t, path); got != before {
				t.Errorf("%q, want %q", got, before)
			}
			if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "was there before install") }) {
				t.Errorf("notes %q", r.Notes)
			}
			if do(t, p.Uninstall, Hooks, User); strings.Contains(get(t, path), "sage") {
				t.Errorf("uninstall without install leaves %s", get(t, path))
			}
		})
	}
}

// A file that another program wrote anew has its entries back, if not its layout.
func TestUninstallKeepsThemInAFileWrittenAnew(t *testing.T) {
	p := newPlace(t)
	path := p.mustPath(t, Hooks, User)
	put(t, path, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"git-sage hook stop"}]}]}}`)
	do(t, p.Install, Hooks, User)
	var anew bytes.Buffer
	if err := json.Compact(&anew, []byte(get(t, path))); err != nil {
		t.Fatal(err)
	}
	put(t, path, anew.String()[:1]+`"model":"x",`+anew.String()[1:])
	do(t, p.Uninstall, Hooks, User)
	const want = `{"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"git-sage hook stop"}]}]}}`
	if got := get(t, path); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Where install has nothing to change, it knows all the same what it found.
func TestInstallNotesWhatItOnlyFound(t *testing.T) {
	p := newPlace(t)
	path := p.mustPath(t, Hooks, User)
	do(t, p.Install, Hooks, User)
	all := strings.ReplaceAll(get(t, path), `"timeout": 10`, `"timeout": 9`)
	do(t, p.Uninstall, Hooks, User)
	put(t, path, all)
	if r := do(t, p.Install, Hooks, User); len(r.Changes) != 0 {
		t.Fatal(r.Changes)
	}
	if do(t, p.Uninstall, Hooks, User); get(t, path) != all {
		t.Errorf("%s", get(t, path))
	}
	if do(t, p.Uninstall, Hooks, User); strings.Contains(get(t, path), "sage") {
		t.Errorf("%s", get(t, path))
	}
}
