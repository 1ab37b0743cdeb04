package main

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
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
	b = export(t, a)
	b.do(chromedp.Navigate(b.home + "#/checkpoints/" + second))
	b.until(`document.querySelector('h1:not(.sr)')?.innerText.includes('7 points')`)
	b.do(chromedp.KeyEvent("d"))
	look(b, "the file")
	b.do(chromedp.KeyEvent("\x1b"))
	b.until(`location.hash === '#/checkpoints/` + second + `'`)
}
