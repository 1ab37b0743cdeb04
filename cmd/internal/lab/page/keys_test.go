package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// press types keys one after the other, as somebody does who has no mouse.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

// write types a text where the focus is.
func (b *browser) write(text string) {
	b.t.Helper()
	b.do(input.InsertText(text))
}

// save is what sends a form wherever the focus is in it.
var save = chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(input.ModifierCtrl))

// tabTo presses Tab until what is focused fits a selector, and reports what it passes that nobody
// could see is focused.
func (b *browser) tabTo(selector string) {
	b.t.Helper()
	for range 40 {
		b.press(kb.Tab)
		if value[bool](b, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
		if unseen := value[string](b, `(e => e === document.body || e.closest('.skip') || getComputedStyle(e).outlineStyle !== 'none' ? '' : e.outerHTML.slice(0, 80))(document.activeElement)`); unseen != "" {
			b.t.Errorf("focused, and it does not show: %s", unseen)
		}
	}
	b.t.Fatalf("Tab does not lead to %s", selector)
}

// Knowledge is read, changed and added without a mouse; the focus is where one goes on after
// each.
func TestKnowledgeByKeys(t *testing.T) {
	a := stocked(t)
	b := open(t, a)
	b.press("g", "k")
	b.until(`document.querySelectorAll('[role=option]').length === 3`)
	b.tabTo("[role=listbox]")
	at := func(id string) {
		t.Helper()
		b.until(fmt.Sprintf(`location.pathname === '/knowledge/%s' && document.activeElement.matches('[role=listbox]') && document.querySelector('.side .id')?.innerText === '%[1]s'`, id))
	}
	var order []string
	b.do(chromedp.Evaluate(`fetch('/api/knowledge').then(r => r.json()).then(r => r.items.map(i => i.id))`, &order, awaited))
	b.press(kb.ArrowDown)
	at(order[1])
	b.press("e")
	b.until(`document.activeElement.matches('form textarea') && document.activeElement.value !== ''`)
	b.press(kb.Escape)
	at(order[1])
	b.press(kb.ArrowDown)
	at(order[2])
	b.press(kb.Enter)
	b.until(`document.activeElement.matches('form textarea') && document.activeElement.value !== ''`)
	b.press(kb.End)
	b.write(" By keys.")
	b.do(save)
	at(order[2])
	if k, err := pagetest.Open(t, a).Knowledge.Item(t.Context(), order[2]); err != nil || !strings.HasSuffix(k.Item.Content, " By keys.") {
		t.Errorf("%q, %v", k.Item.Content, err)
	}
	b.press("n")
	b.until(`document.activeElement.matches('form input')`)
	b.do(chromedp.Evaluate("document.activeElement.select()", nil)) // in place of the key, which the protocol types although it was taken
	b.write("by-keys")
	b.tabTo("form textarea")
	b.write("Typed without a mouse.")
	b.tabTo("form button.primary")
	b.press(kb.Enter)
	at("by-keys")
	b.quiet("knowledge by keys")
}

// What waits is gone through and judged by single keys.
func TestReviewByKeys(t *testing.T) {
	a := stocked(t)
	pagetest.Remember(t, a, &sage.Item{ID: "backup-hour", Content: "Backups start at 02:00 each night."}, &sage.Item{ID: "backup-time", Content: "Backups start at 04:00 each night."})
	b := open(t, a)
	b.press("g", "r")
	shows := func(what string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector('main')?.innerText.includes(%q)`, what))
	}
	shows("1 of 2")
	first := value[string](b, `document.querySelector('.card').innerText`)
	b.press("n")
	shows("2 of 2")
	b.press("v")
	b.until(`location.pathname.startsWith('/knowledge/')`)
	b.do(chromedp.NavigateBack())
	shows("1 of 2")
	if again := value[string](b, `document.querySelector('.card').innerText`); again != first {
		t.Errorf("%q, and then %q", first, again)
	}
	b.press("s")
	shows("1 of 1")
	shows("Superseded")
	b.press("k")
	shows("Nothing waits")
	list, err := pagetest.Open(t, a).Review.Waiting(t.Context(), nil, nil)
	if err != nil || len(list) > 0 {
		t.Errorf("%v %v", list, err)
	}
	b.quiet("review by keys")
}

// The key after a g leads to a view, from every view, and does there nothing of what it does
// alone: on the review all of them judge. What is written in a field is a text.
func TestChordsActAlone(t *testing.T) {
	a := stocked(t)
	b := open(t, a)
	to := func(key, path string) {
		t.Helper()
		b.press("g", key)
		b.until(fmt.Sprintf("location.pathname === %q", path))
	}
	const asked = `{ window.asked = []; const f = fetch; window.fetch = (path, o) => { if (o.method !== 'GET') asked.push(path); return f(path, o); }; } 0`
	b.do(chromedp.Evaluate(asked, nil))
	for key, path := range map[string]string{"k": "/knowledge", "t": "/recall", "s": "/search", "c": "/compare", "m": "/merge", "a": "/activity", "u": "/usage", "l": "/"} {
		to("r", "/review")
		b.until(`document.querySelector('main').innerText.includes('1 of 1')`)
		to(key, path)
		b.do(chromedp.Evaluate("document.activeElement.blur()", nil)) // some views have a field to begin with
	}
	if asked := value[[]string](b, "window.asked"); len(asked) > 0 {
		t.Errorf("asked for %q", asked)
	}
	to("l", "/")
	b.do(chromedp.WaitVisible("[role=option]", chromedp.ByQuery), chromedp.Focus("[role=listbox]", chromedp.ByQuery))
	b.press("g", "x", "c")
	b.until(`document.querySelector('.row.marked')`) // c alone, for x was no view
	b.press("j", "/")
	b.press("g", "k")
	b.until(`location.search === '?q=gk' || location.search === '?q=%2Fgk'`) // the protocol types a key although it was taken
	list, err := pagetest.Open(t, a).Review.Waiting(t.Context(), nil, nil)
	if err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
	b.quiet("chords")
}

// A line is chosen and merged with a synthesis without a mouse.
func TestMergeByKeys(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, 20)
	b := open(t, a)
	b.press("g", "m")
	b.until(`document.querySelector('main select')?.options.length > 1`)
	b.tabTo("main select")
	b.press(kb.ArrowDown)
	b.until(`location.search === '?rev=idea-0' && document.querySelector('main textarea') && document.querySelectorAll('.two h2').length === 2`)
	b.tabTo("main textarea")
	b.write("Both cases hold, each in its run.")
	b.tabTo("main input[type=number]")
	b.write("80")
	b.tabTo("main textarea")
	b.write("seen in both")
	b.tabTo("main button.primary")
	b.press(kb.Enter)
	b.until(`location.pathname.startsWith('/checkpoints/') && document.querySelector('h1')?.innerText === 'Both cases hold, each in its run.'`)
	c, err := pagetest.Open(t, a).Store.Commits.Load(t.Context(), "main")
	if err != nil || c.Confidence == nil || *c.Confidence != 0.8 || !slices.Contains(c.KeyEvidence, "seen in both") || len(c.MergeSources) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	b.quiet("merge by keys")
}

// What was written for a merge is there again after a look elsewhere and after a reload, for that
// merge alone, and is gone once it was merged.
func TestDraftOfASynthesis(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, 20)
	b := open(t, a)
	holds := func(rev, text string) {
		t.Helper()
		b.open("/merge?rev="+rev, "Bring in")
		b.until(fmt.Sprintf("document.querySelector('main textarea')?.value === %q", text))
	}
	holds("idea-0", "")
	b.do(chromedp.Focus("main textarea", chromedp.ByQuery))
	b.write("Both cases hold.")
	b.tabTo("main input[type=number]")
	b.write("80")
	b.do(chromedp.Click(`nav a[href="/activity"]`, chromedp.ByQuery))
	b.until(`document.title.startsWith('Activity')`)
	b.do(chromedp.NavigateBack())
	b.until(`document.querySelector('main textarea')?.value === 'Both cases hold.' && document.querySelector('main input[type=number]').value === '80'`)
	b.do(chromedp.Reload())
	b.until(`document.querySelector('main textarea')?.value === 'Both cases hold.' && document.querySelector('main input[type=number]').value === '80'`)
	pagetest.Git(t, a, "update-ref", "refs/sage/heads/other", "refs/sage/heads/idea-0~1")
	holds("other", "")
	holds("idea-0", "Both cases hold.")
	b.do(chromedp.Focus("main button.primary", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter)) // a click misses what moves as texts arrive
	b.until(`document.querySelector('h1')?.innerText === 'Both cases hold.'`)
	pagetest.Git(t, a, "update-ref", "refs/sage/heads/idea-0", "refs/sage/heads/other")
	holds("idea-0", "")
	b.quiet("a draft")
}

// What came from elsewhere is kept or refused where it is shown, as in the review.
func TestJudgedWhereItIsShown(t *testing.T) {
	a, other := stocked(t), pagetest.New(t)
	pagetest.Receive(t, a, &sage.Item{ID: "kiln-log", Content: "The log of the kiln is one file."}, &sage.Item{ID: "kiln-lid", Content: "Lids are lifted by two people."})
	first := pagetest.Save(t, other, sage.Checkpoint{Thesis: "Cone 6 is hot enough."}).ID
	second := pagetest.Save(t, other, sage.Checkpoint{Thesis: "The lid stays open."}).ID
	pagetest.Git(t, a, "fetch", "-q", other.Dir, "refs/sage/heads/main:refs/sage/heads/theirs")
	b := open(t, a)
	judge := func(path, shows, name, then string) {
		t.Helper()
		b.open(path, shows)
		b.until(`document.querySelector('main .from') && [...document.querySelectorAll('main .acts button')].some(e => e.innerText === 'Keep')`)
		b.do(chromedp.Click(fmt.Sprintf(`//button[text()=%q]`, name)))
		b.until(then)
	}
	const gone = `!document.querySelector('main .from') && ![...document.querySelectorAll('main .acts button')].some(e => e.innerText === 'Keep')`
	const refused = `[...document.querySelectorAll('main .from')].some(e => e.innerText.startsWith('Refused.')) && ![...document.querySelectorAll('main .acts button')].some(e => e.innerText === 'Keep')`
	judge("/knowledge/kiln-log", "is one file", "Keep", gone)
	judge("/knowledge/kiln-lid", "Lids are", "Refuse", refused)
	b.quiet("items")
	judge("/checkpoints/"+first, "Cone 6", "Keep", gone)
	judge("/checkpoints/"+second, "The lid", "Refuse", refused)
	list, err := pagetest.Open(t, a).Review.Waiting(t.Context(), nil, nil)
	for _, w := range list {
		if w.Kind == "item" || w.Kind == "checkpoint" {
			t.Errorf("waits still: %s %s%s", w.Kind, w.Item.Key, w.Record.ID)
		}
	}
	if err != nil {
		t.Error(err)
	}
	b.quiet("checkpoints")
}
