package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/export"
)

// openFile writes a memory as one page, and opens that as somebody does to whom it was sent.
func openFile(t *testing.T, a *app.App) *browser {
	t.Helper()
	b := launch(t)
	name := filepath.Join(t.TempDir(), "memory.html")
	c := export.New(a)
	c.SetArgs([]string{"--all", "--html", name})
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(name); err != nil {
		t.Fatal(err)
	} else {
		t.Logf("%d bytes", st.Size())
	}
	b.home = "file://" + filepath.ToSlash(name)
	b.do(chromedp.Navigate(b.home), chromedp.WaitVisible("main", chromedp.ByQuery))
	return b
}

// An exported file shows all of 10,000 checkpoints without a server, walked by keys; in short,
// of 1,000.
func TestFileOfMany(t *testing.T) {
	n, all := 10_000, "10,000"
	if testing.Short() {
		n, all = 1000, "1,000"
	}
	b := openFile(t, filled(t, n))
	b.until(`document.querySelectorAll('[role=option]').length > 10`)
	t.Logf("rows after %d ms", value[int](b, `Math.round(performance.now())`))
	b.do(chromedp.Focus("[role=listbox]", chromedp.ByQuery), chromedp.KeyEvent(kb.End))
	b.until(fmt.Sprintf(`document.querySelector('[aria-selected=true]')?.getAttribute('aria-posinset') === '%d' && document.querySelector('.side h2').innerText.includes('mould')`, n))
	if n := value[int](b, `document.querySelectorAll('[role=option]').length`); n > 100 {
		t.Errorf("%d rows are drawn", n)
	}
	b.do(chromedp.KeyEvent("/"))
	b.until(`document.activeElement.type === 'search'`)
	b.do(chromedp.Evaluate("document.activeElement.select()", nil), chromedp.KeyEvent("6899."))
	b.until(fmt.Sprintf(`document.querySelector('.count[role=status]').innerText === '1 of %s'`, all))
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.activeElement.getAttribute('role') === 'listbox'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`location.hash.startsWith('#/checkpoints/') && document.querySelector('h1').innerText.includes('run 6899')`)
	b.do(chromedp.Reload())
	b.until(`document.querySelector('h1')?.innerText.includes('run 6899')`)
	b.do(chromedp.NavigateBack())
	b.until(fmt.Sprintf(`document.querySelector('.count[role=status]')?.innerText === '1 of %s'`, all))
	b.quiet("a file of many")
}

// Who goes back before a file was painted is shown what was there.
func TestFileIsLeftAtOnce(t *testing.T) {
	b := openFile(t, stocked(t))
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`new MutationObserver((_, o) => {
			if (document.querySelector('main h1')) { o.disconnect(); history.replaceState(null, '', '#/'); dispatchEvent(new PopStateEvent('popstate')); }
		}).observe(document, {subtree: true, childList: true})`).Do(ctx)
		return err
	}), chromedp.Navigate(b.home+"#/checkpoints/nosuch"), chromedp.Reload())
	b.until(`document.querySelector('[role=option]')`)
}

// A file runs nothing but its own script, whatever the texts in it are, at any width.
func TestFileIsInert(t *testing.T) {
	b := openFile(t, stocked(t))
	for _, width := range []int64{1280, 360} {
		b.do(chromedp.EmulateViewport(width, 800))
		for _, v := range [][2]string{{"#/", "ARC beats LRU"}, {"#/?q=evil", "U+202E"}, {"#/checkpoints/nosuch", "Not in this file"}, {"#/%", "ARC"}} {
			b.do(chromedp.Evaluate(fmt.Sprintf("location.hash = %q", v[0]), nil))
			b.until(fmt.Sprintf("document.querySelector('main').innerText.includes(%q)", v[1]))
			where := fmt.Sprintf("%s, %d", v[0], width)
			if over := value[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s: %d pixels too wide", where, over)
			}
			if n := value[int](b, `document.querySelectorAll('main script, main img, main iframe, main [onerror]').length`); n > 0 {
				t.Errorf("%s: a text became %d elements", where, n)
			}
			b.quiet(where)
		}
	}
	// The policy of the file itself: no script but its own, no request.
	for script, want := range map[string]string{
		`(() => { try { document.body.innerHTML = '<b>x</b>'; return 'made' } catch (e) { return e.name } })()`:                  "TypeError",
		`fetch('https://example.org/').then(() => 'went', e => e.name)`:                                                          "TypeError",
		`new Promise(r => { const s = document.createElement('img'); s.onload = s.onerror = e => r(e.type); s.src = 'x.png'; })`: "error",
	} {
		var got string
		b.do(chromedp.Evaluate(script, &got, awaited))
		if got != want {
			t.Errorf("%s: %s", script, got)
		}
	}
	b.said = nil
}
