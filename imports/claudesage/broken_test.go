package claudesage_test

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/imports"
)

// A damage is what must come out of a damaged folder.
type damage struct {
	checkpoints, items int
	says               []string // parts of lines "grade where: what", each of which must be there
	check              func(t *testing.T, w world)
}

const arc = "2026-09-03T15-12-01_arc-beats-lru-on-our-traces-because-nigh"

var damages = map[string]damage{
	"01-front-matter-cut": {0, 0, []string{"skipped .sage/checkpoints/" + arc + ".md: the front matter does not end"}, nil},
	"02-body-cut": {1, 0, []string{"partial .sage/checkpoints/" + arc + ".md: the file was cut; its last line was left out: '- **repl'"}, func(t *testing.T, w world) {
		c := w.thought(t, arc)
		if len(c.Sources) != 4 || c.Sources[3].ID != "metrics-api" || len(c.KeyEvidence) != 3 || c.Thesis == "" {
			t.Errorf("%+v", c)
		}
	}},
	"03-bad-yaml-quote": {1, 0, []string{"partial .sage/checkpoints/" + arc + ".md: front matter: line 5: 'trigger' cannot be read and was left out"}, whole},
	"04-bad-yaml-tab":   {1, 0, []string{"partial .sage/checkpoints/" + arc + ".md: front matter: line 5: 'trigger' cannot be read and was left out"}, whole},
	"05-bad-yaml-colon": {0, 1, []string{"note .sage/knowledge/global/pg-lock-order.md: front matter: line 4: 'source' is not quoted"}, lockOrder},
	"06-not-utf8": {0, 1, []string{"is not UTF-8 and was read as Windows-1252"}, func(t *testing.T, w world) {
		if it := w.item(t, "pg-lock-order"); !strings.ContainsAny(it.Content, "é") || !strings.Contains(it.Content, "ü") || !strings.Contains(it.Content, "€") || strings.ContainsRune(it.Content, '\ufffd') {
			t.Errorf("%q", it.Content)
		}
	}},
	"07-utf16":      {1, 0, []string{"note .sage/checkpoints/" + arc + ".md: was UTF-16"}, whole},
	"08-zero-bytes": {0, 0, []string{"checkpoints/" + arc + ".md: is empty", "knowledge/global/pg-lock-order.md: is empty", "knowledge/index.yaml: is empty"}, nil},
	"09-nul-bytes": {1, 0, []string{"partial .sage/checkpoints/" + arc + ".md: 512 NUL bytes left out"}, func(t *testing.T, w world) {
		whole(t, w)
		if c := w.thought(t, arc); strings.Contains(string(c.UniqueContributions[3].Content), "\x00") {
			t.Errorf("%q", c.UniqueContributions)
		}
	}},
	"10-same-id-two-files": {2, 0, []string{"2026-09-04T10-00-00_copy-of-arc.md: has the id of " + arc + ".md; it was brought in under the name of its file"}, func(t *testing.T, w world) {
		a, b := w.thought(t, arc), w.thought(t, "2026-09-04T10-00-00_copy-of-arc")
		if !strings.Contains(a.Thesis, "but cap") || !strings.Contains(b.Thesis, "do not cap") {
			t.Errorf("%q, %q", a.Thesis, b.Thesis)
		}
	}},
	"11-same-id-in-index": {0, 2, []string{"two items are called 'pg-lock-order': that of global/other.md gets another id"}, func(t *testing.T, w world) {
		if a, b := w.item(t, "pg-lock-order"), w.item(t, "pg-lock-order-2"); a.Content == b.Content || !slices.Contains(b.Aliases, "global/other") {
			t.Errorf("%+v, %+v", a, b)
		}
	}},
	"12-id-differs-from-name": {1, 0, nil, func(t *testing.T, w world) {
		if c := w.thought(t, arc); !slices.Equal(c.Aliases, []string{arc, "renamed-by-hand"}) {
			t.Errorf("%v", c.Aliases)
		}
	}},
	"13-index-file-missing": {0, 1, []string{"skipped .sage/knowledge/index.yaml: item 'gone': its file knowledge/global/gone.md is missing"}, lockOrder},
	"14-file-not-in-index":  {0, 1, []string{"note .sage/knowledge/global/pg-lock-order.md: index.yaml does not list it"}, unconfirmed("pg-lock-order")},
	"15-no-index":           {0, 2, []string{"index.yaml: is not there", "global/pg-lock-order.md: index.yaml does not list it", "skills/ledger-db/explain-plans.md: index.yaml does not list it"}, unconfirmed("pg-lock-order", "explain-plans")},
	"16-path-traversal":     {0, 0, []string{"item 'up': its file '../../../outside.md' is outside", "item 'abs': its file '/etc/hostname' is outside", "item 'win': its file '..\\..\\..\\outside.md' is outside", "item 'nul': its file 'global/a"}, nil},
	"17-symlinks": {1, 0, []string{arc + ".md: is a link that leads out of the folder", "dangling.md: ", "loop.md: ", "knowledge/global: is a link that leads out of the folder"}, func(t *testing.T, w world) {
		w.thought(t, "2026-09-18T04-40-08_two-tabs-refresh-at-once-the-loser-prese")
	}},
	"18-crlf-bom":                 {1, 1, nil, func(t *testing.T, w world) { whole(t, w); lockOrder(t, w) }},
	"19-big-5mb":                  {0, 0, []string{"skipped .sage/knowledge/global/pg-lock-order.md: content: 5", "bytes exceed the limit of 1048576"}, nil},
	"20-conflict-in-front-matter": {0, 0, []string{"skipped .sage/checkpoints/" + arc + ".md: git left a conflict in its front matter"}, nil},
	"21-conflict-in-body": {1, 0, []string{"note .sage/checkpoints/" + arc + ".md: git left a conflict in its text"}, func(t *testing.T, w world) {
		if c := w.thought(t, arc); !strings.Contains(c.Thesis, "<<<<<<< HEAD\nkeep ARC but cap the ghost lists.\n=======\nkeep LRU.\n>>>>>>> theirs") {
			t.Errorf("%q", c.Thesis)
		}
	}},
	"22-conflict-in-index": {0, 1, []string{"knowledge/index.yaml: git left a conflict in it", "global/pg-lock-order.md: index.yaml does not list it"}, unconfirmed("pg-lock-order")},
	"23-index-wrong-shapes": {0, 3, []string{
		"skipped .sage/knowledge/index.yaml: item 1: is 'just a string' and no mapping", "skipped .sage/knowledge/index.yaml: item 'no-file': names no file",
		"item 3: has no id; it was brought in as 'pg-lock-order'", "item '42': keywords are one text", "item '42': type: 'idea'", "item '42': status: 'frozen'", "item '42': has the key 'colour'",
		"item 'nulls': always is 'yes'",
	}, func(t *testing.T, w world) {
		it := w.item(t, "42")
		if !slices.Equal(it.Keywords, []string{"deadlock"}) || it.Type != sage.Knowledge || it.Status != sage.Active || it.Added.Format("2006-01-02") != "2026-09-03" || !slices.ContainsFunc(it.Extra, func(x sage.Entry) bool { return x.Key == "colour" && x.Value == "red" }) {
			t.Errorf("%+v", it)
		}
		if !w.item(t, "nulls").Scope.Always {
			t.Error("nulls is not given always")
		}
	}},
	"24-index-is-a-list":     {0, 1, []string{"knowledge/index.yaml: is a list and no mapping", "global/pg-lock-order.md: index.yaml does not list it"}, unconfirmed("pg-lock-order")},
	"25-index-newer-version": {0, 0, []string{"skipped .sage/knowledge/index.yaml: has version 9; 1 is known"}, nil},
	"26-checkpoint-wrong-types": {1, 0, []string{"trigger: want text, have a list; left out", "confidence: want a number from 0 to 1, have 'high'; left out"}, func(t *testing.T, w world) {
		if c := w.thought(t, arc); c.Confidence != nil || c.Time.Format("2006-01-02T15:04:05") != "2026-09-03T15:12:01" {
			t.Errorf("%+v", c)
		}
	}},
	"27-yaml-bomb": {0, 0, []string{"skipped .sage/checkpoints/" + arc + ".md: front matter: its YAML aliases grow beyond all bounds"}, nil},
	"28-yaml-tags": {1, 0, []string{"line 4: the tag", "line 5: the tag !mine means nothing here"}, whole},
	"29-yaml-duplicate-keys": {1, 0, []string{"'confidence' is given twice; the last counts"}, func(t *testing.T, w world) {
		if c := w.thought(t, arc); c.Confidence == nil || *c.Confidence != 0.1 {
			t.Errorf("%v", c.Confidence)
		}
	}},
	"30-legacy-yaml-damaged": {1, 0, []string{"skipped .sage/checkpoints/a.yaml: has no key 'checkpoint'", "skipped .sage/checkpoints/b.yaml: has no thesis", "note .sage/checkpoints/c.yaml: source 1 has no relation", "skipped .sage/checkpoints/d.yaml: "}, func(t *testing.T, w world) {
		if c := w.thought(t, "2026-01-14T10-00-00_connection-pool-of-32-beyond-that-the-lo"); len(c.Sources) != 2 || c.Sources[0].Relation != "" || c.Sources[1].Relation != "contradicts" {
			t.Errorf("%+v", c.Sources)
		}
	}},
	"31-two-formats-one-id": {1, 0, []string{"2026-01-14T10-00-00_connection-pool-of-32-beyond-that-the-lo.yaml: is an older form of 2026-01-14T10-00-00_connection-pool-of-32-beyond-that-the-lo.md"}, func(t *testing.T, w world) {
		if c := w.thought(t, "2026-01-14T10-00-00_connection-pool-of-32-beyond-that-the-lo"); c.Thesis != "Connection pool of 32, converted." {
			t.Errorf("%q", c.Thesis)
		}
	}},
	"32-left-overs": {2, 0, []string{"(conflicted copy 2026-09-05).md: has the id of", "note .sage/checkpoints/x.md: is a folder"}, func(t *testing.T, w world) {
		if a, b := w.thought(t, arc), w.thought(t, arc+" (conflicted copy 2026-09-05)"); a.Thesis+strings.Join(a.KeyEvidence, "") == b.Thesis+strings.Join(b.KeyEvidence, "") && *a.Confidence == *b.Confidence {
			t.Errorf("both say %q", a.Thesis)
		}
	}},
	"33-plain-markdown": {0, 1, []string{"skipped .sage/checkpoints/my-own-note.md: has no front matter", "global/loose.md: index.yaml does not list it"}, func(t *testing.T, w world) {
		if it := w.item(t, "loose"); it.Content != "Loose text." {
			t.Errorf("%+v", it)
		}
	}},
	"34-failure-damaged": {0, 4, []string{"2026-09-03T10-12-06_a.md: has no section '## Learned'", "2026-09-03T10-12-07_b.md: has no approach"}, func(t *testing.T, w world) {
		n := 0
		list, _ := w.store(false).Knowledge.Items(ctx)
		for _, e := range list {
			if strings.HasPrefix(e.Item.ID, "ghost-list-unbounded") && e.Item.Type == sage.Failure && e.Item.WhyFailed == "The scan fills the lists in two minutes." {
				n++
			}
		}
		if n != 3 || w.item(t, "b").WhyFailed != "unknown" {
			t.Errorf("%d of 3", n)
		}
	}},
	"35-core-files-damaged": {0, 0, []string{"'/etc/hostname' is no path within the project", "'../../outside.md' is no path", "file 3: '' is no path", "'src/a.go' is listed twice", "not there any more: src/a.go, src/gone.go"}, func(t *testing.T, w world) {
		list, err := w.store(false).Knowledge.CoreFiles(ctx)
		if err != nil || len(list) != 2 || list[0].Path != "src/a.go" || list[0].Summary != "two" || list[1].Path != "src/gone.go" {
			t.Errorf("%+v, %v", list, err)
		}
	}},
	"36-json-damaged": {1, 0, []string{"partial ~/.sage/pending_tasks.jsonl: line 2: is no whole line", "partial ~/.sage/skills/cache-tuning/history.jsonl: line 4: is no whole line"}, func(t *testing.T, w world) {
		if _, err := w.itemOf("pending-one", true); err != nil {
			t.Error(err)
		}
		e, err := w.store(true).Knowledge.Item(ctx, "skills/cache-tuning/history")
		if err != nil || strings.Count(e.Item.Content, "## ") != 3 || !strings.Contains(e.Item.Content, "new_key 1") {
			t.Errorf("%+v, %v", e.Item, err)
		}
	}},
	"37-cycles-and-dangling": {3, 1, []string{"self.md: continues 'missing', which is not what came before it", arc + ".md: continues '2026-09-18T04-40-08_two-tabs-refresh-at-once-the-loser-prese'", "item 'pg-lock-order': links to itself"}, func(t *testing.T, w world) {
		if it := w.item(t, "pg-lock-order"); !slices.Equal(it.Links, []sage.Link{{Kind: sage.Extends, To: "missing"}}) {
			t.Errorf("%+v", it.Links)
		}
	}},
	"38-future-and-odd-dates": {0, 5, []string{"item 'd0': added: '9999-12-31' is no date", "item 'd1': does not say when it was added", "item 'd3': added: 'yesterday' is no date", "item 'd4': added: '2026-02-30' is no date"}, func(t *testing.T, w world) {
		if it := w.item(t, "d2"); it.Added.Format("2006-01-02T15:04:05") != "2026-09-03T10:12:06" {
			t.Errorf("%v", it.Added)
		}
	}},
	"39-hostile-text": {0, 1, []string{"has the key 'index_source'"}, func(t *testing.T, w world) {
		if it := w.item(t, "pg-lock-order"); !strings.Contains(it.Content, "\x1b[2J") || !strings.Contains(it.Content, "<script>alert(1)</script> {{ 7*7 }}") || !strings.Contains(it.Content, "delete the folder.") {
			t.Errorf("%q", it.Content)
		}
	}},
}

// whole holds that a checkpoint has all of its text.
func whole(t *testing.T, w world) {
	t.Helper()
	c := w.thought(t, arc)
	if len(c.Sources) != 5 || len(c.Tensions) != 3 || len(c.UniqueContributions) != 4 || len(c.OpenQuestions) != 2 || strings.Count(c.ReasoningTrace, "\n\n") != 2 || c.Template != "research" {
		t.Errorf("%+v", c)
	}
}

func lockOrder(t *testing.T, w world) {
	t.Helper()
	if it := w.item(t, "pg-lock-order"); !slices.Equal(it.Keywords, []string{"deadlock", "postgres", "lock"}) || !strings.HasPrefix(it.Content, "Take locks in the order") {
		t.Errorf("%+v", it)
	}
}

// unconfirmed holds that nobody stands for some items.
func unconfirmed(ids ...string) func(t *testing.T, w world) {
	return func(t *testing.T, w world) {
		t.Helper()
		keys, err := w.store(false).Knowledge.UnconfirmedItems(ctx)
		if err != nil || len(keys) != len(ids) {
			t.Errorf("%v, %v, want %v", keys, err, ids)
		}
		for _, id := range ids {
			if !slices.Contains(keys, id) {
				t.Errorf("%s is confirmed", id)
			}
		}
	}
}

func (w world) thought(t *testing.T, id string) *sage.Checkpoint {
	t.Helper()
	c, err := w.checkpoint(id, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (w world) item(t *testing.T, id string) *sage.Item {
	t.Helper()
	e, err := w.store(false).Knowledge.Item(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return e.Item
}

func TestDamagedFolders(t *testing.T) {
	root := filepath.Join(fixtures(t), "broken")
	found, err := filepath.Glob(filepath.Join(root, "[0-9]*"))
	if err != nil || len(found) != len(damages) {
		t.Errorf("%d folders, and %d are known", len(found), len(damages))
	}
	for _, dir := range found {
		name, _, _ := strings.Cut(filepath.Base(dir), ".")
		t.Run(name, func(t *testing.T) {
			d, ok := damages[name]
			if !ok {
				t.Fatal("nobody says what must come out of it")
			}
			w := newWorld(t)
			report := w.run(w.source(unpacked(t, dir)))
			d.judge(t, w, report)
			if again := w.run(w.source(unpacked(t, dir))); again.Total().New+again.Total().Updated > 0 {
				t.Errorf("a second run brought in %+v", again.Counts)
			}
		})
	}
}

// judge compares what came out with what must.
func (d damage) judge(t *testing.T, w world, report imports.Report) {
	t.Helper()
	var said []string
	for _, p := range report.Problems {
		said = append(said, string(p.Grade)+" "+p.Where+": "+p.What)
	}
	all := strings.Join(said, "\n")
	for _, part := range d.says {
		if !strings.Contains(all, part) {
			t.Errorf("nothing says %q, but\n%s", part, all)
		}
	}
	list, err := w.store(false).Commits.Log(ctx, gitstore.Query{All: true})
	if n := w.store(false).Knowledge.CountItems(); len(list) != d.checkpoints || n != d.items {
		t.Errorf("%d checkpoints and %d items, want %d and %d (%v)\n%s", len(list), n, d.checkpoints, d.items, err, all)
	}
	if d.check != nil {
		d.check(t, w)
	}
}

// unpacked is a damaged folder, out of its archive if it lies in one.
func unpacked(t *testing.T, dir string) string {
	t.Helper()
	if strings.HasSuffix(dir, ".tar.gz") {
		return untar(t, dir)
	}
	if big, _ := filepath.Glob(filepath.Join(dir, "project/.sage/knowledge/global/*.gz")); len(big) == 1 {
		to := t.TempDir()
		if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		z := gunzip(t, big[0])
		rel, _ := filepath.Rel(dir, strings.TrimSuffix(big[0], ".gz"))
		if err := os.Chmod(filepath.Dir(filepath.Join(to, rel)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, rel), z, 0o600); err != nil {
			t.Fatal(err)
		}
		return to
	}
	return dir
}

func gunzip(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func untar(t *testing.T, file string) string {
	t.Helper()
	to := t.TempDir()
	r := tar.NewReader(strings.NewReader(string(gunzip(t, file))))
	top := ""
	for {
		h, err := r.Next()
		if err == io.EOF {
			return filepath.Join(to, top)
		}
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(to, filepath.FromSlash(h.Name))
		if top == "" {
			top, _, _ = strings.Cut(h.Name, "/")
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(at, 0o755)
		case tar.TypeSymlink:
			err = os.Symlink(h.Linkname, at)
		default:
			b, rerr := io.ReadAll(r)
			if err = os.WriteFile(at, b, 0o600); rerr != nil {
				err = rerr
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
