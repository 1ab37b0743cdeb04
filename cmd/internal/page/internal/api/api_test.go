package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/review"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// A client asks an API without what stands before it.
type client struct {
	t   testing.TB
	mux *http.ServeMux
	api *API
}

func newClient(t testing.TB, a *app.App) *client {
	t.Helper()
	there := *a
	there.Indexes = &sidecar.Indexes{Long: true}
	c := &client{t, http.NewServeMux(), New(&there)}
	c.api.Register(c.mux)
	return c
}

// do asks, and reads the answer into into unless that is nil.
func (c *client) do(method, path string, body, into any, headers ...string) *httptest.ResponseRecorder {
	c.t.Helper()
	text := ""
	if s, ok := body.(string); ok {
		text = s
	} else if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		text = string(b)
	}
	r := httptest.NewRequest(method, path, strings.NewReader(text))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.mux.ServeHTTP(w, r)
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			c.t.Fatalf("%s %s: %v: %s", method, path, err, w.Body)
		}
	}
	return w
}

// get asks for what has to be there.
func (c *client) get(path string, into any, headers ...string) *httptest.ResponseRecorder {
	c.t.Helper()
	w := c.do("GET", path, nil, into, headers...)
	if w.Code != http.StatusOK {
		c.t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
	return w
}

// reads are what a page asks for, whatever there is.
var reads = []string{
	"/api/status", "/api/checkpoints", "/api/lines", "/api/graph", "/api/knowledge", "/api/review", "/api/activity", "/api/search?q=cache", "/api/knowledge/recall?q=cache",
}

// An empty memory, and one with much in it, answer everything, and no list is null.
func TestAnswersAtAnySize(t *testing.T) {
	for _, n := range []int{0, 10, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			a := pagetest.New(t)
			if n > 0 {
				pagetest.Fill(t, a, n)
				pagetest.Remember(t, a, &sage.Item{ID: "cache-size", Content: "The cache holds 4,096 entries.", Keywords: []string{"cache size"}})
			}
			c := newClient(t, a)
			for _, path := range append(reads, usagePath) {
				var v map[string]any
				c.get(path, &v)
				for k, x := range v {
					if x == nil && k != "parent" && k != "search" {
						t.Errorf("%s: %s is null", path, k)
					}
				}
			}
			var g Graph
			c.get("/api/graph?limit=500", &g)
			if g.Total != n || len(g.Rows) != n {
				t.Errorf("%d rows, %d of them, want %d", g.Total, len(g.Rows), n)
			}
			if n == 0 {
				return
			}
			for _, r := range g.Rows {
				if r.Parents == nil || r.Names != nil && len(r.Names) == 0 || r.Paths == nil {
					t.Errorf("%+v", r)
				}
			}
			var last Graph
			c.get(fmt.Sprintf("/api/graph?from=%d&at=%s", n-1, g.Rows[n-1].ID[:12]), &last)
			if len(last.Rows) != 1 || last.Rows[0].ID != g.Rows[n-1].ID || last.Place != n-1 {
				t.Errorf("the last row: %+v", last)
			}
		})
	}
}

// What is asked for again is not sent again, until something changes.
func TestSameIsNotSentAgain(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "ARC beats LRU."})
	pagetest.Remember(t, a, &sage.Item{ID: "one", Content: "One is a number."})
	c := newClient(t, a)
	tags := map[string]string{}
	for range 2 {
		for _, path := range reads {
			w := c.get(path, nil)
			if tag := w.Header().Get("ETag"); tags[path] != "" && tag != tags[path] {
				t.Errorf("%s: reading changed the tag", path)
			} else {
				tags[path] = tag
			}
			if w := c.do("GET", path, nil, nil, "If-None-Match", tags[path]); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
				t.Errorf("%s: %d", path, w.Code)
			}
		}
	}
	if w := c.do("GET", usagePath, nil, nil, "If-None-Match", tags["/api/status"]); w.Code != http.StatusOK || w.Header().Get("ETag") != "" {
		t.Errorf("%s, which grows beside the memory: %d", usagePath, w.Code)
	}
	if w := c.do("GET", "/api/status", nil, nil, "If-None-Match", tags["/api/status"], shownHeader, "1"); w.Code != http.StatusOK {
		t.Errorf("as shown: %d", w.Code)
	}
	for name, change := range map[string]func(){
		"a checkpoint": func() { pagetest.Save(t, a, sage.Checkpoint{Thesis: "2Q is simpler."}) },
		"an item":      func() { pagetest.Remember(t, a, &sage.Item{ID: "two", Content: "Two is another."}) },
	} {
		before := c.get("/api/graph", nil).Header().Get("ETag")
		change()
		if w := c.do("GET", "/api/graph", nil, nil, "If-None-Match", before); w.Code != http.StatusOK {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

// An item is added, changed as it was seen, and removed. What somebody else did meanwhile
// is an answer of 409 with what is there, and stays.
func TestItemsAreChangedAsSeen(t *testing.T) {
	a := pagetest.New(t)
	c := newClient(t, a)
	var done Changed
	if w := c.do("PUT", "/api/knowledge/staging-wipe", `{"base":"","content":"The staging database is emptied on Sundays.","keywords":["staging database"]}`, &done); w.Code != 200 || done.Item == nil || done.Written[0].Act != "added" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	first := done.Item.Blob
	if w := c.do("PUT", "/api/knowledge/staging-wipe", ItemEdit{Base: first, When: &[]string{"why is staging empty?"}}, &done); w.Code != 200 || done.Item.When[0] != "why is staging empty?" || done.Item.Keywords[0] != "staging database" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	second := done.Item.Blob
	for _, tt := range []struct{ method, body string }{
		{"PUT", `{"base":"` + first + `","content":"Never."}`}, {"PUT", `{"base":"","content":"Another."}`}, {"DELETE", `{"base":"` + first + `"}`},
	} {
		var e struct {
			Error struct{ Message string }
			Now   struct{ Blob, Content string }
		}
		if w := c.do(tt.method, "/api/knowledge/staging-wipe", tt.body, &e); w.Code != http.StatusConflict || e.Now.Blob != second || e.Now.Content == "" || e.Error.Message == "" {
			t.Errorf("%s %s: %d %s", tt.method, tt.body, w.Code, w.Body)
		}
	}
	if w := c.do("DELETE", "/api/knowledge/staging-wipe", ItemRemoval{second}, &done); w.Code != 200 || done.Item != nil || done.Written[0].Act != "removed" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := c.do("GET", "/api/knowledge/staging-wipe", nil, nil); w.Code != http.StatusNotFound {
		t.Errorf("%d", w.Code)
	}
	pagetest.Remember(t, a, &sage.Item{ID: "recall", Content: "An item may have the name of an address."})
	var it struct{ ID, Content string }
	c.get("/api/knowledge/recall", &it)
	if it.ID != "recall" {
		t.Errorf("%+v", it)
	}
}

// What is wrong with a request is said in a line, with a status that fits.
func TestMistakesAreNamed(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "ARC beats LRU."})
	pagetest.Remember(t, a, &sage.Item{ID: "one", Content: "One is a number."})
	c := newClient(t, a)
	for _, tt := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/api/checkpoints/nosuch", "", 404},
		{"GET", "/api/checkpoints/main/diff/nosuch", "", 404},
		{"GET", "/api/checkpoints?limit=x", "", 400},
		{"GET", "/api/checkpoints?limit=100000", "", 400},
		{"GET", "/api/graph?from=-1", "", 400},
		{"GET", "/api/search?q=+", "", 400},
		{"GET", "/api/search?q=x&in=elsewhere", "", 400},
		{"GET", "/api/knowledge/recall?q=", "", 400},
		{"GET", "/api/knowledge?type=nosuch", "", 400},
		{"GET", "/api/activity?author=(", "", 400},
		{"PUT", "/api/knowledge/one", "{", 400},
		{"PUT", "/api/knowledge/one", `{"base":"","nosuch":1}`, 400},
		{"PUT", "/api/knowledge/one", `{} {}`, 400},
		{"PUT", "/api/knowledge/two", `{"base":"","content":""}`, 400},
		{"PUT", "/api/knowledge/two", `{"base":"","content":"x","type":"nosuch"}`, 400},
		{"PUT", "/api/knowledge/two", `{"base":"","content":"x","patterns":["("]}`, 400},
		{"PUT", "/api/knowledge/two", `{"base":"","content":"` + strings.Repeat("x", 2<<20) + `"}`, 400},
		{"PUT", "/api/knowledge/UPPER", `{"base":"","content":"x"}`, 400},
		{"PUT", "/api/knowledge/..%2f..%2fx", `{"base":"","content":"x"}`, 400},
		{"PUT", "/api/knowledge/nosuch", `{"base":"0123","content":"x"}`, 404},
		{"DELETE", "/api/knowledge/one", `{}`, 400},
		{"PUT", "/api/knowledge/one", `{"content":"` + strings.Repeat("x", maxBody) + `"}`, 413},
		{"POST", "/api/merge", `{}`, 400},
		{"POST", "/api/merge", `{"rev":"nosuch"}`, 404},
		{"POST", "/api/merge", `{"rev":"main","into":"other"}`, 409},
		{"POST", "/api/review/nosuch", `{"act":"keep"}`, 409},
	} {
		var e Error
		w := c.do(tt.method, tt.path, tt.body, &e)
		if w.Code != tt.status || e.Error.Message == "" || strings.Contains(e.Error.Message, "\n") || e.Error.Hints == nil {
			t.Errorf("%s %s %.40s: %d %s", tt.method, tt.path, tt.body, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest("PUT", "/api/knowledge/one", strings.NewReader(`{}`))
	r.Header.Set("Content-Type", "text/plain")
	w := httptest.NewRecorder()
	if c.mux.ServeHTTP(w, r); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("a form: %d", w.Code)
	}
}

// Texts are as --json has them for programs; for the page what cannot be seen is written out.
func TestHostileTextsAreWrittenOut(t *testing.T) {
	a := pagetest.New(t)
	const evil = "<script>alert(1)</script> \u202eevil\u202c \u200b \x1b[31m"
	saved := pagetest.Save(t, a, sage.Checkpoint{Thesis: evil, KeyEvidence: []string{evil}, Extra: []sage.Entry{{Key: "k\u202e", Value: evil}}})
	pagetest.Remember(t, a, &sage.Item{ID: "evil", Content: evil + strings.Repeat(" word", 200_000)})
	c := newClient(t, a)
	for _, path := range []string{"/api/checkpoints/" + saved.ID, "/api/graph", "/api/checkpoints", "/api/knowledge", "/api/knowledge/evil", "/api/search?q=evil", "/api/knowledge/recall?q=evil", "/api/activity", "/api/checkpoints/" + saved.ID + "/diff/" + saved.ID, "/api/lines", "/api/status"} {
		w := c.get(path, nil, shownHeader, "1")
		for _, r := range []string{"\u202e", "\u202c", "\u200b", "\x1b", `\u202e`, `\u001b`, `\u200b`} {
			if strings.Contains(w.Body.String(), r) {
				t.Errorf("%s has %q", path, r)
			}
		}
	}
	var plain struct{ Thesis string }
	c.get("/api/checkpoints/"+saved.ID, &plain)
	if plain.Thesis != evil {
		t.Errorf("%q", plain.Thesis)
	}
}

// A line is merged with a synthesis; a merge that needs one is settled, or taken back.
func TestMerge(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Save(t, a, sage.Checkpoint{CoreQuestion: "Which cache?", Thesis: "ARC beats LRU."})
	m := pagetest.Open(t, a)
	if _, err := m.Store.Lines.Branch(t.Context(), "two-q", ""); err != nil {
		t.Fatal(err)
	}
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "ARC needs a check of patents."})
	side := pagetest.Open(t, a)
	if _, err := side.Store.Lines.Switch(t.Context(), "two-q", false, ""); err != nil {
		t.Fatal(err)
	}
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "2Q is simpler.", KeyEvidence: []string{"one list less"}})
	if _, err := pagetest.Open(t, a).Store.Lines.Switch(t.Context(), "main", false, ""); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, a)
	var merged struct {
		ID, Line  string
		Unsettled bool
	}
	if w := c.do("POST", "/api/merge", MergeRequest{Rev: "two-q", Into: "main"}, &merged); w.Code != 200 || !merged.Unsettled {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := c.do("POST", "/api/merge", MergeRequest{Abort: true}, nil); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	sure := 0.8
	if w := c.do("POST", "/api/merge", MergeRequest{Rev: "two-q", Thesis: "Ship ARC; 2Q is the fallback.", Confidence: &sure, KeyEvidence: []string{"both were measured"}}, &merged); w.Code != 200 || merged.Unsettled || merged.Line != "main" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var now struct {
		Thesis      string
		Parents     []string
		KeyEvidence []string `json:"key_evidence"`
	}
	c.get("/api/checkpoints/"+merged.ID, &now)
	if now.Thesis != "Ship ARC; 2Q is the fallback." || len(now.Parents) != 2 || len(now.KeyEvidence) != 2 {
		t.Errorf("%+v", now)
	}
}

// Of two items that contradict each other the newer is kept; who judges what changed since
// is told, and nothing is done.
func TestReview(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Remember(t, a, &sage.Item{ID: "deploy-day", Content: "Deploys run on Tuesdays at 14:00."})
	pagetest.Remember(t, a, &sage.Item{ID: "deploy-weekday", Content: "Deploys run on Thursdays at 14:00."})
	c := newClient(t, a)
	var list Review
	c.get("/api/review", &list)
	if len(list.Waiting) != 1 || list.Waiting[0].Kind != "differ" || list.Waiting[0].Text == "" || list.Waiting[0].Against == "" {
		t.Fatalf("%+v", list)
	}
	w := list.Waiting[0]
	if got := c.do("POST", "/api/review/"+w.Key, Judgement{Act: "refuse"}, nil); got.Code != 400 {
		t.Errorf("refused what is ours: %d", got.Code)
	}
	var it struct{ Blob, Status string }
	c.get("/api/knowledge/deploy-day", &it)
	if got := c.do("PUT", "/api/knowledge/deploy-day", `{"base":"`+it.Blob+`","source":"Ann"}`, nil); got.Code != 200 {
		t.Fatal(got.Body)
	}
	if got := c.do("POST", "/api/review/"+w.Key, Judgement{Act: "supersede"}, nil); got.Code != http.StatusConflict {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	c.get("/api/review", &list)
	var judged Judged
	if got := c.do("POST", "/api/review/"+list.Waiting[0].Key, Judgement{Act: "supersede"}, &judged); got.Code != 200 || judged.Left != 0 {
		t.Fatalf("%d %s", got.Code, got.Body)
	}
	older := list.Waiting[0].Other
	if c.get("/api/knowledge/"+older, &it); it.Status != "deprecated" {
		t.Errorf("%s: %+v", older, it)
	}
}

// Of several who judge one thing at once, one does; what came of it, the list agrees with.
func TestReviewAtOnce(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, 5)
	c := newClient(t, a)
	var list Review
	c.get("/api/review", &list)
	for i, w := range list.Waiting {
		acts := []string{"keep", "drop", "refuse", "keep"}
		codes := make([]int, len(acts))
		var done sync.WaitGroup
		for k, act := range acts {
			done.Go(func() { codes[k] = c.do("POST", "/api/review/"+w.Key, Judgement{Act: act}, nil).Code })
		}
		done.Wait()
		slices.Sort(codes)
		if !slices.Equal(codes, []int{200, 409, 409, 409}) {
			t.Errorf("%v", codes)
		}
		var left Review
		if c.get("/api/review", &left); left.Total != list.Total-i-1 {
			t.Errorf("%d left of %d", left.Total, list.Total-i)
		}
	}
}

// Of two lists the older is not acted on where the newer was.
func TestReviewOfAnOlderList(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, 3)
	mine, other := pagetest.Open(t, a), pagetest.Open(t, a)
	list, err := mine.Review.Waiting(t.Context(), nil, nil)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for i, act := range []string{review.Keep, review.Refuse} {
		if _, err := other.Review.Judge(t.Context(), list[i], act, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := mine.Review.Judge(t.Context(), list[i], review.Drop, ""); !errors.Is(err, gitstore.ErrChanged) {
			t.Errorf("dropped behind %s: %v", act, err)
		}
	}
}

// A long list goes on behind what was judged, and is not sent whole.
func TestLongReview(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, long+40)
	c := newClient(t, a)
	var list Review
	c.get("/api/review?limit=5", &list)
	if list.Total != long+39 || len(list.Waiting) != 5 { // the mould is ours
		t.Fatalf("%d of %d", len(list.Waiting), list.Total)
	}
	first, second := list.Waiting[0], list.Waiting[1]
	for i, act := range []string{"drop", "refuse"} {
		if got := c.do("POST", "/api/review/"+[]string{first.Key, second.Key}[i], Judgement{Act: act}, nil); got.Code != 200 {
			t.Fatalf("%s: %d %s", act, got.Code, got.Body)
		}
		if now, err := c.api.stamp(t.Context(), pagetest.Open(t, a)); err != nil || c.api.queue.stamp != now {
			t.Errorf("%s: what is left is listed anew: %v", act, err)
		}
	}
	if got := c.do("POST", "/api/review/"+first.Key, Judgement{Act: "keep"}, nil); got.Code != http.StatusConflict {
		t.Errorf("judged twice: %d", got.Code)
	}
	c.get("/api/review?limit=5", &list)
	if list.Total != long+37 || list.Waiting[0].Key == first.Key {
		t.Errorf("%d left", list.Total)
	}
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "Now somebody saves."})
	if c.get("/api/review?limit=1000", &list); list.Total != long+37 || len(list.Waiting) != list.Total {
		t.Errorf("%d of %d", len(list.Waiting), list.Total)
	}
}

// Removed checkpoints leave no hole: what continues them continues what is before them.
func TestRemovedLeavesNoHole(t *testing.T) {
	a := pagetest.New(t)
	var ids []string
	for _, s := range []string{"one", "two", "three"} {
		ids = append(ids, pagetest.Save(t, a, sage.Checkpoint{Thesis: s}).ID)
	}
	m := pagetest.Open(t, a)
	if _, err := m.Store.Checkpoints.Remove(t.Context(), []string{ids[1]}); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, a)
	var g Graph
	c.get("/api/graph", &g)
	if g.Total != 2 || g.Rows[0].ID != ids[2] || len(g.Rows[0].Parents) != 1 || g.Rows[0].Parents[0] != ids[0] || len(g.Rows[0].Names) == 0 {
		t.Errorf("%+v", g.Rows)
	}
	c.get("/api/graph?removed=1", &g)
	if g.Total != 4 {
		t.Errorf("with what was removed %d rows", g.Total)
	}
	if c.get("/api/graph?q=THREE", &g); g.Total != 1 || g.All != 2 {
		t.Errorf("%d of %d", g.Total, g.All)
	}
}

// What is damaged is an answer, and the next question is answered, too.
func TestDamageIsAnAnswer(t *testing.T) {
	a := pagetest.New(t)
	saved := pagetest.Save(t, a, sage.Checkpoint{Thesis: "ARC beats LRU."})
	c := newClient(t, a)
	objects, err := filepath.Glob(filepath.Join(a.Dir, ".git", "objects", "[0-9a-f][0-9a-f]", "*"))
	if err != nil || len(objects) == 0 {
		t.Fatal(err)
	}
	for _, name := range objects {
		_ = os.Chmod(name, 0o600)
		if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(a.Dir, ".git", "sage")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/checkpoints/" + saved.ID, "/api/graph"} {
		var e Error
		w := c.do("GET", path, nil, &e)
		if w.Code < 400 || e.Error.Message == "" || strings.Contains(w.Body.String(), "goroutine") || strings.Contains(w.Body.String(), ".go:") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	gone := *a
	gone.Dir = filepath.Join(a.Dir, "nosuch")
	var e Error
	if w := newClient(t, &gone).do("GET", "/api/status", nil, &e); w.Code < 400 || e.Error.Message == "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Many ask at once, and some write.
func TestManyAtOnce(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Fill(t, a, 40)
	c := newClient(t, a)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for _, path := range reads {
				if w := c.do("GET", path, nil, nil); w.Code != 200 {
					t.Errorf("%s: %d %s", path, w.Code, w.Body)
				}
			}
		})
		all.Go(func() {
			if w := c.do("PUT", fmt.Sprintf("/api/knowledge/item-%d", i), fmt.Sprintf(`{"base":"","content":"Item %d is one of four."}`, i), nil); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	all.Wait()
	var k Knowledge
	if c.get("/api/knowledge", &k); len(k.Items) != 4 {
		t.Errorf("%d items", len(k.Items))
	}
}

// BenchmarkGraph is a window of 10,000 checkpoints: the first, which reads them all, and any other.
func BenchmarkGraph(b *testing.B) {
	a := pagetest.New(b)
	pagetest.Fill(b, a, 10_000)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			newClient(b, a).get("/api/graph", nil)
		}
	})
	c := newClient(b, a)
	c.get("/api/graph", nil)
	for name, path := range map[string]string{"window": "/api/graph?from=5000", "filter": "/api/graph?q=case+77", "status": "/api/status"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c.get(path, nil)
			}
		})
	}
}

// A trial tells what a prompt would bring if an item named other requests, and changes nothing:
// neither the item nor what others find.
func TestTrialOfRequests(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Remember(t, a,
		&sage.Item{ID: "staging-wipe", Content: "The staging database is emptied every Sunday night.", When: []string{"why did my rows vanish?"}},
		&sage.Item{ID: "deploy-day", Content: "Deploys run on Tuesdays at 14:00."})
	c := newClient(t, a)
	const prompt = "/api/knowledge/recall?q=who+ate+the+fixtures+again"
	brings := func(more string) (ids []string) {
		t.Helper()
		var r Recall
		c.get(prompt+more, &r)
		for _, m := range r.Items {
			ids = append(ids, m.ID)
		}
		return ids
	}
	type seen struct {
		Blob string
		When []string
	}
	var was, is seen
	c.get("/api/knowledge/staging-wipe", &was)
	tag := c.get(prompt, nil).Header().Get("ETag")
	for _, tt := range []struct {
		more string
		want []string
	}{
		{"", nil}, {"&trial=staging-wipe&when=who+ate+the+fixtures", []string{"staging-wipe"}}, {"&trial=staging-wipe", nil}, {"", nil},
	} {
		if got := brings(tt.more); !slices.Equal(got, tt.want) {
			t.Errorf("%q brings %q, want %q", tt.more, got, tt.want)
		}
	}
	c.get("/api/knowledge/staging-wipe", &is)
	if w := c.get(prompt, nil); is.Blob != was.Blob || !slices.Equal(is.When, was.When) || w.Header().Get("ETag") != tag {
		t.Errorf("the item is %+v, was %+v", is, was)
	}
	if w := c.do("GET", prompt+"&trial=nosuch&when=x", nil, nil); w.Code != http.StatusNotFound {
		t.Errorf("of an item that is not there: %d %s", w.Code, w.Body)
	}
}
