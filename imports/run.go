package imports

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
)

// Options say how a source is brought in.
type Options struct {
	DryRun bool   // find out what would be done, and write nothing
	Again  bool   // bring in also what was removed here since
	Line   string // for the project's checkpoints; "" is main if that is empty, else the tool's
}

// A Target is where a source is brought in.
type Target struct {
	Project *gitstore.Store                 // nil: there is no repository
	Own     func() (*gitstore.Store, error) // the user's own store; nil of it: there is none yet, and none is made

	// AddTemplate adds a template. ErrExists says that another of that name is there, ErrNothing
	// that this one is.
	AddTemplate func(own bool, text []byte, dry bool) error
	// Set changes a setting. ErrExists says that it has another value already, ErrNothing that
	// it has this one.
	Set func(own bool, key, value string, dry bool) error
}

// Run brings in what a source has. What was saved when it returns an error stays.
func Run(ctx context.Context, src Source, to Target, o Options) (Report, error) {
	r := &runner{src: src, to: to, o: o, report: Report{Tool: src.Tool()}, stores: map[bool]*writer{}}
	names, err := src.Names(ctx)
	if err != nil {
		return r.report, err
	}
	r.names = names
	if err := r.lookAhead(ctx); err != nil {
		return r.report, err
	}
	err = src.Each(ctx, func(rec Record) error {
		if err := r.take(ctx, rec); err != nil {
			return err
		}
		return ctx.Err()
	})
	for _, own := range []bool{false, true} {
		if w := r.stores[own]; w != nil && err == nil {
			err = w.flush(ctx)
		}
	}
	return r.report, err
}

// A runner is one run.
type runner struct {
	src    Source
	to     Target
	o      Options
	names  []Name
	ahead  map[Name]ahead // by names without ids
	report Report
	stores map[bool]*writer
}

// take brings in one record, at the latest with the next flush.
func (r *runner) take(ctx context.Context, rec Record) error {
	r.report.Problems = append(r.report.Problems, rec.Problems...)
	switch t := rec.Thing.(type) {
	case nil:
		return nil
	case Template:
		return r.outside(rec, func() error { return r.to.AddTemplate(rec.Own, t, r.o.DryRun) })
	case Setting:
		return r.outside(rec, func() error { return r.to.Set(rec.Own, t.Key, t.Value, r.o.DryRun) })
	}
	w, err := r.writer(ctx, rec.Own)
	if err != nil {
		return err
	}
	switch t := rec.Thing.(type) {
	case Checkpoint:
		return w.checkpoint(ctx, rec, t)
	case Item:
		return w.item(ctx, rec, t)
	case CoreFile:
		return w.core(ctx, rec, t)
	}
	return fmt.Errorf("cannot import a %T", rec.Thing)
}

// outside brings in what does not lie in a store. What is there counts.
func (r *runner) outside(rec Record, do func() error) error {
	var advice *AdviceError
	switch err := do(); {
	case errors.As(err, &advice):
		r.problem(rec, Noted, advice.What, advice.Do)
	case err == nil:
		r.report.count(rec.Own, rec.Thing.kind()).New++
	case errors.Is(err, gitstore.ErrNothing): // it is in force, whoever put it there
	case errors.Is(err, gitstore.ErrExists):
		r.problem(rec, Noted, "another "+rec.Thing.kind()+" of this name is here and stays: "+err.Error(), "")
	default:
		r.problem(rec, Skipped, err.Error(), "")
	}
	return nil
}

func (r *runner) problem(rec Record, g Grade, what, do string) {
	r.report.Problems = append(r.report.Problems, Problem{Where: rec.Lies, Grade: g, What: what, Do: do})
}

// writer is what writes to the store of the project, or of the user.
func (r *runner) writer(ctx context.Context, own bool) (*writer, error) {
	if w := r.stores[own]; w != nil {
		return w, nil
	}
	s := r.to.Project
	if own {
		var err error
		if s, err = r.to.Own(); err != nil {
			return nil, err
		}
	}
	if s == nil && !r.o.DryRun {
		return nil, errors.New("there is no repository to import this into")
	}
	w := &writer{r: r, s: s, own: own}
	r.stores[own] = w
	return w, w.look(ctx)
}

// An AdviceError says why something was not done that has no place in the memory, and what to
// do about it. Nothing is lost by it.
type AdviceError struct{ What, Do string }

func (e *AdviceError) Error() string { return e.What }
