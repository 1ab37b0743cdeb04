package main

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Two checkpoints are compared word by word, in the page and in an exported file alike.
func TestWordsThatChanged(t *testing.T) {
	a := pagetest.New(t)
	first := pagetest.Save(t, a, sage.Checkpoint{CoreQuestion: "Which cache policy do we ship?", Thesis: "ARC beats LRU by 9 points on our traces.", KeyEvidence: []string{"hit rate 62% on the October traces", "cheap"}}).ID
	second := pagetest.Save(t, a, sage.Checkpoint{CoreQuestion: "Which cache policy do we ship?", Thesis: "ARC beats LRU by 7 points on all traces.", KeyEvidence: []string{"hit rate 71% on the October traces", "it scans well"}}).ID
	const changed = `[...document.querySelectorAll('.words')].map(w => [...w.querySelectorAll('del, ins')].map(e => e.tagName + ' ' + e.innerText).join()).join('; ')`
	const want = "DEL 9,DEL our; INS 7,INS all; DEL 62,INS 71"
	look := func(b *browser, where string) {
		t.Helper()
		b.until(`document.querySelectorAll('.words').length === 3`)
		if got := value[string](b, changed); got != want {
			t.Errorf("%s: %s, want %s", where, got, want)
		}
		if got := value[string](b, `[...document.querySelectorAll('.delta li:not(.anew)')].map(e => e.innerText.replace(/\s+/g, " ").trim()).join()`); got != "removed: cheap,added: it scans well" {
			t.Errorf("%s: %s", where, got)
		}
		b.wellMadeNow(where)
	}
	b := open(t, a)
	b.wellMade("/compare/"+first+"/"+second, "hit rate")
	look(b, "the page")
	b = openFile(t, a)
	b.do(chromedp.Navigate(b.home + "#/checkpoints/" + second))
	b.until(`document.querySelector('h1:not(.sr)')?.innerText.includes('7 points')`)
	b.do(chromedp.KeyEvent("d"))
	look(b, "the file")
	b.do(chromedp.KeyEvent("\x1b"))
	b.until(`location.hash === '#/checkpoints/` + second + `'`)
}

// Items and fields that differ are told in words, and an address of an id and a step as it was typed.
func TestComparedInWords(t *testing.T) {
	a := pagetest.New(t)
	before := sage.Checkpoint{
		Thesis: "Ship ARC.", Sources: []sage.Source{{Identifier: "Blog", Take: "consent is asked for once a year"}}, Tensions: []sage.Tension{{Between: []string{"Blog", "GDPR"}, Nature: "is consent needed in the EU"}},
		CodeRefs: []sage.CodeRef{{File: "ask.go", Lines: [2]int{3, 5}, Snippet: "return 1 + one()"}}, Fields: map[string]any{"options": []any{map[string]any{"name": "ARC", "cost": "little"}, "LRU"}},
		Extra: []sage.Entry{{Key: "asked_whom", Value: map[string]any{"first": "Dana", "often": true}}},
	}
	after := before
	after.Sources, after.Tensions = []sage.Source{{Identifier: "Paper", Take: "consent is asked for twice a year"}}, []sage.Tension{{Between: []string{"Blog", "GDPR"}, Nature: "is consent needed in the UK"}}
	after.CodeRefs, after.Fields = []sage.CodeRef{{File: "ask.go", Lines: [2]int{4, 6}, Snippet: "return 2 + one()"}}, map[string]any{"options": []any{map[string]any{"name": "ARC", "cost": "much"}, "LRU"}}
	after.Extra = []sage.Entry{{Key: "asked_whom", Value: map[string]any{"first": "Dana", "often": false}}}
	pagetest.Save(t, a, before)
	tip := pagetest.Save(t, a, after).ID
	b := open(t, a)
	b.wellMade("/compare/"+tip+"~1/"+tip, "twice")
	const text = `.innerText.replace(/ ?\[(removed|added|end)\] ?/g, '').replace(/\s+/g, ' ').trim()`
	const want = "asked whom: first Dana often yes first Dana often no|options: removed: cost: little; name: ARC added: cost: much; name: ARC|" +
		"Sources: Blog Paper: consent is asked for oncetwice a year|Tensions: Blog against GDPR: is consent needed in the EUUK|" +
		"Code references: ask.go:3-5 ask.go:4-6 return 12 + one()"
	if got := value[string](b, `[...document.querySelectorAll('.change')].map(e => e.querySelector('h3').textContent + ': ' + [...e.children].slice(1).map(c => c`+text+`).join(' ')).join('|')`); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := value[string](b, "document.title"), tip[:8]+"~1 and "+tip[:8]+" · git sage"; got != want {
		t.Errorf("the title is %s, want %s", got, want)
	}
	b.open("/checkpoints/"+tip, "asked whom")
	if got := value[string](b, `document.querySelector('dl.pairs')`+text); got != "options cost: much; name: ARC LRU asked whom first Dana often no" {
		t.Error(got)
	}
	b.quiet("compared in words")
}

// A merge that waits for a synthesis is called so wherever it is listed, and it can be taken back
// beside where it is settled.
func TestUnsettledIsToldInWords(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, 20)
	if _, err := pagetest.Open(t, a).Save.Merge(t.Context(), gitstore.MergeRequest{Rev: "idea-0"}); err != nil {
		t.Fatal(err)
	}
	pagetest.Session(t, a, "00000000-session", "claude-opus-5-5", 0, "Nothing.", "So be it.")
	b := open(t, a)
	for _, path := range []string{"/", "/checkpoints/main", "/compare/main~1/main", "/compare/main/main~1", "/search?q=synthesis", "/activity?since=50+years+ago", "/usage?since=50+years+ago", "/review"} {
		b.open(path, "")
		b.settled()
		b.until(`document.querySelectorAll('main *').length > 5`)
		if text := value[string](b, `document.querySelector('main').innerText + document.title`); strings.Contains(text, sage.NeedsSynthesis) || path != "/review" && !strings.Contains(text, "Merge that waits for a synthesis") {
			t.Errorf("%s shows %s", path, text)
		}
	}
	b.open("/merge", "It waits for a synthesis.")
	b.until(`(([settle, abort]) => settle.innerText === 'Settle' && abort.innerText === 'Abort the merge' && settle.getBoundingClientRect().top === abort.getBoundingClientRect().top)(document.querySelectorAll('.acts button'))`)
	b.quiet("unsettled")
}
