package codeindex

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/codeindex/internal/chunk"
	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/vectors"
	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// vectorRows gathers the vectors of segments that become one.
type vectorRows struct{ list []vectors.Row }

func (r *vectorRows) take(p *part, moved []uint32) error {
	if p.vectors == nil {
		return nil
	}
	return p.vectors.Each(func(row vectors.Row) {
		if to := moved[row.Chunk]; to != segment.Gone {
			r.list = append(r.list, vectors.Row{Chunk: to, Vector: row.Vector})
		}
	})
}

// writeVectors puts vectors beside a segment, in place of those that it had.
func (x *Index) writeVectors(seg string, rows []vectors.Row) error {
	m := x.o.Model.Model()
	err := x.folder.Write(x.vectorsOf(seg), func(w io.Writer) error { return vectors.Write(w, x.id(m.Name), m.Dim, rows) })
	if err == nil {
		err = x.refresh()
	}
	return err
}

// An EmbedRequest says how much to embed.
type EmbedRequest struct {
	Rev      string                // of a commit; "" is the work tree
	Budget   time.Duration         // how long; 0 is as long as it takes
	Wait     bool                  // for another process that makes them, and go on then
	Progress func(done, total int) // of chunks; nil is nobody
}

// kept is how often what was embedded is written: what is lost when the process is killed.
const kept = 20 * time.Second

// batch is how many texts the model gets at once.
const batch = 64

// Embed makes the vectors that are missing of the files of a view, and returns how many it
// made and how many are left. Killed anywhere, what was kept stays.
func (x *Index) Embed(ctx context.Context, q EmbedRequest) (made, left int, err error) {
	if x.o.Model == nil {
		return 0, 0, nil
	}
	v, err := x.view(ctx, q.Rev)
	if err != nil {
		return 0, 0, err
	}
	return x.embed(ctx, v, q)
}

// embed is Embed of the files of a view.
func (x *Index) embed(ctx context.Context, v *view.View, q EmbedRequest) (made, left int, err error) {
	turn, err := x.turn(ctx)
	for q.Wait && errors.Is(err, ErrBusy) && ctx.Err() == nil {
		if err = x.progress(v, q.Progress); err == nil {
			turn, err = x.turn(ctx)
		}
	}
	if err != nil {
		return 0, 0, cmp.Or(ctx.Err(), err)
	}
	defer turn.Unlock()
	if err := x.refresh(); err != nil {
		return 0, 0, err
	}
	var jobs []embedding
	var have map[segment.ID]source
	if err := x.read(func(parts []*part) (err error) {
		jobs, have, err = missing(x.live(v))
		return err
	}); err != nil {
		return 0, 0, err
	}
	w := &embedder{x: x, q: q, view: v, total: 0, have: have, rows: map[string][]vectors.Row{}, began: time.Now(), saved: time.Now()}
	for _, j := range jobs {
		w.total += len(j.chunks)
	}
	for i := range jobs {
		if err = w.file(ctx, &jobs[i]); err != nil || w.over() {
			break
		}
	}
	if err == nil {
		err = w.flush(ctx)
	}
	err = cmp.Or(err, w.keep())
	return w.done, w.total - w.done, err
}

// ErrBusy says that another process does the same for this repository's code.
var ErrBusy = errors.New("another process is at this code")

// turn lets one process at a time make vectors: two would make the same.
func (x *Index) turn(ctx context.Context) (*disk.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	return x.lock(ctx, "embed.lock")
}

// progress tells how far another process is.
func (x *Index) progress(v *view.View, tell func(done, total int)) error {
	if err := x.refresh(); err != nil || tell == nil {
		return err
	}
	return x.read(func([]*part) error {
		have, all, err := x.embeddedOf(x.live(v))
		if err == nil {
			tell(have, all)
		}
		return err
	})
}

// few is how many vectors a search makes itself before it answers: 64 take a fifth of a
// second.
const few = batch

// embedFew makes the vectors that are missing of a view, where they are few. Whoever else makes
// them is not waited for.
func (x *Index) embedFew(ctx context.Context, v *view.View) error {
	if x.o.Model == nil || x.o.AsIs {
		return nil
	}
	lacking := 0
	err := x.read(func(parts []*part) error {
		have, all, err := x.embeddedOf(x.live(v))
		lacking = all - have
		return err
	})
	if err != nil || lacking == 0 || lacking > few {
		return err
	}
	if _, _, err = x.embed(ctx, v, EmbedRequest{}); errors.Is(err, ErrBusy) || errors.Is(err, disk.ErrUnwritable) {
		err = nil
	}
	return err
}

// An embedding is a file whose chunks want vectors.
type embedding struct {
	file   view.File
	seg    string
	chunks []uint32
	info   []segment.Chunk
	texts  []segment.ID
}

// A source is where a vector of the same text is.
type source struct {
	seg   string
	chunk uint32
}

// embedded are the texts that have a vector, and those of each segment's chunks.
func embedded(parts []*part) (have map[segment.ID]source, texts [][]segment.ID, err error) {
	have = map[segment.ID]source{}
	texts = make([][]segment.ID, len(parts))
	for n, p := range parts {
		if texts[n], err = p.Texts(); err != nil {
			return nil, nil, err
		}
		if p.vectors == nil {
			continue
		}
		for c, id := range texts[n] {
			if id != (segment.ID{}) && p.vectors.Has(uint32(c)) {
				have[id] = source{p.Name(), uint32(c)}
			}
		}
	}
	return have, texts, nil
}

// takeVectors gives each segment the vectors of texts that others have, before they go.
func (x *Index) takeVectors() error {
	if x.o.Model == nil {
		return nil
	}
	rows := map[string][]vectors.Row{}
	err := x.read(func(parts []*part) error {
		have, texts, err := embedded(parts)
		if err != nil {
			return err
		}
		byName := map[string]*part{}
		for _, p := range parts {
			byName[p.Name()] = p
		}
		for n, p := range parts {
			for c, id := range texts[n] {
				at, ok := have[id]
				if !ok || p.vectors != nil && p.vectors.Has(uint32(c)) {
					continue
				}
				row, ok, err := byName[at.seg].vectors.Vector(at.chunk)
				if err != nil {
					return err
				}
				if ok {
					rows[p.Name()] = append(rows[p.Name()], vectors.Row{Chunk: uint32(c), Vector: row})
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return x.addVectors(rows)
}

// missing are the chunks of a view without a vector, by file, and the texts that have one.
func missing(l *live) (jobs []embedding, have map[segment.ID]source, err error) {
	have, texts, err := embedded(l.parts)
	if err != nil {
		return nil, nil, err
	}
	for _, at := range l.files() {
		p := l.parts[at.part]
		f := p.File(at.file)
		j := embedding{file: l.view.Files[l.at[at.part][at.file]], seg: p.Name()}
		for c := uint32(f.Chunk); c < uint32(f.Chunk+f.N); c++ {
			id := texts[at.part][c]
			if id == (segment.ID{}) || p.vectors != nil && p.vectors.Has(c) {
				continue
			}
			info, err := p.Chunk(c)
			if err != nil {
				return nil, nil, err
			}
			j.chunks, j.info, j.texts = append(j.chunks, c), append(j.info, info), append(j.texts, id)
		}
		if len(j.chunks) > 0 {
			jobs = append(jobs, j)
		}
	}
	return jobs, have, nil
}

// An embedder makes vectors, and keeps them from time to time.
type embedder struct {
	x            *Index
	q            EmbedRequest
	view         *view.View
	have         map[segment.ID]source
	done, total  int
	waiting      []waiting
	rows         map[string][]vectors.Row // by segment
	began, saved time.Time
}

// waiting is a text that the model has not got yet.
type waiting struct {
	seg   string
	chunk uint32
	text  string
}

func (w *embedder) over() bool { return w.q.Budget > 0 && time.Since(w.began) > w.q.Budget }

// file takes the texts of a file, which may have changed: then they are left.
func (w *embedder) file(ctx context.Context, j *embedding) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	raw, err := w.x.content(w.view, &j.file)
	if err != nil {
		return nil // it is gone, and so is what was to be embedded
	}
	lines := strings.SplitAfter(string(raw), "\n")
	for i, c := range j.info {
		if at, ok := w.have[j.texts[i]]; ok {
			if row, ok := w.x.vectorAt(at); ok {
				w.add(j.seg, j.chunks[i], row)
				continue
			}
		}
		text := strings.Join(lines[min(c.First-1, len(lines)):min(c.Last, len(lines))], "")
		w.waiting = append(w.waiting, waiting{j.seg, j.chunks[i], chunk.Embedded(&c, text)})
	}
	if len(w.waiting) >= batch {
		return w.flush(ctx)
	}
	return nil
}

// vectorAt is a vector that another chunk with the same text has.
func (x *Index) vectorAt(at source) (out []float32, ok bool) {
	err := x.read(func(parts []*part) (err error) {
		for _, p := range parts {
			if p.Name() == at.seg && p.vectors != nil {
				out, ok, err = p.vectors.Vector(at.chunk)
			}
		}
		return err
	})
	return out, ok && err == nil
}

func (w *embedder) add(seg string, c uint32, row []float32) {
	w.rows[seg] = append(w.rows[seg], vectors.Row{Chunk: c, Vector: row})
	w.done++
}

// flush has the model embed what waits.
func (w *embedder) flush(ctx context.Context) error {
	for len(w.waiting) > 0 {
		now := w.waiting[:min(batch, len(w.waiting))]
		w.waiting = w.waiting[len(now):]
		texts := make([]string, len(now))
		for i := range now {
			texts[i] = now[i].text
		}
		rows, err := w.x.o.Model.Documents(ctx, texts)
		if err != nil {
			return err
		}
		for i, row := range rows {
			w.add(now[i].seg, now[i].chunk, row)
		}
		if w.q.Progress != nil {
			w.q.Progress(w.done, w.total)
		}
		if time.Since(w.saved) > kept {
			if err := w.keep(); err != nil {
				return err
			}
		}
	}
	return nil
}

// keep writes the vectors that were made since it was last called.
func (w *embedder) keep() error {
	w.saved = time.Now()
	return w.x.addVectors(w.rows)
}

// addVectors writes vectors beside those that segments have, and takes them out of all.
func (x *Index) addVectors(all map[string][]vectors.Row) error {
	for seg, rows := range all {
		err := x.read(func(parts []*part) error {
			for _, p := range parts {
				if p.Name() == seg && p.vectors != nil {
					return p.vectors.Each(func(r vectors.Row) { rows = append(rows, r) })
				}
			}
			return nil
		})
		if err == nil && x.has(seg) {
			err = x.writeVectors(seg, rows)
		}
		if err != nil {
			return err
		}
		delete(all, seg)
	}
	return nil
}

// has reports whether a segment is still there: another process may have merged it.
func (x *Index) has(seg string) bool {
	return slices.Contains(x.names(), seg)
}
