// Package bulk reads very many objects at once.
package bulk

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Where very much is to be read one git lists it and another writes it, both at
// once: that takes 5 µs an object, and to ask for each by itself 80.

// coldObjects is from where on it pays to start them.
const coldObjects = 500

// A bulk is a part of what is read, as large as its bounds say or of one object.
const (
	bulkObjects = 2000
	bulkBytes   = 1 << 20
)

// bulkTime bounds the reading of everything.
const bulkTime = 12 * time.Hour

// A listed object is one that git names, with where it lies in a tree.
type listed struct{ ID, Path string }

// A Found object is one with what it holds.
type Found struct {
	listed
	Typ  string
	Data []byte
	// What somebody saw in it who looked at it ahead.
	Good       bool             // it is what its id says
	Checkpoint *sage.Checkpoint // as which it reads; nil where it is none
	Clear      bool             // and holds nothing of what is looked for
}

// IsGood reports whether an object is the one that its id stands for in a store.
func (o Found) IsGood(in loose.Store) bool { return in.New(o.Typ, o.Data).ID == o.ID }

// Reached reads what revs reach, in parts and in the order that args of git rev-list
// ask for: while one part is looked at the next is read. What is not whole is left
// out, and whole is false in the end, for whoever must know to look at each by
// itself. Of fewer than coldObjects nothing is read.
func Reached(ctx context.Context, run *git.Runner, revs string, whole *bool, args ...string) iter.Seq[[]Found] {
	args = slices.Concat([]string{"rev-list"}, args, []string{"--stdin"})
	return Listed(ctx, run, whole, func(ctx context.Context, to io.Writer) error {
		return run.Pipe(ctx, strings.NewReader(revs), to, args...)
	})
}

// Listed is Reached for what list writes: an id a line, which a path may follow.
func Listed(ctx context.Context, run *git.Runner, whole *bool, list func(context.Context, io.Writer) error) iter.Seq[[]Found] {
	return func(yield func([]Found) bool) {
		ctx, cancel := context.WithTimeout(ctx, bulkTime)
		defer cancel()
		parts := make(chan []Found, 1)
		go func() {
			defer close(parts)
			r := &reader{ctx: ctx, git: run, parts: parts, asked: make(chan listed, maxUnanswered)}
			*whole = r.run(list) == nil && r.whole
			cancel() // whatever is still at work
		}()
		for part := range parts {
			if !yield(part) {
				cancel()
				for range parts {
				}
				return
			}
		}
	}
}

// maxUnanswered bounds what git is asked for ahead. It is far more than git and the
// pipes hold back before somebody reads an answer.
const maxUnanswered = 16 << 10

// Ahead hands on what fn makes of each part, which it does beside whoever looks at
// the part before.
func Ahead[T any](parts iter.Seq[[]Found], fn func([]Found) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		made, stop := make(chan T, 1), make(chan struct{})
		go func() {
			defer close(made)
			for part := range parts {
				select {
				case made <- fn(part):
				case <-stop:
					return
				}
			}
		}()
		for m := range made {
			if !yield(m) {
				close(stop)
				for range made {
				}
				return
			}
		}
	}
}

// A reader is one reading of everything.
type reader struct {
	ctx   context.Context
	git   *git.Runner
	parts chan<- []Found
	asked chan listed
	whole bool
	part  []Found
	room  []byte // of the part
}

// run lists, asks for what is listed and takes the answers.
func (r *reader) run(list func(context.Context, io.Writer) error) error {
	from, to := io.Pipe()
	defer from.Close()
	go func() { _ = to.CloseWithError(list(r.ctx, to)) }()
	in := bufio.NewReaderSize(from, 256<<10)
	first, err := listSome(in)
	if err == io.EOF {
		return nil // few
	}
	if err != nil {
		return err
	}
	ask, asked := io.Pipe()
	answers, answered := io.Pipe()
	defer answers.Close()
	go func() { _ = asked.CloseWithError(r.ask(asked, in, first)) }()
	go func() {
		_ = answered.CloseWithError(r.git.Pipe(r.ctx, ask, answered, "cat-file", "--batch", "--buffer"))
		_ = ask.Close()
	}()
	return r.take(bufio.NewReaderSize(answers, 256<<10))
}

// listSome reads so many lines as make it worth to go on; io.EOF says that there
// are no more.
func listSome(in *bufio.Reader) (some []listed, err error) {
	for err == nil && len(some) < coldObjects {
		var o listed
		if o, err = nextListed(in); err == nil {
			some = append(some, o)
		}
	}
	return some, err
}

func nextListed(in *bufio.Reader) (listed, error) {
	l, err := in.ReadString('\n')
	id, path, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
	return listed{id, path}, err
}

func (r *reader) ask(to io.Writer, in *bufio.Reader, some []listed) (err error) {
	defer close(r.asked)
	out := bufio.NewWriterSize(to, 32<<10)
	for _, o := range some {
		err = cmp.Or(err, r.askFor(out, o))
	}
	for err == nil {
		var o listed
		if o, err = nextListed(in); err == nil {
			err = r.askFor(out, o)
		}
	}
	if err == io.EOF {
		err = out.Flush()
	}
	return err
}

func (r *reader) askFor(out *bufio.Writer, o listed) error {
	select {
	case r.asked <- o:
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	_, err := out.WriteString(o.ID + "\n")
	return err
}

// take takes the answers: "<id> <type> <size>", the content, a line end; or
// "<id> missing".
func (r *reader) take(in *bufio.Reader) error {
	r.whole = true
	for {
		head, err := in.ReadSlice('\n')
		if err == io.EOF {
			r.hand()
			return nil
		}
		if err != nil {
			return err
		}
		o := <-r.asked
		if f := bytes.Fields(head); len(f) == 3 && string(f[0]) == o.ID {
			n, err := strconv.Atoi(string(f[2]))
			if err == nil {
				err = r.content(in, Found{listed: o, Typ: string(f[1])}, n)
			}
			if err != nil {
				return err
			}
		} else {
			r.whole = false
		}
	}
}

// content reads what an object holds. What is too large for anything of ours is
// passed over.
func (r *reader) content(in *bufio.Reader, o Found, n int) error {
	if n > git.MaxObject {
		r.whole = false
		_, err := in.Discard(n + 1)
		return err
	}
	if len(r.part) == bulkObjects || len(r.room)+n > cap(r.room) {
		r.hand()
		r.room = make([]byte, 0, max(n, bulkBytes))
	}
	at := len(r.room)
	r.room = r.room[:at+n]
	o.Data = r.room[at : at+n : at+n]
	if _, err := io.ReadFull(in, o.Data); err != nil {
		return err
	}
	r.part = append(r.part, o)
	_, err := in.Discard(1)
	return err
}

// hand hands on what was read.
func (r *reader) hand() {
	if len(r.part) > 0 {
		select {
		case r.parts <- r.part:
		case <-r.ctx.Done():
		}
	}
	r.part = make([]Found, 0, len(r.part))
}
