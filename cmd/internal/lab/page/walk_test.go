package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
)

var (
	steps = flag.Int("steps", 40, "walk so many steps, of which a person makes 2000 in an hour; from 500 on, among 10,000 checkpoints, and nothing may grow")
	seed  = flag.Uint64("seed", 7, "walk the way of this number")
)

// A walker uses the page as a person does who looks around and edits, the same way each time.
type walker struct {
	*browser
	*rand.Rand
	a     *app.App
	saved map[string]string // the texts of items whose saving the page acknowledged
	kept  int               // edits that were saved, of so many
	begun int
}

// Somebody uses the page for long: views, keys, clicks, searches, back, forward, reloads and
// edits. Nothing is thrown, an address shows the same when it is loaded again, no edit is
// lost or made that was not saved, and neither the page nor the server grows with the steps.
func TestWalks(t *testing.T) {
	long := *steps >= 500
	many := 2000
	if long {
		many = 10_000
	}
	for _, w := range []struct {
		name string
		a    *app.App
	}{{"full", stocked(t)}, {"empty", filled(t, 0)}, {"many", filled(t, many)}} {
		t.Run(w.name, func(t *testing.T) {
			w := &walker{browser: open(t, w.a), Rand: rand.New(rand.NewPCG(*seed, uint64(len(w.name)))), a: w.a, saved: map[string]string{}}
			var before use
			for i := range *steps {
				if w.IntN(20) == 0 {
					w.edit()
				} else {
					w.step()
					w.arrived()
				}
				if i%20 == 19 {
					w.sameAgain(fmt.Sprintf("step %d", i))
				}
				if i == *steps/10 {
					before = w.uses()
				}
				w.quietButFor(fmt.Sprintf("step %d", i), refused)
				if t.Failed() {
					break
				}
			}
			w.nothingLost()
			after := w.uses()
			t.Logf("%d edits begun, %d saved; %s, and then %s", w.begun, w.kept, before, after)
			if long && after.outgrows(before) {
				t.Error("it grows")
			}
		})
	}
}

// The links of the top are where they are before anything has arrived, whichever view is open and
// however many items are to be reviewed: a pointer that was on its way to one does not miss it.
func TestNavigationStays(t *testing.T) {
	empty, full := open(t, filled(t, 0)), open(t, filled(t, 200))
	for _, width := range []int64{1280, 800, 360} {
		places := ""
		for _, at := range []struct {
			*browser
			path  string
			badge bool
		}{{empty, "/", false}, {full, "/", true}, {full, "/merge", true}, {full, "/review", true}} {
			at.do(chromedp.EmulateViewport(width, 800))
			at.open(at.path, "")
			at.until(fmt.Sprintf(`document.querySelector('.where')?.innerText && !!document.querySelector('nav .badge') === %t`, at.badge))
			now := value[string](at.browser, `[...document.querySelectorAll('nav a')].map(a => { const r = a.getBoundingClientRect(); return [a.pathname, r.x, r.y, r.width, r.height].join(' ') }).join('\n')`)
			if places == "" {
				places = now
			} else if now != places {
				t.Errorf("%d pixels wide, %s: the links are at\n%s\nand on an empty memory at\n%s", width, at.path, now, places)
			}
		}
	}
}

// A use is what the page and the server have of this machine, after both tidied up.
type use struct {
	page, server            int // kB of heap
	nodes, documents        int64
	handlers                int64 // of events, in the page
	goroutines, descriptors int   // of the server, and of the test itself
}

func (u use) String() string {
	return fmt.Sprintf("the page has %d kB, %d nodes, %d documents, %d handlers, the server %d kB, %d goroutines, %d descriptors", u.page, u.nodes, u.documents, u.handlers, u.server, u.goroutines, u.descriptors)
}

// outgrows allows for what views keep of what was seen last, the browser of what it may go back
// to, and for connections that come and go.
func (u use) outgrows(before use) bool {
	return u.page > 2*before.page+10<<10 || u.server > 2*before.server+20<<10 || u.documents > before.documents+20 ||
		u.handlers > 2*before.handlers+200 || u.goroutines > before.goroutines+30 || u.descriptors > before.descriptors+30
}

// uses measures, on the view that has least to show.
func (w *walker) uses() (u use) {
	w.t.Helper()
	w.open("/compare", "")
	w.settled()
	w.do(heapprofiler.CollectGarbage(), chromedp.ActionFunc(func(ctx context.Context) error {
		used, _, _, _, err := runtime.GetHeapUsage().Do(ctx)
		if err == nil {
			u.page = int(used) >> 10
			u.documents, u.nodes, u.handlers, err = memory.GetDOMCounters().Do(ctx)
		}
		return err
	}))
	var m goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&m)
	u.server, u.goroutines = int(m.HeapAlloc>>10), goruntime.NumGoroutine()
	open, _ := os.ReadDir("/proc/self/fd") // which other systems do not have
	u.descriptors = len(open)
	return u
}

// traverse goes back or forward in the history of the window, as far as the page is in it.
func (w *walker) traverse(by int64) {
	w.t.Helper()
	w.do(chromedp.ActionFunc(func(ctx context.Context) error {
		at, entries, err := page.GetNavigationHistory().Do(ctx)
		to := at + by
		if err != nil || to < 1 || to >= int64(len(entries)) { // the first is the empty window
			return err
		}
		if err := page.NavigateToHistoryEntry(entries[to].ID).Do(ctx); err != nil {
			return err
		}
		for at != to && ctx.Err() == nil { // an error is that of a document which is left at the moment
			if now, _, err := page.GetNavigationHistory().Do(ctx); err == nil {
				at = now
			}
		}
		return ctx.Err()
	}))
}

// arrived waits for the view that a step led to.
func (w *walker) arrived() {
	w.t.Helper()
	w.until(`document.readyState === 'complete' && document.querySelector('main')`)
}

// step does one thing that changes nothing of the memory.
func (w *walker) step() {
	w.t.Helper()
	keys := []string{"j", "k", kb.ArrowDown, kb.ArrowUp, kb.PageDown, kb.PageUp, kb.Home, kb.End, kb.Enter, kb.Escape, "/", "?", "c", "p", "g", "l", kb.Tab}
	switch n := w.IntN(22); {
	case n < 9:
		w.do(chromedp.KeyEvent(keys[w.IntN(len(keys))]))
	case n < 13: // a link, of those there are
		w.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const l = [...document.querySelectorAll('a[href^="/"], [role=option], summary, select, .tabs button')]; l.length && l[%d %% l.length].click(); })()`, w.IntN(1000)), nil))
	case n < 15:
		w.traverse(-1)
	case n < 16:
		w.traverse(1)
	case n < 19:
		w.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector('nav a[href="%s"]')?.click()`, views[w.IntN(len(views))][0]), nil))
	case n < 20: // a search, to the end
		w.open("/search", "")
		w.do(chromedp.WaitVisible("input[type=search]", chromedp.ByQuery), chromedp.SendKeys("input[type=search]", fmt.Sprintf("case %d holds", w.IntN(2000))+kb.Enter, chromedp.ByQuery))
		w.until(`location.search.includes('holds')`)
		w.settled()
	default:
		w.do(chromedp.Evaluate(`document.querySelector('input[type=search]') && (e => { e.value = 'run 1'; e.dispatchEvent(new Event('input', {bubbles: true})); })(document.querySelector('input[type=search]'))`, nil))
	}
}

// edit begins to add or change an item, and saves it or goes away.
func (w *walker) edit() {
	w.t.Helper()
	w.begun++
	id := fmt.Sprintf("walk-%d", w.begun)
	known := make([]string, 0, len(w.saved))
	for key := range w.saved {
		known = append(known, key)
	}
	if slices.Sort(known); len(known) > 3 && w.IntN(3) > 0 {
		id = known[w.IntN(len(known))]
	}
	before, there := w.saved[id]
	more := fmt.Sprintf(" Edit %d says %d.", w.begun, w.IntN(1000))
	text := strings.TrimPrefix(before+more, " ")
	w.do(chromedp.Evaluate("sessionStorage.clear()", nil)) // of what steps typed into a form
	if there {
		w.open("/knowledge/"+id, before)
		w.do(chromedp.KeyEvent("e"))
	} else {
		w.open("/knowledge/+", "Add an item")
		w.do(chromedp.SendKeys("form input", id, chromedp.ByQuery))
	}
	w.until(fmt.Sprintf(`document.querySelector('form textarea')?.value === %q`, before))
	w.do(chromedp.Focus("form textarea", chromedp.ByQuery), chromedp.Evaluate(`(e => e.setSelectionRange(e.value.length, e.value.length))(document.activeElement)`, nil), input.InsertText(text[len(before):]))
	save := chromedp.Click("form button.primary", chromedp.ByQuery)
	switch w.IntN(5) {
	case 0:
		w.do(chromedp.KeyEvent(kb.Escape))
		w.until(`!document.querySelector('main form')`)
		return
	case 1:
		w.do(chromedp.Click(`nav a[href="/activity"]`, chromedp.ByQuery))
		w.until(`document.title.startsWith('Activity')`)
		w.resumed(id, there, text)
		return
	case 2:
		save = chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(input.ModifierCtrl))
	}
	w.do(save)
	w.until(fmt.Sprintf(`!document.querySelector('main form') && document.querySelector('.side').innerText.includes(%q)`, text))
	w.saved[id] = text
	w.kept++
}

// resumed opens again what was left unsaved, finds it as it was written, and discards it.
func (w *walker) resumed(id string, there bool, text string) {
	w.t.Helper()
	if there {
		w.open("/knowledge/"+id, "You changed it and did not save.")
		w.do(chromedp.Click(goOn))
	} else {
		w.open("/knowledge/+", "This is what you wrote and did not save.")
	}
	w.until(fmt.Sprintf(`document.querySelector('form textarea')?.value === %q && document.activeElement.form`, text))
	w.do(chromedp.KeyEvent(kb.Escape))
	w.until(`!document.querySelector('main form')`)
}

// nothingLost reports what of the items is not as it was saved last.
func (w *walker) nothingLost() {
	w.t.Helper()
	m := pagetest.Open(w.t, w.a)
	for id, text := range w.saved {
		if k, err := m.Knowledge.Item(w.t.Context(), id); err != nil || k.Item.Content != text {
			w.t.Errorf("%s is %q, %v; saved was %q", id, k.Item.Content, err, text)
		}
	}
}

// sameAgain loads the address anew, where the page shows what it showed.
func (w *walker) sameAgain(where string) {
	w.t.Helper()
	view := `[location.pathname + location.search, document.title, document.querySelector('main h1')?.innerText].join(' | ')`
	w.settled()
	w.until(`location.pathname !== '/' || (document.querySelector('main input[type=search]')?.value ?? '') === (new URLSearchParams(location.search).get('q') ?? '')`) // which takes a moment
	before := value[string](w.browser, view)
	w.do(chromedp.Reload())
	w.settled()
	if again := value[string](w.browser, view); again != before {
		w.t.Errorf("%s: %q is %q when it is loaded again", where, before, again)
	}
}
