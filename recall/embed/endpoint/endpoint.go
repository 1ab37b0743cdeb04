// Package endpoint is an embed.Embedder that asks a server: one that answers POST
// <url>/embeddings as OpenAI's does, which most that serve models can. Texts leave the
// machine, so that only what a person configured themselves makes one.
//
// A query answers within QueryTime or not at all: whoever asks has words to go on with.
// Documents are sent in batches, and again after 429, 5xx and broken connections.
// An answer is believed only when it holds one vector for each text, all of the width
// that is known, none of them without length. Nothing that is told of a failure holds
// the key.
package endpoint

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/git-sage/git-sage/internal/modelhttp"
	"github.com/git-sage/git-sage/recall/embed"
)

// What a request may take and hold.
const (
	QueryTime   = time.Second      // of a query, with all that is tried again
	requestTime = 5 * time.Second  // of one request of documents, and
	textTime    = time.Second      // for each of them
	batch       = 64               // texts in a request
	tries       = 4                // of one request
	firstWait   = time.Second / 4  // before the second of them; it doubles
	mostWait    = 20 * time.Second // whatever a server asks for
)

// Options say whom to ask.
type Options struct {
	URL   string // such as https://api.example.org/v1; "/embeddings" is added where it is missing
	Model string // as the server calls it
	Key   string // "" is none
	Dim   int    // of its vectors; 0 while nobody knows

	Within time.Duration                              // of a query; 0 is QueryTime
	Client *http.Client                               // nil is one that follows no redirection
	Sleep  func(context.Context, time.Duration) error // nil is the clock's
}

// ErrSilent is an endpoint that could not be reached, or did not answer in time: who
// asks again soon waits as long again.
var ErrSilent = errors.New("no answer from the embedding endpoint")

// silent is an error that is ErrSilent, in its own words.
type silent struct{ error }

func (silent) Is(target error) bool { return target == ErrSilent }

// An Endpoint is a model at a server.
type Endpoint struct {
	o   Options
	url string
}

// New checks options without asking anybody.
func New(o Options) (*Endpoint, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Fragment != "" {
		return nil, errors.New("the endpoint's address is not valid: want https://<host>/<path>, without a user")
	}
	if o.Model == "" {
		return nil, errors.New("no model is given for the endpoint")
	}
	if o.Key != "" && u.Scheme == "http" && !modelhttp.IsLocal(u.Hostname()) {
		return nil, fmt.Errorf("the key would be sent to %s unencrypted: use https, or no key", u.Host)
	}
	if !strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/embeddings") {
		u = u.JoinPath("embeddings")
	}
	o.Client = cmp.Or(o.Client, modelhttp.Client)
	o.Within = cmp.Or(o.Within, QueryTime)
	return &Endpoint{o, u.String()}, nil
}

// Model implements embed.Embedder. The name changes with the address: who stands
// behind another may call another model the same.
func (e *Endpoint) Model() embed.Model {
	sum := sha256.Sum256([]byte(e.url))
	return embed.Model{Name: fmt.Sprintf("endpoint-%x/%s", sum[:4], e.o.Model), Dim: e.o.Dim, MaxTokens: 512}
}

// Queries implements embed.Embedder, within QueryTime.
func (e *Endpoint) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	short := ctx
	if len(texts) <= batch/8 { // and not the hundred of a calibration
		var cancel context.CancelFunc
		short, cancel = context.WithTimeoutCause(ctx, e.o.Within, fmt.Errorf("no answer within %v", e.o.Within))
		defer cancel()
	}
	return e.embed(ctx, short, texts)
}

// Documents implements embed.Embedder.
func (e *Endpoint) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embed(ctx, ctx, texts)
}

// embed asks for texts within short. The error of ctx itself is returned as it is.
func (e *Endpoint) embed(ctx, short context.Context, texts []string) ([][]float32, error) {
	dim := e.o.Dim
	var out [][]float32
	for from := 0; from < len(texts); from += batch {
		v, err := e.try(short, texts[from:min(from+batch, len(texts))], dim)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case short.Err() != nil:
			err = context.Cause(short)
		}
		if err != nil {
			return nil, e.failed(err, short.Err() != nil)
		}
		out, dim = append(out, v...), len(v[0])
	}
	return out, nil
}

// failed tells of an error of the server; late is that the time is over.
func (e *Endpoint) failed(err error, late bool) error {
	told := fmt.Errorf("embedding endpoint %s: %s", e.host(), modelhttp.Discreet(err.Error(), e.o.Key))
	if _, ok := errors.AsType[*modelhttp.BusyError](err); late || ok {
		return silent{told}
	}
	return told
}

func (e *Endpoint) host() string {
	u, err := url.Parse(e.url)
	if err != nil {
		return "?"
	}
	return u.Host
}
