package codeindex

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-sage/git-sage/codeindex/internal/chunk"
	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// An UpdateRequest says what to index.
type UpdateRequest struct {
	Rev      string                // a commit; "" is the work tree
	Full     bool                  // parse all of it again; a text that is the same keeps its vector
	Under    string                // a folder or file, from the top; "" is all
	Budget   time.Duration         // after which no other file is begun; 0 is never
	Jobs     int                   // files at once; 0 is as many as there are processors
	Progress func(done, total int) // of files that are parsed; nil is nobody
}

// A Report tells what an update found.
type Report struct {
	Files     int // in the view
	Parsed    int // of them, which were not known
	Failed    int // that changed while they were read
	Totals        // of all files of the view
	Embedded  int // chunks of those that want a vector
	Wanting   int
	Languages []string
	Took      time.Duration
}

// Totals count what files define.
type Totals struct {
	Chunks, Functions, Classes, Constants int
}

// published is after how many chunks a segment is written: what is lost when the process is
// killed. A segment of so many takes 6 MB and is not merged any more.
const published = 16_000

// Update indexes what is not known yet. Killed anywhere, what was published stays; if ctx ends,
// all that was parsed, and the report says how much.
func (x *Index) Update(ctx context.Context, q UpdateRequest) (Report, error) {
	began := time.Now()
	v, err := x.view(ctx, q.Rev)
	if err != nil {
		return Report{}, err
	}
	if under := strings.Trim(q.Under, "/"); under != "" && under != "." {
		v.Files = slices.DeleteFunc(v.Files, func(f view.File) bool {
			return f.Path != under && !strings.HasPrefix(f.Path, under+"/")
		})
	}
	lock, err := x.folder.Lock(ctx, prefix+"index.lock") // two would read the same files
	if lock == nil {
		return Report{}, cmp.Or(ctx.Err(), err)
	}
	defer lock.Unlock()
	if err := x.refresh(); err != nil {
		return Report{}, err
	}
	r := Report{Files: len(v.Files)}
	old := x.names()
	known := func(segment.ID) bool { return false }
	if !q.Full {
		known = x.knows
	}
	if r.Parsed, r.Failed, err = x.add(ctx, v, unknown(v, known), q); err != nil {
		return r, err
	}
	if q.Full {
		if err := x.takeVectors(); err != nil {
			return r, err
		}
		if err := x.forget(old, v); err != nil {
			return r, err
		}
	}
	if err := x.merge(ctx); err != nil {
		return r, err
	}
	err = x.read(func(parts []*part) error { return x.count(newLive(v, parts, nil), &r) })
	r.Took = time.Since(began)
	return r, err
}

func (x *Index) names() (out []string) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, p := range x.open {
		out = append(out, p.Name())
	}
	return out
}

// knows reports whether a blob is indexed.
func (x *Index) knows(id segment.ID) (known bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	_ = disk.Guard(func() error { // what was cut short meanwhile is unknown
		known = slices.ContainsFunc(x.open, func(p *part) bool { _, ok := p.Find(id); return ok })
		return nil
	})
	return known
}

// unknown are the files of a view to be parsed, each blob once.
func unknown(v *view.View, known func(segment.ID) bool) (out []*view.File) {
	seen := make(map[segment.ID]bool, len(v.Files))
	for i := range v.Files {
		f := &v.Files[i]
		if seen[f.ID] || known(f.ID) {
			continue
		}
		seen[f.ID] = true
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b *view.File) int { return strings.Compare(path.Ext(a.Path), path.Ext(b.Path)) }) // a grammar for all its files
	return out
}

// patience is how long a search indexes what is new before it answers without the rest. Of
// few files it is longer: they take that time only where a grammar is met for the first time
// on this machine.
const patience, patienceForFew, fewFiles = 200 * time.Millisecond, 2 * time.Second, 50

// current lists the files of the work tree or of a commit, and indexes what is new of them as
// far as that is quick.
func (x *Index) current(ctx context.Context, rev string) (*view.View, error) {
	v, err := x.view(ctx, rev)
	if err != nil {
		return nil, err
	}
	if err := x.refresh(); err != nil || x.o.AsIs {
		return v, err
	}
	if same := x.whole(v); same != nil {
		return same, ctx.Err()
	}
	files, budget := unknown(v, x.knows), patience
	if len(files) <= fewFiles {
		budget = patienceForFew
	}
	if _, _, err := x.add(ctx, v, files, UpdateRequest{Budget: budget}); err != nil && !errors.Is(err, disk.ErrUnwritable) {
		return nil, err
	}
	return v, nil
}

// add parses files and publishes them.
func (x *Index) add(ctx context.Context, v *view.View, files []*view.File, q UpdateRequest) (parsed, failed int, err error) {
	if len(files) == 0 {
		return 0, 0, ctx.Err()
	}
	parser, err := x.parser()
	if err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := q.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	began := time.Now()
	over := func() bool { return q.Budget > 0 && time.Since(began) > q.Budget }
	var next, lost atomic.Int64
	cut := make(chan segment.File, 4*jobs)
	var workers sync.WaitGroup
	for range min(jobs, len(files)) {
		workers.Go(func() {
			cutter := chunk.NewCutter(parser)
			for ctx.Err() == nil && !over() {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				source, err := x.content(v, files[i])
				if err != nil {
					lost.Add(1)
					continue
				}
				f, err := cutter.Cut(ctx, files[i].Path, files[i].ID, source)
				if err != nil {
					return // the context ended
				}
				select {
				case cut <- f:
				case <-ctx.Done():
				}
			}
		})
	}
	go func() { workers.Wait(); close(cut) }()
	b := segment.NewBuilder()
	for f := range cut {
		b.Add(f)
		parsed++
		if q.Progress != nil {
			q.Progress(parsed, len(files))
		}
		if b.Chunks() >= published {
			if _, err := x.publish(b); err != nil {
				cancel(err)
				break
			}
			b = segment.NewBuilder()
		}
	}
	for range cut { // whoever waits to hand over its file
	}
	_, err = x.publish(b) // also when the context ended: who goes on does not parse these again
	return parsed, int(lost.Load()), cmp.Or(context.Cause(ctx), err)
}

// publish writes a segment and opens it.
func (x *Index) publish(b *segment.Builder) (name string, err error) {
	if b.Len() == 0 {
		return "", nil
	}
	name = newName()
	if err := x.folder.Write(name, func(w io.Writer) error { return b.Write(w, x.id("segment")) }); err != nil {
		return "", err
	}
	return name, x.refresh()
}

// forget removes segments whose files were indexed again, but for the files that are of
// other views.
func (x *Index) forget(names []string, v *view.View) error {
	again := map[segment.ID]bool{}
	for i := range v.Files {
		again[v.Files[i].ID] = true
	}
	return x.rewrite(names, func(id segment.ID) bool { return !again[id] })
}

// merged is from how many small segments on they become one.
const merged = 6

// merge makes one segment of many small ones, and drops those whose files all are in others:
// of two processes that read the same files each wrote them.
func (x *Index) merge(ctx context.Context) error {
	var small, twice []string
	x.mu.RLock()
	for i, p := range x.open {
		if slices.ContainsFunc(x.open[:i], p.within) {
			twice = append(twice, p.Name())
		} else if p.Len() < published/2 {
			small = append(small, p.Name())
		}
	}
	x.mu.RUnlock()
	if len(twice) > 0 {
		if err := x.remove(twice); err != nil {
			return err
		}
	}
	if len(small) < merged || ctx.Err() != nil {
		return ctx.Err()
	}
	return x.rewrite(small, func(segment.ID) bool { return true })
}

// rewrite makes one segment of some, of the files that keep wants, each once, with the
// vectors that there are, and removes them.
func (x *Index) rewrite(names []string, keep func(segment.ID) bool) error {
	if len(names) == 0 {
		return nil
	}
	b := segment.NewBuilder()
	rows := vectorRows{}
	seen := map[segment.ID]bool{}
	err := x.read(func(parts []*part) error {
		for _, p := range parts {
			if !slices.Contains(names, p.Name()) {
				continue
			}
			moved, err := b.Take(p.Segment, func(file int) bool {
				id := p.File(file).ID
				if seen[id] || !keep(id) {
					return false
				}
				seen[id] = true
				return true
			})
			if err != nil {
				return err
			}
			if err := rows.take(p, moved); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	name, err := x.publish(b)
	if err == nil && len(rows.list) > 0 {
		err = x.writeVectors(name, rows.list)
	}
	if err != nil {
		return err
	}
	return x.remove(names)
}

// remove removes segments and their vectors.
func (x *Index) remove(names []string) error {
	for _, old := range names {
		_ = x.folder.Remove(old)
		if made := x.vectorsOf(old); made != "" {
			_ = x.folder.Remove(made)
		}
	}
	return x.refresh()
}

// count adds up what the files of a view define.
func (x *Index) count(l *live, r *Report) (err error) {
	languages := map[string]bool{}
	for _, c := range l.files() {
		p := l.parts[c.part]
		f := p.File(c.file)
		if f.Language != "" {
			languages[f.Language] = true
		}
		r.Chunks += f.N
		for i := f.Chunk; i < f.Chunk+f.N; i++ {
			switch p.KindOf(uint32(i)) {
			case "function", "method", "test", "macro":
				r.Functions++
			case "class", "struct", "interface", "trait", "enum", "type", "extension":
				r.Classes++
			case "constant", "variable":
				r.Constants++
			}
		}
	}
	r.Languages = slices.Sorted(maps.Keys(languages))
	r.Embedded, r.Wanting, err = x.embeddedOf(l)
	return err
}
