package main

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
)

// Requests of an item are tried before they are saved: what the prompt would bring stands
// beside what it brings, and the item is as it was until somebody saves.
func TestTrialOfRequests(t *testing.T) {
	a := stocked(t)
	b := open(t, a)
	when := func() []string {
		t.Helper()
		k, err := pagetest.Open(t, a).Knowledge.Item(t.Context(), "staging-wipe")
		if err != nil {
			t.Fatal(err)
		}
		return k.Item.When
	}
	const view = "/recall?q=who+ate+the+fixtures"
	try := func() {
		t.Helper()
		b.open(view, "would be given nothing")
		b.do(chromedp.Click(`//section[contains(@class, "match")][.//a[.="staging-wipe"]]//button[text()="try other requests"]`))
		b.until(`document.activeElement.id === 'trial' && document.activeElement.value === 'who ate the fixtures'`)
	}
	brings := `[...document.querySelectorAll('.brought')].map(l => l.innerText.includes('staging-wipe'))`
	try()
	b.until(brings + `.join() === 'false,true'`)
	b.wellMadeNow(view)
	b.do(chromedp.Evaluate(`document.activeElement.select()`, nil), chromedp.KeyEvent("where do I park?"))
	b.until(brings + `.join() === 'false,false' && document.querySelector('.trial').innerText.includes('needs')`)
	if got := when(); len(got) > 0 {
		t.Errorf("a trial saved %q", got)
	}
	b.do(chromedp.KeyEvent("\r"), chromedp.KeyEvent("who ate all our fixtures?"))
	b.until(brings + `.join() === 'false,true'`)
	b.do(chromedp.Click(`//button[starts-with(., "Save these requests")]`))
	b.until(`!document.querySelector('.trial') && document.querySelector('.match:not(.left)')?.innerText.includes('staging-wipe')`)
	if got := when(); !slices.Equal(got, []string{"where do I park?", "who ate all our fixtures?"}) {
		t.Errorf("%q were saved", got)
	}
	b.quiet("the trial")
}
