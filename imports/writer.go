package imports

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// A batch is written when it has so many records or bytes: a move of a ref takes some 10 ms
// however much it brings, and all of a batch is in memory.
const (
	batchRecords = 500
	batchBytes   = 8 << 20
)

// A writer brings records into one store.
type writer struct {
	r     *runner
	s     *gitstore.Store // nil: a dry run, and there is none yet
	own   bool
	empty bool // nothing was ever saved there

	brought  map[string]gitstore.Brought // by the sum of the name
	made     map[string]string           // commits of checkpoints, by the names that they had
	imported map[string]bool             // commits that have such names
	forks    map[string]string           // names of forks beside the line, by their tips
	line     string
	tip      string // of the line

	chain      gitstore.Chain // that is to be written next
	chainNotes []gitstore.Brought
	waiting    []waiting // what it is made of
	last       string    // name of the last one in it
	tries      int       // how often it was planned anew

	ids     map[string]string             // of items, by name
	private map[string]bool               // ids of those that are, here or by the source
	coming  map[string]bool               // ids of all that the source has
	items   map[string]gitstore.ItemEntry // that are there, by key
	changes []gitstore.ItemChange
	notes   []gitstore.Brought // what will be noted of them

	coresHere map[string]bool // paths of those that are there; nil until one is asked for
	cores     []gitstore.CoreFile
	coreNotes []gitstore.Brought

	bytes int // in what waits
}

// look finds out what is here.
func (w *writer) look(ctx context.Context) (err error) {
	w.made, w.imported, w.forks, w.items, w.brought = map[string]string{}, map[string]bool{}, map[string]string{}, map[string]gitstore.ItemEntry{}, map[string]gitstore.Brought{}
	w.empty = w.s == nil
	if w.s != nil {
		if w.brought, err = w.s.Review.BroughtIn(); err != nil {
			return err
		}
		refs, err := w.s.Repo.Refs(ctx, "refs/sage/")
		if err != nil {
			return err
		}
		w.empty = len(refs) == 0 // then a look at it would leave a cache
	}
	if err := w.lookAtLines(ctx); err != nil {
		return err
	}
	return w.lookAtItems(ctx)
}

// flush writes all that waits.
func (w *writer) flush(ctx context.Context) error {
	if err := w.flushChain(ctx); err != nil {
		return err
	}
	if err := w.flushItems(ctx); err != nil {
		return err
	}
	return w.flushCores(ctx)
}

// KnownAs is the sum by which a record of a tool is known again: the name of a [gitstore.Brought].
func KnownAs(tool, kind, name string) string {
	return gitstore.BroughtSum(tool + "\n" + kind + "\n" + name)
}

// nameSum is the sum by which a record is known again.
func (w *writer) nameSum(kind, name string) string {
	return KnownAs(w.r.src.Tool(), kind, name)
}

func (w *writer) count(kind string) *Count { return w.r.report.count(w.own, kind) }

// full reports whether what waits should be written.
func (w *writer) full(n int) bool { return n >= batchRecords || w.bytes >= batchBytes }

// checkpoint brings in a checkpoint, unless it is here.
func (w *writer) checkpoint(ctx context.Context, rec Record, t Checkpoint) error {
	alias := aliasOf(rec.Name)
	name, c := w.nameSum(t.kind(), rec.Name), w.count(t.kind())
	b, known := w.brought[name]
	switch {
	case w.made[alias] != "":
		c.Had++
		return nil
	case known && b.Made == "" && !w.r.o.Again:
		c.Removed++
		return nil
	}
	wait := waiting{rec, t}
	t.Checkpoint = t.Clone()
	t.Aliases = append([]string{alias}, t.Aliases...)
	text := codec.Marshal(t.Checkpoint)
	if len(text) > codec.MaxSize {
		w.r.problem(rec, Skipped, fmt.Sprintf("it has %d bytes, more than the limit of %d", len(text), codec.MaxSize), "")
		return nil
	}
	parent := ""
	if t.Parent != "" {
		parent = aliasOf(t.Parent)
	}
	goesOn := len(w.chain.Checkpoints) > 0 && (parent == w.last || parent == "" && w.chain.Fork == "")
	if !goesOn || t.Aside && w.chain.Fork == "" || w.full(len(w.chain.Checkpoints)) {
		if err := w.flushChain(ctx); err != nil {
			return err
		}
		if err := w.begin(ctx, t, alias, w.made[parent]); err != nil {
			return err
		}
	}
	w.chain.Checkpoints = append(w.chain.Checkpoints, *t.Checkpoint)
	w.chainNotes = append(w.chainNotes, gitstore.Brought{Name: name, Sum: gitstore.BroughtSum(string(text))})
	w.waiting = append(w.waiting, wait)
	w.last = alias
	w.bytes += len(text)
	c.New++
	return nil
}

// maxAlias is how long a name may be that a list shows whole, in bytes.
const maxAlias = 160

// aliasOf is the name by which a checkpoint resolves.
func aliasOf(name string) string {
	if len(name) <= maxAlias {
		return name
	}
	return name[:maxAlias] + "-" + gitstore.BroughtSum(name)[:8]
}

// lookAtLines finds out which checkpoints were brought in, and where the line stands.
func (w *writer) lookAtLines(ctx context.Context) error {
	if w.line = w.r.o.Line; w.own || w.line == "" {
		w.line = gitstore.DefaultLine
	}
	if w.empty && w.tries == 0 {
		return nil
	}
	list, err := w.s.Commits.Log(ctx, gitstore.Query{All: true, Removed: true})
	if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
		return err
	}
	for _, r := range list {
		for _, a := range r.Aliases {
			if w.made[a] == "" {
				w.made[a] = r.ID
			}
			w.imported[r.ID] = true
		}
	}
	if err := w.lookAtRefs(ctx); err != nil || w.tip == "" || w.imported[w.tip] || w.r.o.Line != "" && !w.own {
		return err
	}
	on, err := w.s.Commits.Log(ctx, gitstore.Query{Line: w.line, All: true, Removed: true})
	if err != nil {
		return err
	}
	for _, r := range on {
		if w.imported[r.ID] {
			return nil
		}
	}
	w.line = w.r.src.Tool() // what is on the line was thought without it
	return w.lookAtRefs(ctx)
}

// lookAtRefs finds out where the line and its forks stand.
func (w *writer) lookAtRefs(ctx context.Context) error {
	lines, err := w.s.Lines.List(ctx)
	w.tip = ""
	clear(w.forks)
	for _, l := range lines {
		switch {
		case l.Fork && l.Of == w.line:
			w.forks[l.Tip] = l.Name[len(l.Of)+1:]
		case !l.Fork && l.Name == w.line:
			w.tip = l.Tip
		}
	}
	return err
}

// begin begins a chain where a checkpoint belongs: on the line if it continues its tip, else on
// the fork whose tip it continues, else on a fork of its own.
func (w *writer) begin(ctx context.Context, t Checkpoint, alias, parent string) error {
	if parent == "" {
		if w.tip != "" && !w.imported[w.tip] { // what is there was thought without it
			w.line = w.r.src.Tool()
			if err := w.lookAtRefs(ctx); err != nil {
				return err
			}
		}
		w.chain = gitstore.Chain{Line: w.line, Parent: w.tip}
		return nil
	}
	w.chain = gitstore.Chain{Line: w.line, Parent: parent}
	if !t.Aside && (parent == w.tip || w.tip == "") {
		return nil
	}
	if w.chain.Fork = w.forks[parent]; w.chain.Fork == "" {
		w.chain.Fork = gitstore.BroughtSum(alias)[:8]
	}
	return ctx.Err()
}

// flushChain writes the chain that waits.
func (w *writer) flushChain(ctx context.Context) error {
	n := len(w.chain.Checkpoints)
	if n == 0 {
		return nil
	}
	ch := w.chain
	ch.From = w.r.src.Tool()
	saved := gitstore.SavedChain{Ref: ch.Line, IDs: make([]string, n)}
	for i, c := range ch.Checkpoints {
		saved.IDs[i] = "dry " + c.Aliases[0]
	}
	if !w.r.o.DryRun {
		var err error
		if saved, err = w.s.Checkpoints.SaveChain(ctx, ch); errors.Is(err, gitstore.ErrChanged) && w.tries < mostTries {
			return w.again(ctx)
		} else if err != nil {
			return err
		}
		w.tries = 0
	}
	for i, id := range saved.IDs {
		w.made[ch.Checkpoints[i].Aliases[0]] = id
		w.chainNotes[i].Made = id
		w.imported[id] = true
	}
	tip := saved.IDs[n-1]
	where := ch.Line
	if ch.Fork == "" {
		w.tip = tip
	} else {
		delete(w.forks, ch.Parent)
		w.forks[tip] = ch.Fork
		where += "/" + ch.Fork
	}
	w.noteLine(where)
	w.said(saved.Redacted, saved.Warnings)
	notes := w.chainNotes
	w.chain, w.chainNotes, w.waiting, w.bytes = gitstore.Chain{}, nil, nil, 0
	return w.note(notes)
}

// mostTries bounds how often a chain is planned anew.
const mostTries = 20

// waiting is a checkpoint that waits to be written.
type waiting struct {
	rec Record
	t   Checkpoint
}

// again plans the chain that waits anew: somebody moved its ref, a session that saved, another
// import, or the git of one that was killed.
func (w *writer) again(ctx context.Context) error {
	w.tries++
	list := w.waiting
	w.chain, w.chainNotes, w.waiting, w.bytes, w.last = gitstore.Chain{}, nil, nil, 0, ""
	if err := w.lookAtLines(ctx); err != nil {
		return err
	}
	for _, x := range list {
		w.count(x.t.kind()).New--
		if err := w.checkpoint(ctx, x.rec, x.t); err != nil {
			return err
		}
	}
	return w.flushChain(ctx)
}

// note records what was brought in.
func (w *writer) note(list []gitstore.Brought) error {
	if w.r.o.DryRun {
		return nil
	}
	return w.s.Review.NoteBrought(list...)
}
