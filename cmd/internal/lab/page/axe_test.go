package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// installed is where .ci/run has npm put axe-core; so may you:
//
//	npm install --prefix .build/axe axe-core@4.14.1
const installed = "../../../../.build/axe/node_modules/axe-core/axe.min.js"

// axeScript is the script of axe-core, which the machine may have; AXE names it where it is elsewhere.
func axeScript() (string, error) {
	script, err := os.ReadFile(cmp.Or(os.Getenv("AXE"), installed))
	return string(script), err
}

// A violation is what axe has against some elements.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// accessible reports what axe finds in the view.
func (b *browser) accessible(script, where string) {
	b.t.Helper()
	var said string
	b.do(chromedp.Evaluate(script+"; 0", nil), chromedp.Evaluate(
		`axe.run(document, {resultTypes: ['violations']}).then(r => JSON.stringify(r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n => ({html: n.html.slice(0, 200), failureSummary: n.failureSummary}))}))))`,
		&said, awaited))
	var found []violation
	if err := json.Unmarshal([]byte(said), &found); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range found {
		for _, n := range v.Nodes {
			b.t.Errorf("%s: %s: %s\n\t%s\n\t%s", where, v.ID, v.Help, n.HTML, strings.ReplaceAll(n.Summary, "\n", "\n\t"))
		}
	}
}

// TestAccessibility has axe look at each view of an empty memory, in both colours; TestViews has it
// look at those of one with something for each.
func TestAccessibility(t *testing.T) {
	script, err := axeScript()
	if err != nil {
		t.Skip("there is no axe-core on this machine: whom the page shuts out was not tried: ", err)
	}
	if testing.Short() {
		t.Skip("in short the views of a full memory are enough")
	}
	b := open(t, filled(t, 0))
	for _, colours := range []string{"light", "dark"} {
		b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}}))
		for _, v := range views {
			b.open(v[0], "")
			b.settled()
			b.accessible(script, fmt.Sprintf("%s, empty, %s", v[0], colours))
		}
	}
}
