package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/runtime"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
)

// awaited has the protocol wait for a promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// settled waits until nothing is being read.
func (b *browser) settled() {
	b.t.Helper()
	b.until(`document.querySelector('main') && !document.querySelector('.wait')`)
}

// filled is a memory of so many checkpoints.
func filled(t *testing.T, n int) *app.App {
	t.Helper()
	a := pagetest.New(t)
	if n > 0 {
		pagetest.Fill(t, a, n)
	}
	return a
}

// Each view is there with no checkpoint, with ten and with ten thousand, and draws no more
// elements than are seen.
func TestViewsOfAnySize(t *testing.T) {
	sizes := []int{0, 10, 10_000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		b := open(t, filled(t, n))
		for _, v := range views {
			b.open(v[0], "")
			b.settled()
			where := fmt.Sprintf("%s of %d", v[0], n)
			t.Logf("%s: painted after %d ms, all there after %d ms", where,
				value[int](b, `Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1)`), value[int](b, `Math.round(performance.now())`))
			if shown := value[string](b, `document.querySelector('main').innerText.trim()`); shown == "" {
				t.Errorf("%s: nothing is shown", where)
			}
			if over := value[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s: %d pixels too wide", where, over)
			}
			if drawn := value[int](b, `document.querySelectorAll('*').length`); drawn > 3000 {
				t.Errorf("%s: %d elements", where, drawn)
			}
			b.quietButFor(where, refused)
		}
	}
}
