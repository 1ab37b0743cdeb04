// Package api answers what the page and programs ask of a memory, as JSON: the objects that
// --json prints, under the paths that openapi.json describes.
package api

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/review"
	"github.com/git-sage/git-sage/recall/save"
)

// WriteHeader is the header that every request has to bring which changes something: no
// form has it, and no page of elsewhere may send it.
const WriteHeader = "X-Sage-Write"

// shownHeader asks for texts as people are to see them: what is invisible in them, or
// changes how others are seen, is written out.
const shownHeader = "X-Sage-Shown"

// maxBody is more than the longest item takes.
const maxBody = 8 << 20

// An API answers of the memory at hand, which is opened anew for each request: what it
// says is what is there.
type API struct {
	a      *app.App
	life   string       // of this process: what a browser kept of another is old
	writes atomic.Int64 // that were made here

	judging sync.Mutex // held by who judges: of two who judge one thing, the second is told

	mu    sync.Mutex // guards what follows
	graph *graph     // the last that was laid out
	queue queue      // what waits, as it was listed last
}

// New returns an API of the memory that is at hand in a world.
func New(a *app.App) *API { return &API{a: a, life: rand.Text()} }

// A call is a request, with the memory that it is about.
type call struct {
	*http.Request
	m *recall.Memory
	a *app.App // the world of this request alone

	stamp string  // of a read: the state that is answered of
	then  *func() // done when what was written counts as such
}

// Register adds all endpoints to a mux.
func (a *API) Register(mux *http.ServeMux) {
	for _, e := range endpoints {
		mux.HandleFunc(e.method+" "+e.path, func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, e) })
	}
	mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(description)
	})
}

// serve answers a request. A bug in an answer is an error like others, and the server goes on.
func (a *API) serve(w http.ResponseWriter, r *http.Request, e endpoint) {
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			Refuse(w, http.StatusInternalServerError, "this is a bug in git-sage: "+term.Visible(fmt.Sprint(p)))
		}
	}()
	ctx := r.Context()
	if e.method != "GET" {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			Refuse(w, http.StatusUnsupportedMediaType, "the body must be application/json")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	}
	there := *a.a // what opens a memory notes it there
	there.Reads = e.method == "GET"
	m, err := there.Open(ctx)
	if err != nil {
		a.fail(w, err)
		return
	}
	defer m.Close()
	stamp := ""
	if e.isOfMemory() {
		if stamp, err = a.stamp(ctx, m); err != nil {
			a.fail(w, err)
			return
		}
		tag := stamp
		if r.Header.Get(shownHeader) != "" {
			tag += "s"
		}
		w.Header().Set("Vary", shownHeader)
		w.Header().Set("ETag", `"`+tag+`"`)
		if isAny(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	then := func() {}
	v, err := e.answer(a, ctx, call{r, m, &there, stamp, &then})
	if e.method != "GET" {
		a.writes.Add(1)
		then()
	}
	if err != nil {
		a.fail(w, err)
		return
	}
	if r.Header.Get(shownHeader) != "" {
		v = wire.Legible{Of: v}
	}
	write(w, http.StatusOK, v)
}

// isAny reports whether a list of tags has one.
func isAny(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if strings.Trim(strings.TrimPrefix(strings.TrimSpace(one), "W/"), `"`) == tag {
			return true
		}
	}
	return false
}

// A problem is an error that says with which status it is answered, and what is there now.
type problem struct {
	status int
	error
	now any
}

func (p *problem) Unwrap() error { return p.error }

func badRequest(format string, args ...any) error {
	return &problem{status: http.StatusBadRequest, error: fmt.Errorf(format, args...)}
}

// An Error is what is answered where there is no other answer.
type Error struct {
	Error struct {
		Message string   `json:"message"`
		Hints   []string `json:"hints"`
	} `json:"error"`
	Now any `json:"now,omitempty"` // what is there, where something was to be changed that is not as it was seen
}

func (a *API) fail(w http.ResponseWriter, err error) {
	var e Error
	e.Error.Message = term.Visible(exit.Message(err))
	e.Error.Hints = append([]string{}, exit.Hints(&term.Terminal{}, err)...)
	var p *problem
	if errors.As(err, &p) {
		e.Now = p.now
	}
	w.Header().Del("ETag")
	write(w, statusOf(err), e)
}

// statusOf is the status with which an error is answered.
func statusOf(err error) int {
	var p *problem
	var invalid *save.InvalidError
	var wrong validate.Problem
	var filter *gitstore.FilterError
	var ambiguous *gitstore.AmbiguousError
	var missing *gitstore.NoItemError
	var tooLong *http.MaxBytesError
	var mistake *usage.Error
	switch {
	case errors.As(err, &p):
		return p.status
	case errors.As(err, &tooLong):
		return http.StatusRequestEntityTooLarge
	case exit.IsNotFound(err), errors.As(err, &missing), errors.Is(err, gitstore.ErrNotRepository):
		return http.StatusNotFound
	case errors.Is(err, gitstore.ErrChanged), errors.Is(err, gitstore.ErrExists), errors.Is(err, gitstore.ErrNothing), errors.Is(err, gitstore.ErrRemoved), errors.Is(err, review.ErrUnsigned):
		return http.StatusConflict
	case errors.Is(err, gitstore.ErrNoPerson), errors.Is(err, gitstore.ErrDisabled):
		return http.StatusForbidden
	case errors.As(err, &mistake), errors.As(err, &invalid), errors.As(err, &wrong), errors.As(err, &filter), errors.As(err, &ambiguous), errors.Is(err, gitstore.ErrName):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// Refuse answers with an error.
func Refuse(w http.ResponseWriter, status int, why string) {
	var e Error
	e.Error.Message, e.Error.Hints = why, []string{}
	write(w, status, e)
}

func write(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":{"message":"the answer cannot be written as JSON","hints":[]}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b)
}

// decode reads the body of a request; a field that nobody knows is a mistake.
func decode(c call, into any) error {
	d := json.NewDecoder(c.Body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return err
	case err != nil:
		return badRequest("the body cannot be read: %w", err)
	case d.More():
		return badRequest("the body has more than one object")
	}
	return nil
}

// number is a parameter of the address, between the least and the most that it may be.
func (c call) number(name string, otherwise, least, most int) (int, error) {
	s := c.URL.Query().Get(name)
	if s == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		return 0, badRequest("%s: want a number from %d to %d", name, least, most)
	}
	return n, nil
}
