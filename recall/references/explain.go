package references

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

// A Place is what is to be explained: lines of a file of the work tree, from 1. The zero
// lines are all of it.
type Place struct {
	Path        string // from the root of the work tree
	First, Last int
}

// An Explanation says why code is as it is.
type Explanation struct {
	Place
	Reasons     []Reason // those that still stand first, of the same lines before those of the file, the newest first
	Commits     []Commit // the newest first
	Uncommitted [][2]int // lines that were not committed
	Text        []string // all lines of the file; nil if it is gone
}

// A How says what ties a reason to the lines.
type How int

// The ties, the closest first.
const (
	ByLines  How = iota // it refers to some of the lines
	ByCommit            // it was saved on a commit that the lines are from, names it, or led to it
	ByFile              // it refers to the file, or read or changed it
	ByFolder            // it refers to a folder that the file is in
)

// A Reason is a checkpoint or an item that explains code.
type Reason struct {
	ID         string
	Checkpoint bool
	Type       string // of an item, such as failure
	Title      string // of an item; of a checkpoint its thesis
	From       string // who wrote it, if that was not here and nobody here stands for it
	Time       time.Time
	Outdated   string // why it no longer counts, if it does not

	How     How
	Ref     sage.CodeRef  // by which it refers to the file, if it has one
	Now     sage.RefState // how that is now
	Lines   [2]int        // where it is in the file now; zero is all of it
	Commits []string      // that tie it to the lines
}

// A Commit is one that lines are from.
type Commit struct {
	gitstore.BlamedCommit
	Lines   [][2]int
	Reasons []string // ids of those that it ties to the lines
}

// mostCheckpoints bounds how many checkpoints that name a file are read: the newest. Each
// takes a tenth of a millisecond, and a session that changes a file names it in each.
const mostCheckpoints = 300

// Explain says why lines are as they are: by the references to them, and by the commits that
// git blames for them. A file that is gone is explained by what refers to it, or not at all.
func (cl *Collection) Explain(ctx context.Context, p Place) (*Explanation, error) {
	s := cl.stores.Store
	listed := search.Meanwhile("list checkpoints", func() ([]gitstore.Record, error) {
		return s.Commits.Log(ctx, gitstore.Query{All: true})
	})
	blame, failed := s.Repo.Blame(ctx, p.Path, p.First, p.Last)
	records, err := listed()
	if err != nil {
		return nil, err
	}
	if failed != nil && (p.First > 0 || s.Repo.Top() == "" || !errors.Is(failed, gitstore.ErrNoLines)) {
		return nil, failed
	}
	e := explainer{cl: cl, place: p, records: map[string]*gitstore.Record{}, reasons: map[string]*Reason{}, out: &Explanation{Place: p}}
	for i := range records {
		e.records[records[i].ID] = &records[i]
	}
	e.blamed(blame)
	if err := e.referring(ctx); err != nil {
		return nil, err
	}
	e.judge(ctx)
	e.saved(records)
	if err := e.noted(ctx); err != nil {
		return nil, err
	}
	if failed != nil && len(e.reasons) == 0 {
		return nil, failed
	}
	e.order()
	return e.out, nil
}

// At is the reason that explains a line best: one that refers to it, else one tied to its
// commit; nil if there is none.
func (e *Explanation) At(line int, commit string) *Reason {
	for i := range e.Reasons {
		r := &e.Reasons[i]
		if r.How == ByLines && r.Lines[0] <= line && line <= r.Lines[1] || slices.Contains(r.Commits, commit) {
			return r
		}
	}
	return nil
}

// An explainer collects an explanation.
type explainer struct {
	cl      *Collection
	place   Place
	records map[string]*gitstore.Record // of all checkpoints, by id
	reasons map[string]*Reason          // by key
	commits map[string]*Commit
	refs    []sage.CodeRef // to the file, and of which reason each is
	of      []*Reason
	out     *Explanation
}

// blamed takes what git said; nil is nothing.
func (e *explainer) blamed(b *gitstore.Blame) {
	e.commits = map[string]*Commit{}
	if b == nil {
		return
	}
	e.out.Text = b.Text
	for _, span := range b.Spans {
		lines := [2]int{span.First, span.Last}
		if span.Commit == "" {
			e.out.Uncommitted = append(e.out.Uncommitted, lines)
			continue
		}
		c := e.commits[span.Commit]
		if c == nil {
			c = &Commit{BlamedCommit: *b.Commits[span.Commit]}
			e.commits[span.Commit] = c
		}
		c.Lines = append(c.Lines, lines)
	}
}

// names are the file's own path, and those that it had in the commits.
func (e *explainer) names() []string {
	names := []string{e.place.Path}
	for _, c := range e.commits {
		if c.File != "" && !slices.Contains(names, c.File) {
			names = append(names, c.File)
		}
	}
	return names
}

// referring adds what names the file, a folder that it is in, or the file as it was called.
func (e *explainer) referring(ctx context.Context) error {
	names := e.names()
	paths := slices.Clone(names)
	for dir := path.Dir(e.place.Path); dir != "." && dir != "/"; dir = path.Dir(dir) {
		paths = append(paths, dir)
	}
	docs, err := e.cl.stores.About(ctx, paths...)
	if err != nil {
		return err
	}
	slices.SortStableFunc(docs, func(a, b *index.Meta) int { return b.Updated.Compare(a.Updated) })
	var checkpoints []gitstore.Record
	about := map[string]*index.Meta{}
	for _, d := range docs {
		if d.Kind != doc.Checkpoint {
			if err := e.item(ctx, d, names); err != nil {
				return err
			}
			continue
		}
		id := doc.ID(d.Key)
		if r := e.records[id]; r != nil && len(checkpoints) < mostCheckpoints {
			checkpoints, about[id] = append(checkpoints, *r), d
		}
	}
	return e.cl.stores.Store.Commits.Beginnings(ctx, checkpoints, func(r gitstore.Record, c *sage.Checkpoint, err error) error {
		if err == nil { // what cannot be read explains nothing
			reason := e.checkpoint(&r)
			if replacedBy, _ := doc.Standing(about[r.ID]); len(replacedBy) > 0 {
				reason.Outdated = "replaced by " + legible.ShortID(doc.ID(replacedBy[0]))
			}
			e.refer(reason, c.CodeRefs, about[r.ID].Paths, names)
		}
		return nil
	})
}

// item adds an item, unless it cannot be read or does not refer to the file.
func (e *explainer) item(ctx context.Context, d *index.Meta, names []string) error {
	entry, err := e.cl.stores.Store.Knowledge.Item(ctx, doc.ID(d.Key))
	if ctx.Err() != nil || err != nil || entry.Err != nil {
		return ctx.Err()
	}
	k := e.cl.provenance.Admit(ctx, []knowledge.Known{{ItemEntry: entry, Own: e.cl.stores.IsOwn(), Doc: d}})[0]
	if len(k.Withheld) > 0 {
		return nil
	}
	r := &Reason{ID: k.Item.ID, Type: k.Item.Type.Kind(), Title: k.Item.Title(), Time: k.Item.Updated, How: ByFolder, From: e.cl.provenance.TrustShort(ctx, k)}
	replacedBy, _ := doc.Standing(d)
	switch {
	case len(replacedBy) > 0:
		r.Outdated = "replaced by " + doc.ID(replacedBy[0])
	case !knowledge.Holds(k.Item.Status):
		r.Outdated = string(k.Item.Status)
	}
	e.reasons[d.Key] = r
	e.refer(r, entry.Item.CodeRefs, d.Paths, names)
	return nil
}

// checkpoint is the reason that a checkpoint is, which is added.
func (e *explainer) checkpoint(r *gitstore.Record) *Reason {
	key := doc.CheckpointKey(r.ID)
	if e.reasons[key] == nil {
		said := r.Thesis
		if said == sage.NeedsSynthesis || said == "" {
			said = cmp.Or(r.Question, r.Description)
		}
		from := ""
		if !r.Own || r.Unconfirmed {
			from = provenance.ByShort(*r)
		}
		e.reasons[key] = &Reason{ID: r.ID, Checkpoint: true, Title: legible.OneLine(provenance.Said(r.Own, said)), Time: r.Time, How: ByFolder, From: from}
	}
	return e.reasons[key]
}

// refer notes the references of a reason to the file.
func (e *explainer) refer(r *Reason, refs []sage.CodeRef, paths, names []string) {
	if slices.ContainsFunc(paths, func(p string) bool { return slices.Contains(names, strings.Trim(p, "/")) }) {
		r.How = ByFile
	}
	for _, ref := range refs {
		if slices.Contains(names, ref.File) {
			e.refs, e.of = append(e.refs, ref), append(e.of, r)
		}
	}
}

// judge says of each reason how it refers to the file now, by the closest of its references.
func (e *explainer) judge(ctx context.Context) {
	for i, now := range e.cl.stores.Store.Repo.RefStates(ctx, e.refs) {
		r, how := e.of[i], ByFile
		file, lines := present(e.refs[i], now)
		switch {
		case file != e.place.Path:
			continue
		case lines == [2]int{}:
		case e.place.First == 0 || lines[0] <= e.place.Last && e.place.First <= lines[1]:
			how = ByLines
		default:
			continue
		}
		if r.Ref.File == "" || how < r.How {
			r.How, r.Ref, r.Now, r.Lines = how, e.refs[i], now, lines
		}
	}
}

// present is where the code of a reference is now, as far as that is known.
func present(r sage.CodeRef, now sage.RefState) (file string, lines [2]int) {
	file, lines = cmp.Or(now.To, r.File), r.Lines
	for _, l := range [][2]int{now.Lines, now.Now} {
		if l != [2]int{} {
			lines = l
		}
	}
	if lines[1] == 0 {
		lines[1] = lines[0]
	}
	return file, lines
}

// saved ties checkpoints to the commits: those that were saved on one, or with changes on
// top of the commit before it, or name it.
func (e *explainer) saved(records []gitstore.Record) {
	if len(e.commits) == 0 {
		return
	}
	after, abbreviated := map[string][]*Commit{}, map[string][]*Commit{}
	for _, c := range e.commits {
		after[c.Parent] = append(after[c.Parent], c)
		abbreviated[c.ID[:leastAbbreviated]] = append(abbreviated[c.ID[:leastAbbreviated]], c)
	}
	for i := range records {
		r := &records[i]
		if c := e.commits[r.Code.Commit]; c != nil {
			e.tie(r, c)
		}
		if r.Code.Dirty && r.Code.Commit != "" {
			for _, c := range after[r.Code.Commit] {
				if !r.Time.After(c.Time.Add(time.Minute)) { // the clock of who commits is another's
					e.tie(r, c)
				}
			}
		}
		for _, text := range []string{r.Description, r.Question, r.Thesis} {
			eachHex(text, func(word string) {
				for _, c := range abbreviated[word[:leastAbbreviated]] {
					if strings.HasPrefix(c.ID, word) {
						e.tie(r, c)
					}
				}
			})
		}
	}
}

// noted ties those to a commit that its note names, or that on what it was made of.
func (e *explainer) noted(ctx context.Context) error {
	found, err := e.cl.stores.Store.Notes.Named(ctx, slices.Sorted(maps.Keys(e.commits))...)
	for commit, records := range found {
		for i := range records {
			e.tie(&records[i], e.commits[commit])
		}
	}
	return err
}

// tie ties a checkpoint to a commit.
func (e *explainer) tie(record *gitstore.Record, c *Commit) {
	r := e.checkpoint(record)
	if r.How > ByCommit {
		r.How = ByCommit
	}
	if !slices.Contains(r.Commits, c.ID) {
		r.Commits, c.Reasons = append(r.Commits, c.ID), append(c.Reasons, r.ID)
	}
}

// leastAbbreviated is how many digits an abbreviated commit id has at least.
const leastAbbreviated = 7

// eachHex calls fn with each word of a text that may be the id of a commit.
func eachHex(text string, fn func(word string)) {
	isHex := func(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' }
	isWord := func(b byte) bool {
		return isHex(b) || 'g' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_' || b >= 0x80
	}
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && isHex(text[i]) {
			i++
		}
		if n := i - start; n >= leastAbbreviated && n <= 64 && (i == len(text) || !isWord(text[i])) {
			fn(text[start:i])
		}
		for i < len(text) && isWord(text[i]) {
			i++
		}
		for i < len(text) && !isWord(text[i]) {
			i++
		}
	}
}

// order puts the reasons and commits into their order.
func (e *explainer) order() {
	for _, r := range e.reasons {
		r.Title = cut.Runes(r.Title, 300)
		e.out.Reasons = append(e.out.Reasons, *r)
	}
	slices.SortFunc(e.out.Reasons, func(a, b Reason) int {
		return cmp.Or(truth(a.Outdated != "")-truth(b.Outdated != ""), cmp.Compare(a.How, b.How), truth(a.Now.IsBroken())-truth(b.Now.IsBroken()),
			b.Time.Compare(a.Time), strings.Compare(a.ID, b.ID))
	})
	for _, c := range e.commits {
		e.out.Commits = append(e.out.Commits, *c)
	}
	slices.SortFunc(e.out.Commits, func(a, b Commit) int { return cmp.Or(b.Time.Compare(a.Time), strings.Compare(a.ID, b.ID)) })
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
