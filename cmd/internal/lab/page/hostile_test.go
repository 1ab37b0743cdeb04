package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// refused is what the browser says of an answer that is an error, whatever the page makes of it.
const refused = "log: Failed to load resource:"

// quietButFor is quiet, but for what begins in a known way.
func (b *browser) quietButFor(where, known string) {
	b.t.Helper()
	b.mu.Lock()
	var rest []string
	for _, s := range b.said {
		if !strings.HasPrefix(s, known) {
			rest = append(rest, s)
		}
	}
	b.said = rest
	b.mu.Unlock()
	b.quiet(where)
}

// hostile are texts that would do something, were they not texts.
var hostile = []string{
	`<script>window.hit = 1</script><img src=x onerror="window.hit = 2"><svg onload="window.hit = 3">`,
	`[click](javascript:window.hit=4) <a href="javascript:window.hit=5">here</a>`,
	"\u202eevil\u202c \u2066iso\u2069 \u200bzero\u200d \ufeff \U000e0041 \x1b]0;title\x07\x1b[31mred",
	`</textarea></title></style><style>* { display: none }</style>{{constructor.constructor('window.hit=6')()}}`,
	`__proto__`, `"><b onclick=window.hit=7>`,
}

// Whatever stands in a text, it is a text: on every view of a checkpoint and of an item.
func TestHostileTexts(t *testing.T) {
	a := pagetest.New(t)
	all := strings.Join(hostile, "\n")
	pagetest.Save(t, a, sage.Checkpoint{
		CoreQuestion: hostile[0], Thesis: hostile[2] + hostile[0], KeyEvidence: hostile, ReasoningTrace: all, OpenQuestions: hostile,
		Sources:    []sage.Source{{ID: "javascript:window.hit=8", Type: "document", Identifier: "javascript:window.hit=9", Take: hostile[3], Relation: "supports"}},
		DomainData: map[string]any{"__proto__": hostile[0], "constructor": hostile[1]}, FilesChanged: []string{"<img src=x onerror=window.hit=10>.go"},
	})
	pagetest.Save(t, a, sage.Checkpoint{Thesis: strings.Repeat("a line of a thesis\n", 10_000)})
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "One long field.", KeyEvidence: []string{strings.Repeat("m", 1<<20)}})
	pagetest.Remember(t, a, &sage.Item{ID: "hostile", Content: all, Keywords: hostile[3:5], Description: hostile[0]})
	b := open(t, a)
	look := func(where string) {
		t.Helper()
		b.settled()
		if n := value[int](b, `document.querySelectorAll('main script, main img, main iframe, main style, main [onerror], main [onload], main [onclick], [href^="javascript:"]').length`); n > 0 {
			t.Errorf("%s: a text became %d elements", where, n)
		}
		if hit := value[string](b, `String(window.hit)`); hit != "undefined" {
			t.Errorf("%s: a text was run: %s", where, hit)
		}
		if bare := value[string](b, `(document.querySelector('main').innerText.match(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u001b\u0007]/g) || []).map(c => c.charCodeAt(0).toString(16)).join()`); bare != "" {
			t.Errorf("%s: invisible characters: %s", where, bare)
		}
		if over := value[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: %d pixels too wide", where, over)
		}
		b.quiet(where)
	}
	for _, width := range []int64{1280, 360} {
		b.do(chromedp.EmulateViewport(width, 800))
		for _, path := range []string{"/", "/checkpoints/main~2", "/checkpoints/main~1", "/checkpoints/main", "/compare/main~2/main", "/compare/main~1/main~2", "/knowledge", "/knowledge/hostile", "/recall?q=" + "hostile", "/search?q=evil", "/activity"} {
			b.open(path, "")
			look(fmt.Sprintf("%s, %d", path, width))
		}
		b.open("/checkpoints/main~2", "U+202E")
		if n := value[int](b, `document.querySelectorAll('.mark').length`); n < 10 {
			t.Errorf("%d marks", n)
		}
		b.open("/knowledge/hostile", "U+202E")
		b.do(chromedp.KeyEvent("e"))
		b.until(`document.querySelector('form textarea')?.value.includes('\u202e')`) // as it is, so that it stays
		look("the form")
		b.until(`document.querySelector('form .suspect').innerText.includes('cannot be seen')`)
	}
}

// Two tabs follow one memory: what one saved is in the other, and an edit that was begun
// before is not lost and loses nothing.
func TestTwoTabs(t *testing.T) {
	a := stocked(t)
	one := open(t, a)
	other := one.tab()
	other.open("/knowledge/staging-wipe", "Sunday")
	other.do(chromedp.KeyEvent("e"), chromedp.WaitVisible("form textarea", chromedp.ByQuery))
	other.until(`document.activeElement.value?.includes('Sunday')`)
	other.do(chromedp.SendKeys("form textarea:focus", " Theirs.", chromedp.ByQuery))
	one.open("/knowledge/staging-wipe", "Sunday")
	one.do(chromedp.KeyEvent("e"), chromedp.WaitVisible("form textarea", chromedp.ByQuery))
	one.until(`document.activeElement.value?.includes('Sunday')`)
	one.do(chromedp.SendKeys("form textarea:focus", " Mine.", chromedp.ByQuery), chromedp.Click("form button.primary", chromedp.ByQuery))
	one.until(`!document.querySelector('main form') && document.querySelector('.side').innerText.includes('Mine.')`)
	other.until(`document.querySelector('form textarea').value.endsWith('Theirs.')`)
	other.do(chromedp.Click("form button.primary", chromedp.ByQuery))
	other.until(`document.querySelector('.side').innerText.includes('Save mine instead') && document.querySelector('.is').innerText.includes('Mine.') && document.querySelector('.was').innerText.includes('Theirs.')`)
	other.do(chromedp.Click(`//button[text()="Save mine instead"]`))
	other.until(`!document.querySelector('main form') && document.querySelector('.side').innerText.includes('Theirs.')`)
	one.do(page.BringToFront()) // a page that nobody sees does not look
	one.until(`document.querySelector('.side').innerText.includes('Theirs.')`)
	one.quiet("one")
	other.quietButFor("the other", refused)
}

// What others do to a list moves nothing under the hands of who edits or judges, and what was
// typed stays when its item is removed.
func TestListsChangeWhileUsed(t *testing.T) {
	a := stocked(t)
	b := open(t, a)
	b.open("/knowledge", "Tuesdays")
	b.until(`[...document.querySelectorAll('.side button')].some((x) => x.innerText.startsWith('Edit'))`)
	b.press("e")
	b.until(`document.activeElement.matches('form textarea') && document.activeElement.value.includes('Tuesdays')`)
	b.write(" Typed.")
	pagetest.Remember(t, a, &sage.Item{ID: "aaa", Content: "It comes first."})
	b.until(`document.querySelectorAll('[role=option]').length === 4`)
	b.until(`document.querySelector('form textarea')?.value.endsWith('Typed.')`)
	pagetest.Forget(t, a, "deploy-day")
	b.until(`document.querySelectorAll('[role=option]').length === 3`)
	b.until(`document.querySelector('form textarea')?.value.endsWith('Typed.')`)
	b.do(save)
	b.until(`document.querySelector('form .fault') && document.querySelector('form textarea').value.endsWith('Typed.')`)
	pagetest.Remember(t, a, &sage.Item{ID: "deploy-day", Content: "Deploys run on Tuesdays at 14:00."},
		&sage.Item{ID: "backup-hour", Content: "Backups start at 02:00 each night."}, &sage.Item{ID: "backup-time", Content: "Backups start at 04:00 each night."})
	b.open("/review", "1 of 2")
	b.press("n")
	b.until(`document.querySelector('main').innerText.includes('2 of 2')`)
	looked := value[string](b, `document.querySelector('.card').innerText`)
	other := "backup-time"
	if strings.Contains(looked, "Backups") {
		other = "deploy-weekday"
	}
	pagetest.Forget(t, a, other)
	b.until(`document.querySelector('main').innerText.includes('1 of 1')`)
	if now := value[string](b, `document.querySelector('.card').innerText`); now != looked {
		t.Errorf("looked at %q, and it became %q", looked, now)
	}
	b.quietButFor("a list that changes", refused)
}

// What is removed or damaged while it is looked at becomes a line that says so, and the page
// goes on.
func TestMemoryBreaksWhileOpen(t *testing.T) {
	a := stocked(t)
	first := pagetest.Save(t, a, sage.Checkpoint{Thesis: "It goes soon."}).ID
	b := open(t, a)
	b.open("/checkpoints/"+first, "It goes soon.")
	pagetest.Git(t, a, "update-ref", "refs/sage/heads/main", first+"~1")
	pagetest.Git(t, a, "reflog", "expire", "--expire=now", "--all")
	pagetest.Git(t, a, "prune", "--expire=now")
	b.do(chromedp.Reload())
	b.until(`document.querySelector('main')?.innerText.trim() && !document.querySelector('.wait')`)
	b.open("/", "")
	b.settled()
	damaged(t, a)
	for _, v := range views {
		b.open(v[0], "")
		b.settled()
		if shown := value[string](b, `document.querySelector('main').innerText.trim()`); shown == "" {
			t.Errorf("%s: nothing is shown", v[0])
		}
		b.quietButFor(v[0], refused)
	}
}

// damaged empties every loose object.
func damaged(t *testing.T, a *app.App) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(a.Dir, ".git", "objects", "??", "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v: no objects", err)
	}
	for _, name := range names {
		if err := os.Chmod(name, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
