// Package hub fetches the files of a model from the Hugging Face hub, or from what
// stands in its place. It asks for nothing but what a conversion reads.
//
// A file is believed when it has the size and the checksum that the hub, and not the
// server that stores it, names: SHA-256 for large ones (X-Linked-ETag), git's blob id
// for others (ETag). Until then it lies beside as a .part, from whose end the next try
// goes on, in this run or another. A server that sends nothing for a while, more than
// it said, other bytes, or sends elsewhere for ever is given up, in one line.
package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/recall/embed/convert"
	"github.com/git-sage/git-sage/recall/embed/internal/web"
)

// Public is where models are fetched from unless somebody says otherwise.
const Public = "https://huggingface.co"

// What is read at most, and waited for.
const (
	mostList    = 16 << 20
	mostWeights = 4 << 30
	mostText    = 64 << 20
	mostPooling = 4 // folders that say how vectors are pooled; models have one
	mostHops    = 5
	tries       = 5 // without a byte more
	firstWait   = time.Second
	mostWait    = time.Minute
	idleTime    = 30 * time.Second
)

// A Hub is where models are. Its zero fields have defaults.
type Hub struct {
	URL    string // Public
	Token  string // sent to the hub alone, never to where it stores files
	Client *http.Client
	Sleep  func(context.Context, time.Duration) error
	Idle   time.Duration                 // after which a silent server is given up for this try
	Left   func(file string, left int64) // told what is to come of a file
}

// Check says what is wrong with the hub's address.
func (h *Hub) Check() error {
	u, err := url.Parse(h.base())
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil:
		return errors.New("the hub's address is none: want https://<host>")
	case h.Token != "" && u.Scheme == "http" && !web.Local(u.Hostname()):
		return fmt.Errorf("the token would go to %s in the clear: use https, or no token", u.Host)
	}
	return nil
}

func (h *Hub) base() string {
	if h.URL == "" {
		return Public
	}
	return strings.TrimRight(h.URL, "/")
}

// Pull fetches what a conversion reads of a model into dir and returns the commit that
// it is of. Texts come first: check may refuse before the weights are fetched. What is
// in dir from another time is taken if it is the same.
func (h *Hub) Pull(ctx context.Context, name, revision, dir string, check func() error) (commit string, err error) {
	if err := h.Check(); err != nil {
		return "", err
	}
	commit, files, err := h.list(ctx, name, revision)
	if err != nil {
		return "", err
	}
	texts, weights := wanted(files)
	if weights == "" {
		return "", fmt.Errorf("'%s' has neither model.safetensors nor model.onnx", name)
	}
	for _, file := range texts {
		if err := h.fetch(ctx, name, commit, file, dir, mostText); err != nil {
			return "", err
		}
	}
	if err := check(); err != nil {
		return "", err
	}
	return commit, h.fetch(ctx, name, commit, weights, dir, mostWeights)
}

// wanted are those of the files that a conversion reads.
func wanted(files []string) (texts []string, weights string) {
	settings := []string{"config.json", "modules.json", "tokenizer_config.json", "sentence_bert_config.json", "config_sentence_transformers.json", "README.md"}
	pools := 0
	for _, f := range files {
		pooling := path.Base(f) == "config.json" && strings.HasSuffix(path.Dir(f), "_Pooling") && strings.Count(f, "/") == 1
		if pooling = pooling && pools < mostPooling && filepath.IsLocal(filepath.FromSlash(f)) && !strings.ContainsAny(f, "\\?#%:"); pooling {
			pools++
		}
		if pooling || slices.Contains(settings, f) {
			texts = append(texts, f)
		}
	}
	first := func(names []string) string {
		for _, n := range names {
			if slices.Contains(files, n) {
				return n
			}
		}
		return ""
	}
	if vocab := first(convert.VocabFiles); vocab != "" {
		texts = append(texts, vocab)
	}
	return texts, first(convert.WeightFiles)
}

// list returns the commit that a revision is, and the names of its files.
func (h *Hub) list(ctx context.Context, name, revision string) (commit string, files []string, err error) {
	ctx, cancel := h.patience(ctx)
	defer cancel()
	resp, err := h.get(ctx, http.MethodGet, h.base()+"/api/models/"+name+"/revision/"+url.PathEscape(revision), 0)
	if err != nil {
		return "", nil, fmt.Errorf("ask for '%s': %w", name, err)
	}
	defer resp.Body.Close()
	var m struct {
		Sha      string
		Siblings []struct {
			Name string `json:"rfilename"`
		}
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, mostList))
	if cause := context.Cause(ctx); cause != nil {
		return "", nil, fmt.Errorf("ask for '%s': %w", name, cause)
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil || !isHex(m.Sha, 40) {
		return "", nil, fmt.Errorf("ask for '%s': %s answers what is no list of files", name, h.host())
	}
	for _, s := range m.Siblings {
		files = append(files, s.Name)
	}
	return m.Sha, files, nil
}

// patience bounds a question whose answer is short, with all that is tried again.
func (h *Hub) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, 2*cmp.Or(h.Idle, idleTime), errIdle)
}

func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

func (h *Hub) host() string {
	if u, err := url.Parse(h.base()); err == nil {
		return u.Host
	}
	return "the hub"
}
