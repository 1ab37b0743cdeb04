package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"testing"

	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/git-sage/git-sage/cmd/internal/app"
)

var steps = flag.Int("steps", 60, "walk so many steps; from 500 on, see what memory they take")

// A walk of a person who looks around, the same each time: views, keys, clicks, back,
// forward and reloads. Nothing is thrown, an address shows the same when it is loaded
// again, and neither the page nor the server grows with the steps.
func TestWalks(t *testing.T) {
	for name, a := range map[string]*app.App{"full": memory(t), "empty": filled(t, 0), "many": filled(t, 2000)} {
		b := open(t, a)
		r := rand.New(rand.NewPCG(7, uint64(len(name))))
		heap := func() (page, server int) {
			var used float64
			b.do(heapprofiler.CollectGarbage(), chromedp.ActionFunc(func(ctx context.Context) (err error) {
				used, _, _, _, err = runtime.GetHeapUsage().Do(ctx)
				return err
			}))
			page = int(used) >> 10
			var m goruntime.MemStats
			goruntime.GC()
			goruntime.ReadMemStats(&m)
			return page, int(m.HeapAlloc >> 10)
		}
		var page0, server0 int
		for i := range *steps {
			b.step(r)
			b.arrived()
			if i%20 == 19 {
				b.sameAgain(fmt.Sprintf("%s, step %d", name, i))
			}
			if i == *steps/10 {
				page0, server0 = heap()
			}
			b.quietButFor(fmt.Sprintf("%s, step %d", name, i), refused)
		}
		page1, server1 := heap()
		t.Logf("%s: the page has %d kB and then %d, the server %d and then %d", name, page0, page1, server0, server1)
		if *steps >= 500 && (page1 > 2*page0+10<<10 || server1 > 2*server0+20<<10) {
			t.Errorf("%s: it grows", name)
		}
	}
}

// arrived waits for the view that a step led to. One that led away, out of the page, is taken
// back.
func (b *browser) arrived() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, within)
	defer cancel()
	for at := ""; at != "there"; {
		err := chromedp.Run(ctx, chromedp.Evaluate(`location.protocol !== 'http:' ? 'away' : document.readyState === 'complete' && document.querySelector('main') ? 'there' : ''`, &at))
		switch {
		case ctx.Err() != nil:
			b.t.Fatal(ctx.Err())
		case err == nil && at == "away":
			b.do(chromedp.Navigate(b.home + "/"))
		} // an error is that of a document which is left at the moment
	}
}

// step does one thing that changes nothing of the memory.
func (b *browser) step(r *rand.Rand) {
	b.t.Helper()
	keys := []string{"j", "k", kb.ArrowDown, kb.ArrowUp, kb.PageDown, kb.PageUp, kb.Home, kb.End, kb.Enter, kb.Escape, "/", "?", "c", "p", "g", "l", kb.Tab}
	switch n := r.IntN(20); {
	case n < 9:
		b.do(chromedp.KeyEvent(keys[r.IntN(len(keys))]))
	case n < 13: // a link, of those there are
		b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const l = [...document.querySelectorAll('a[href^="/"], [role=option], summary, select, .tabs button')]; l.length && l[%d %% l.length].click(); })()`, r.IntN(1000)), nil))
	case n < 15:
		b.do(chromedp.Evaluate("setTimeout(() => history.back()), 0", nil))
	case n < 16:
		b.do(chromedp.Evaluate("setTimeout(() => history.forward()), 0", nil))
	case n < 19:
		if v := views[r.IntN(len(views))]; v[1] != "" {
			b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector('nav a[href="%s"]')?.click()`, v[0]), nil))
		}
	default:
		b.do(chromedp.Evaluate(`document.querySelector('input[type=search]') && (e => { e.value = 'run 1'; e.dispatchEvent(new Event('input', {bubbles: true})); })(document.querySelector('input[type=search]'))`, nil))
	}
}

// sameAgain loads the address anew, where the page shows what it showed.
func (b *browser) sameAgain(where string) {
	b.t.Helper()
	view := `[location.pathname + location.search, document.title, document.querySelector('main h1')?.innerText].join(' | ')`
	b.settled()
	b.until(`location.pathname !== '/' || (document.querySelector('main input[type=search]')?.value ?? '') === (new URLSearchParams(location.search).get('q') ?? '')`) // which takes a moment
	before := value[string](b, view)
	b.do(chromedp.Reload())
	b.settled()
	if again := value[string](b, view); again != before {
		b.t.Errorf("%s: %q is %q when it is loaded again", where, before, again)
	}
}
