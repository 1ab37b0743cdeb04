package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/page"
	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/embed/weights"
)

// A browser has the page open. What it says, and asks for elsewhere, fails the test.
type browser struct {
	t    *testing.T
	ctx  context.Context
	home string // what all it asks for begins with
	of   cdp.BrowserContextID

	mu   sync.Mutex
	said []string
}

// within bounds what never comes; what is there is seen long before.
const within = time.Minute

// open serves a memory, and opens it in the browser of this machine.
func open(t *testing.T, a *app.App) *browser {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := page.Options{App: a, Token: "TOKENOFATEST"}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- page.Serve(ctx, l, o) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	b := launch(t)
	b.home = "http://" + l.Addr().String()
	b.do(chromedp.Navigate(page.Address(l, o.Token)))
	b.until(`document.querySelector('.where')?.innerText`) // from when on it listens to keys, too
	return b
}

// program is the one browser of all tests, started by the first: each has a context in it, with
// cookies of its own, for to start a browser takes longer than most tests.
var program struct {
	sync.Once
	ctx  context.Context
	home string // it writes nowhere else
	err  error
}

// errNoBrowser says that nothing here can be tried on this machine.
var errNoBrowser = errors.New("there is no chromium on this machine: the page was not tried in a browser")

func TestMain(m *testing.M) {
	code := m.Run()
	if program.ctx != nil {
		_ = chromedp.Cancel(program.ctx)
	}
	_ = os.RemoveAll(program.home)
	os.Exit(code)
}

// start starts the browser of this machine.
func start() (context.Context, string, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		return nil, "", errNoBrowser
	}
	home, err := os.MkdirTemp("", "browser")
	if err != nil {
		return nil, "", err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(home+"/data"),
		chromedp.Env("HOME="+home, "TMPDIR="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_RUNTIME_DIR="+home),
		chromedp.WSURLReadTimeout(within))
	alloc, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(alloc)
	return ctx, home, chromedp.Run(ctx)
}

// launch opens a window of the browser of this machine that nothing else is seen in.
func launch(t *testing.T) *browser {
	t.Helper()
	program.Do(func() { program.ctx, program.home, program.err = start() })
	if errors.Is(program.err, errNoBrowser) {
		t.Skip(program.err)
	} else if program.err != nil {
		t.Fatal(program.err)
	}
	ctx := cdp.WithExecutor(program.ctx, chromedp.FromContext(program.ctx).Browser)
	of, err := target.CreateBrowserContext().Do(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = target.DisposeBrowserContext(of).Do(ctx) })
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(of).WithNewWindow(true).Do(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return attach(t, &browser{of: of}, chromedp.WithTargetID(id))
}

// tab opens another tab beside this one.
func (b *browser) tab() *browser {
	b.t.Helper()
	return attach(b.t, &browser{home: b.home, of: b.of}, chromedp.WithExistingBrowserContext(b.of))
}

// attach follows what a window of the size of a small screen does.
func attach(t *testing.T, b *browser, option chromedp.ContextOption) *browser {
	t.Helper()
	ctx, closed := chromedp.NewContext(program.ctx, option)
	t.Cleanup(closed)
	b.t, b.ctx = t, ctx
	chromedp.ListenTarget(ctx, b.hear)
	if err := chromedp.Run(ctx); err != nil { // a window lives as long as the context of the first run
		t.Fatal(err)
	}
	b.do(network.Enable(), cdplog.Enable(), runtime.Enable(), chromedp.EmulateViewport(1280, 800))
	return b
}

// hear notes what a page should not do.
func (b *browser) hear(ev any) {
	said := ""
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		said = fmt.Sprintf("console: %v", ev.Args)
	case *runtime.EventExceptionThrown:
		said = "exception: " + ev.ExceptionDetails.Error()
	case *cdplog.EventEntryAdded:
		said = "log: " + ev.Entry.Text + " " + ev.Entry.URL
	case *cdppage.EventJavascriptDialogOpening:
		said = "dialog: " + ev.Message
	case *network.EventRequestWillBeSent:
		if u := ev.Request.URL; !strings.HasPrefix(u, b.home+"/") && u != b.home && !strings.HasPrefix(u, "chrome:") {
			said = "request: " + ev.Request.URL
		}
	}
	if said != "" {
		b.mu.Lock()
		b.said = append(b.said, said)
		b.mu.Unlock()
	}
}

// quiet reports what was said since it was asked last.
func (b *browser) quiet(where string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.said {
		b.t.Errorf("%s: %s", where, s)
	}
	b.said = nil
}

func (b *browser) do(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, within)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.fail(err)
	}
}

// fail ends the test with what the page shows.
func (b *browser) fail(err error) {
	b.t.Helper()
	var now string
	_ = chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + ", " + document.activeElement.outerHTML.slice(0, 200) + ", " + document.querySelector('input')?.value + "\n" + document.querySelector('.count')?.innerText + "\n" + (document.querySelector('.side, main') || document.body).innerText.slice(0, 900)`, &now))
	b.t.Fatalf("%v; the page shows %s", err, now)
}

// until waits for what a script says to be true, in whichever document the window has then.
func (b *browser) until(script string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, within)
	defer cancel()
	look := fmt.Sprintf(`new Promise(done => { const look = () => { let is; try { is = %s } catch {} is ? done(true) : setTimeout(look, 50) }; look() })`, script)
	for is := false; !is; {
		if err := chromedp.Run(ctx, chromedp.Evaluate(look, &is, awaited)); ctx.Err() != nil { // any other is that of a document which is left at the moment
			b.fail(fmt.Errorf("%s: %w", script, err))
		}
	}
}

// value is what a script says.
func value[T any](b *browser, script string) (v T) {
	b.t.Helper()
	b.do(chromedp.Evaluate(script, &v))
	return v
}

// open opens an address of the page and waits for what it shows there.
func (b *browser) open(path, shows string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.home + path))
	b.until(fmt.Sprintf("document.querySelector('main')?.innerText.includes(%q)", shows))
}

// stocked is a memory with something for each view to show.
func stocked(t *testing.T) *app.App {
	a := pagetest.New(t)
	a.Weights = models.Weights{Prose: weights.Prose, Code: weights.Code}
	sure := 0.7
	pagetest.Save(t, a, sage.Checkpoint{CoreQuestion: "Which cache policy do we ship?", Thesis: "ARC beats LRU on our traces.", Confidence: &sure, KeyEvidence: []string{"hit rate 71% against 62%"}})
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "Paste <script>alert(1)</script> \u202eevil\u202c \u200b \x1b[31m", KeyEvidence: []string{"<img src=x onerror=alert(2)>", strings.Repeat("long ", 50_000)}})
	pagetest.Remember(t, a, &sage.Item{ID: "staging-wipe", Content: "The staging database is emptied every Sunday night.", Keywords: []string{"staging database"}})
	pagetest.Remember(t, a, &sage.Item{ID: "deploy-day", Content: "Deploys run on Tuesdays at 14:00."})
	pagetest.Remember(t, a, &sage.Item{ID: "deploy-weekday", Content: "Deploys run on Thursdays at 14:00."})
	return a
}

// views are all addresses, with what each shows of the memory.
var views = [][2]string{
	{"/", "ARC beats LRU"}, {"/checkpoints/main~1", "hit rate 71%"}, {"/checkpoints/main", "U+202E"}, {"/checkpoints/nosuch", "no such"},
	{"/compare", "Compare two checkpoints"}, {"/compare/main~1/main", "hit rate 71%"}, {"/merge", "Merge into main"},
	{"/knowledge", "staging database"}, {"/knowledge/staging-wipe", "Sunday"}, {"/knowledge/+", "Add an item"},
	{"/recall", "What would a prompt recall?"}, {"/recall?q=why+is+the+staging+database+empty", "staging-wipe"},
	{"/review", "contradict"}, {"/search?q=cache", "ARC beats LRU"}, {"/activity", "You"}, {"/usage?since=50+years+ago", "No session in that time"}, {"/nosuch", "There is no such page"},
}

// Each view shows what it should, at any width, in both colours, without a word to the
// console and without a look elsewhere; texts of others are texts. Axe, if it is there, has
// nothing against it.
func TestViews(t *testing.T) {
	script, err := axeScript()
	if err != nil {
		t.Log("there is no axe-core on this machine: whom the page shuts out was not tried: ", err)
	}
	b := open(t, stocked(t))
	for _, dark := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			if spared(dark, width) {
				continue
			}
			b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: dark}}), chromedp.EmulateViewport(width, 800))
			for _, v := range views {
				b.open(v[0], v[1])
				where := fmt.Sprintf("%s, %s, %d", v[0], dark, width)
				if over := value[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%s: %d pixels too wide", where, over)
				}
				if n := value[int](b, `document.querySelectorAll('main script, main img, main iframe, main [onerror]').length`); n > 0 {
					t.Errorf("%s: a text became %d elements", where, n)
				}
				if bare := value[string](b, unnamed); bare != "" {
					t.Errorf("%s: has no name: %s", where, bare)
				}
				if script != "" {
					b.settled()
					b.accessible(script, where)
				}
				if strings.HasSuffix(v[0], "/nosuch") { // which the browser says of each answer of 404
					b.said = nil
				}
				b.quiet(where)
			}
		}
	}
}

// spared reports whether a view is not looked at in these colours at this width: in short it is
// in each of both, but not in both of each.
func spared(colours string, width int64) bool {
	return testing.Short() && (width == 360) != (colours == "dark")
}

// unnamed finds controls that a screen reader could not name.
const unnamed = `[...document.querySelectorAll('button, a, input, select, textarea, meter, [role=listbox], [role=img]')].filter(e =>
	!(e.innerText || '').trim() && !e.getAttribute('aria-label') && !e.closest('label') && !e.title).map(e => e.outerHTML.slice(0, 80)).join(' ')`

// The lineage is walked with keys alone.
func TestKeysWalkTheLineage(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, 600)
	b := open(t, a)
	b.until(`document.querySelectorAll('[role=option]').length > 10`)
	b.do(chromedp.Focus("[role=listbox]", chromedp.ByQuery))
	at := func(n int) {
		t.Helper()
		b.until(fmt.Sprintf(`(() => { const l = document.querySelector('[role=listbox]'), o = document.getElementById(l.getAttribute('aria-activedescendant'));
			return o && o.getAttribute('aria-posinset') === '%d' && o.getAttribute('aria-setsize') === '600' && o.getAttribute('aria-selected') === 'true' && o.innerText.trim() !== '…' &&
				o.getBoundingClientRect().bottom <= l.getBoundingClientRect().bottom + 1 && o.getBoundingClientRect().top >= l.getBoundingClientRect().top - 1; })()`, n))
	}
	at(1)
	for _, step := range []struct {
		key string
		n   int
	}{{kb.ArrowDown, 2}, {"j", 3}, {"k", 2}, {kb.End, 600}, {kb.ArrowUp, 599}, {kb.Home, 1}} {
		b.do(chromedp.KeyEvent(step.key))
		at(step.n)
	}
	if n := value[int](b, `document.querySelectorAll('[role=option]').length`); n > 100 {
		t.Errorf("%d rows are drawn", n)
	}
	b.do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent("k"))
	at(599)
	b.do(chromedp.KeyEvent("c"), chromedp.KeyEvent(kb.Enter))
	b.until(`location.pathname.startsWith('/checkpoints/') && document.querySelector('h1:not(.sr)')`)
	b.do(chromedp.KeyEvent(kb.Escape))
	at(599) // it is where one left
	b.do(chromedp.KeyEvent("k"))
	at(598)
	b.do(chromedp.KeyEvent("c"))
	b.until(`location.pathname.startsWith('/compare/') && document.querySelectorAll('.two h2').length === 2`)
	b.do(chromedp.NavigateBack())
	at(598)
	if marked := value[int](b, `document.querySelectorAll('.marked').length`); marked > 0 {
		t.Error("what was compared is marked still")
	}
	b.do(chromedp.KeyEvent("/"))
	b.until(`document.activeElement.type === 'search'`)
	b.do(chromedp.Evaluate("document.activeElement.select()", nil), chromedp.KeyEvent("run 6899")) // in place of the key, which the protocol types although it was taken
	b.until(`document.querySelector('.count').innerText.startsWith('1 of') && document.querySelector('[role=option]')?.innerText.includes('Case 59 ')`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.activeElement.getAttribute('role') === 'listbox'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`location.pathname.startsWith('/checkpoints/') && document.querySelector('h1')?.innerText.includes('Case 59 ')`)
	b.do(chromedp.NavigateBack())
	b.until(`location.pathname === '/' && document.querySelector('.count')?.innerText.startsWith('1 of')`)
	b.quiet("walking")
}

// Until the lineage is there, it says that it is read; where it is, authors stand below each other,
// and in a narrow window no view is out of reach.
func TestLineageWhileItLoads(t *testing.T) {
	a := pagetest.New(t)
	sure := 0.7
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "ARC beats LRU on our traces.", Confidence: &sure})
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "We shard by tenant."})
	b := open(t, a)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(`{ const f = window.fetch; window.fetch = (path, o) => path.startsWith('/api/graph') ? new Promise(done => { window.go = () => done(f(path, o)); }) : f(path, o); }`).Do(ctx)
		return err
	}), chromedp.Navigate(b.home))
	b.until(`window.go && document.querySelector('.pane [role=status].wait')?.innerText === 'Loading …' && document.querySelector('[role=listbox]').ariaBusy === 'true'`)
	b.do(chromedp.Evaluate(`go()`, nil))
	b.until(`document.querySelectorAll('[role=option]').length === 2 && !document.querySelector('.wait') && document.querySelector('[role=listbox]').ariaBusy !== 'true'`)
	if ends := value[[]float64](b, `[...document.querySelectorAll('[role=option] .what')].map(e => e.getBoundingClientRect().right)`); ends[0] != ends[1] {
		t.Errorf("what stands before the confidence ends at %v", ends)
	}
	for _, width := range []int64{320, 390, 800, 1280} {
		b.do(chromedp.EmulateViewport(width, 800))
		if cut := value[string](b, `[...document.querySelectorAll('nav a')].filter(e => (r => r.right > innerWidth || r.left < 0)(e.getBoundingClientRect())).map(e => e.innerText).join()`); cut != "" {
			t.Errorf("at %d pixels these are cut off: %s", width, cut)
		}
	}
	b.quiet("loading")
}

// A filter shows what was typed last, however fast it is typed.
func TestFilterTypedFast(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, 150)
	b := open(t, a)
	b.until(`document.querySelector('[role=option]')?.innerText.includes('Case')`)
	b.do(chromedp.Evaluate(`(async () => {
		const field = document.querySelector('input[type=search]');
		for (const q of ['r', 'ru', 'run', 'run 6899']) {
			field.value = q;
			field.dispatchEvent(new Event('input', {bubbles: true}));
			for (let i = 0; i < 5; i++) await 0; // it is drawn, but not painted yet
		}
	})()`, nil, awaited))
	b.until(`document.querySelector('.count').innerText === '1 of 150' && document.querySelector('[role=option]').innerText.includes('run 6899')`)
	b.quiet("the filter")
}

// goOn is the button that leads to what was not saved.
const goOn = `//button[text()="Go on"]`

// An item is changed where it is shown; what somebody else made of it meanwhile is shown, and
// is not lost, nor is what was not saved before the page is loaded again.
func TestEditOfAnItem(t *testing.T) {
	a := stocked(t)
	b := open(t, a)
	edit := func(text string) {
		t.Helper()
		b.open("/knowledge/staging-wipe", "Sunday")
		b.do(chromedp.KeyEvent("e"), chromedp.WaitVisible("form textarea", chromedp.ByQuery))
		b.until(`document.activeElement.tagName === 'TEXTAREA' && document.activeElement.value.includes('Sunday')`)
		b.do(chromedp.SendKeys("form textarea:focus", text, chromedp.ByQuery))
	}
	content := func() string {
		t.Helper()
		k, err := pagetest.Open(t, a).Knowledge.Item(t.Context(), "staging-wipe")
		if err != nil {
			t.Fatal(err)
		}
		return k.Item.Content
	}
	save := chromedp.Click("form button.primary", chromedp.ByQuery)
	edit(" At two.")
	b.do(save)
	b.until(`!document.querySelector('main form') && document.querySelector('.side').innerText.includes('At two.')`)
	if got := content(); !strings.HasSuffix(got, "night. At two.") {
		t.Errorf("%q", got)
	}
	b.quiet("the edit")
	edit(" Mine.")
	const theirs = "The staging database is emptied on Mondays, since Sunday was too early."
	pagetest.Change(t, a, "staging-wipe", theirs)
	b.do(save)
	b.until(`document.querySelector('.side').innerText.includes('Save mine instead') && document.querySelector('.side').innerText.includes('on Mondays')`)
	if got := content(); got != theirs {
		t.Errorf("%q", got)
	}
	b.do(chromedp.Click(`//button[text()="Save mine instead"]`))
	b.until(`!document.querySelector('main form') && document.querySelector('.side').innerText.includes('Mine.')`)
	if got := content(); !strings.HasSuffix(got, "Mine.") {
		t.Errorf("%q", got)
	}
	edit(" Unsaved.")
	b.do(chromedp.Reload())
	b.until(`document.querySelector('.side')?.innerText.includes('You changed it and did not save.')`)
	b.do(chromedp.Click(goOn))
	b.until(`document.querySelector('form textarea')?.value.endsWith('Unsaved.') && document.activeElement.form`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector('main form') && document.querySelector('.side').innerText.includes('Mine.') && !document.querySelector('.side').innerText.includes('did not save')`)
}

// A prompt is tried, and one that finds nothing becomes a request of the item.
func TestRecallTester(t *testing.T) {
	b := open(t, stocked(t))
	b.open("/recall", "What would a prompt recall?")
	b.until(`document.activeElement.tagName === 'TEXTAREA'`)
	b.do(chromedp.KeyEvent("why is the staging database empty?" + kb.Enter))
	b.until(`[...document.querySelectorAll('.match:not(.left)')].some(e => e.innerText.includes('staging-wipe') && e.innerText.includes('needs 45%'))`)
	if twice := value[string](b, `[...document.querySelectorAll('.match.left .why')].map(e => e.innerText).filter(s => s.includes('below') && s.includes('needs')).join()`); twice != "" {
		t.Errorf("the threshold is told twice: %s", twice)
	}
	b.open("/recall?q=who+cleans+up+our+rehearsal+machine", "Left out")
	b.do(chromedp.Click(`//section[contains(., "staging-wipe")]//button[contains(., "requests")]`))
	b.until(`[...document.querySelectorAll('.match:not(.left)')].some(e => e.innerText.includes('staging-wipe'))`)
	b.quiet("recall")
}

// A page that is open follows the memory.
func TestPageFollowsTheMemory(t *testing.T) {
	a := pagetest.New(t)
	b := open(t, a)
	b.until(`document.querySelector('main').innerText.includes('Nothing is saved yet')`)
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "It came while you looked."})
	b.until(`document.querySelector('[role=listbox]')?.innerText.includes('It came while you looked.')`)
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "The second is picked."})
	picked := func(thesis string, place int) {
		t.Helper()
		b.until(fmt.Sprintf(`(o => o.innerText.includes(%q) && o.getAttribute('aria-posinset') === '%d')(document.querySelector('[aria-selected=true]')) && document.querySelector('.side h2').innerText === %[1]q`, thesis, place))
	}
	picked("The second is picked.", 1) // nothing was picked: the newest is shown
	b.do(chromedp.Focus("[role=listbox]", chromedp.ByQuery), chromedp.KeyEvent("j"), chromedp.KeyEvent("k"))
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "The third comes above it."})
	picked("The second is picked.", 2)
	b.quiet("following")
}
