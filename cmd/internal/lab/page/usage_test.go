package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
)

// wellMade looks at a view in both colours and at two widths: nothing is wider than the
// window, everything has a name, and axe, if it is there, has nothing against it.
func (b *browser) wellMade(path, shows string) {
	b.t.Helper()
	for _, colours := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			if spared(colours, width) {
				continue
			}
			b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}}), chromedp.EmulateViewport(width, 800))
			b.open(path, shows)
			b.wellMadeNow(fmt.Sprintf("%s, %s, %d", path, colours, width))
		}
	}
	b.do(chromedp.EmulateViewport(1280, 800))
}

// wellMadeNow looks at what is there.
func (b *browser) wellMadeNow(where string) {
	b.t.Helper()
	b.settled()
	if over := value[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		b.t.Errorf("%s: %d pixels too wide", where, over)
	}
	if bare := value[string](b, unnamed); bare != "" {
		b.t.Errorf("%s: has no name: %s", where, bare)
	}
	if script, err := axeScript(); err == nil {
		b.accessible(script, where)
	}
	b.quiet(where)
}

// What sessions took is a picture and a table, by whatever is chosen, and what no session was
// given leads to where it can be mended.
func TestUsage(t *testing.T) {
	a := stocked(t)
	for i, model := range []string{"claude-opus-5-5", "claude-haiku-5-5", "claude-opus-5-5"} {
		pagetest.Session(t, a, fmt.Sprintf("%08d-session", i), model, 2*i, pagetest.Given("staging-wipe", "The staging database is emptied every Sunday night."), "Remember that the staging database is emptied every Sunday night.")
	}
	b := open(t, a)
	const ever = "/usage?since=50+years+ago" // whatever day it is
	b.wellMade(ever, "claude-opus-5-5")
	b.until(`document.querySelector('.days').getAttribute('aria-label').includes('from 2026-11-01 to 2026-11-21; the most were 498k, on 2026-11-17')`)
	for what, script := range map[string]string{
		"sessions":     `[...document.querySelectorAll('.tiles div')].some(d => d.innerText.includes('Sessions') && d.innerText.includes('3'))`,
		"used":         `document.querySelector('.card').innerText.includes('3 of 3 texts used')`,
		"added":        `[...document.querySelectorAll('table')].at(-1).innerText.includes('UserPromptSubmit')`,
		"never":        `[...document.querySelectorAll('.acts-list a')].some(e => e.getAttribute('href') === '/knowledge/deploy-day')`,
		"nothing":      `![...document.querySelectorAll('.acts-list a')].some(e => e.getAttribute('href') === '/knowledge/staging-wipe')`,
		"two models":   `document.querySelectorAll('tbody')[0].rows.length === 2`,
		"every number": `[...document.querySelectorAll('tbody')[0].rows].every(r => r.cells.length === 9)`,
	} {
		if !value[bool](b, script) {
			t.Errorf("%s: %s", what, value[string](b, `document.querySelector('main').innerText`))
		}
	}
	b.do(chromedp.Click(`//button[text()="the same in numbers"]`))
	b.until(`location.search.endsWith('&by=day') && document.querySelectorAll('tbody')[0].rows.length === 3 && document.querySelector('tbody th').innerText === '2026-11-21'`)
	b.do(chromedp.Click(`//button[text()="sessions"]`))
	b.until(`location.search.endsWith('&by=session') && document.querySelector('tbody th').innerText === '00000000'`)
	b.wellMade(ever+"&by=session", "00000000")
	b.do(chromedp.Click(`//a[.="deploy-day"]`))
	b.until(`location.pathname === '/knowledge/deploy-day'`)

	b = open(t, stocked(t))
	b.wellMade("/usage", "No session in that time")
	b.until(`document.querySelector('main').innerText.includes('Never recalled')`)
}
