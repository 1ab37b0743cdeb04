package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// A record says what of a file is ours, while something of ours is in it.
type record struct {
	Path     string   `json:"path"`
	Made     bool     `json:"made,omitempty"`     // the file was not there before
	Dirs     []string `json:"dirs,omitempty"`     // folders made for it, innermost first
	Excluded bool     `json:"excluded,omitempty"` // and a line to the list of what git passes over
	Sum      string   `json:"sum"`                // SHA-256 of the file as we left it
	Exact    bool     `json:"exact"`              // without Spans it is as its owner left it
	Spans    []piece  `json:"spans,omitempty"`
	Programs bool     `json:"programs,omitempty"` // hooks start programs, somebody chose
	Found    []found  `json:"found,omitempty"`    // hooks that were there before ours
}

type piece struct {
	At   int    `json:"at"`
	Text string `json:"text"`
	Was  string `json:"was,omitempty"` // what stood in its place
}

// mostRecorded is above what a record has: pieces of a file of settings.
const mostRecorded = 64 << 20

func (p Place) recordPath(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(p.Records, hex.EncodeToString(sum[:8])+".json")
}

// readRecord returns nil if there is none, or one that cannot be believed.
func (p Place) readRecord(t *target) *record {
	r := new(record)
	if !p.recorded(t.path, r) || r.Path != t.path {
		return nil
	}
	return r
}

// recorded reads what is recorded of a path.
func (p Place) recorded(path string, r any) bool {
	if p.Records == "" {
		return false
	}
	if plainfile.CheckFolder(filepath.Dir(p.Records), p.Records) != nil {
		return false
	}
	b, err := plainfile.Read(p.recordPath(path), mostRecorded)
	return err == nil && json.Unmarshal(b, r) == nil
}

func (p Place) writeRecord(path string, r any) error {
	if p.Records == "" {
		return nil
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := plainfile.MakeFolder(filepath.Dir(p.Records), p.Records); err != nil {
		return err
	}
	name := p.recordPath(path)
	to := &target{path: name, named: name, mode: 0o600}
	if to.data, err = plainfile.Read(name, mostRecorded); err != nil {
		to.missing = true
	}
	return to.replace(append(b, '\n'))
}

func (p Place) dropRecord(path string) {
	if p.Records != "" && plainfile.CheckFolder(filepath.Dir(p.Records), p.Records) == nil && os.Remove(p.recordPath(path)) == nil {
		_ = os.Remove(p.Records) // if it was the last
	}
}

// update describes a draft as it is about to be written.
func (r *record) update(d *draft) {
	sum := sha256.Sum256(d.src)
	r.Sum, r.Exact, r.Spans, r.Found = hex.EncodeToString(sum[:]), d.exact, nil, d.found
	for _, s := range d.ours {
		if d.exact {
			r.Spans = append(r.Spans, piece{s.from, string(d.src[s.from:s.to]), s.was})
		}
	}
}

// spans finds our bytes in a file. If others wrote it since, each piece must
// still be there, once, and in order.
func (r *record) spans(src []byte) (list []span, exact bool) {
	sum := sha256.Sum256(src)
	same := hex.EncodeToString(sum[:]) == r.Sum
	last := 0
	for _, p := range r.Spans {
		at := p.At
		if !same {
			if at = bytes.Index(src, []byte(p.Text)); at < 0 || bytes.Count(src, []byte(p.Text)) > 1 {
				return nil, false
			}
		}
		if at < last || at+len(p.Text) > len(src) || string(src[at:at+len(p.Text)]) != p.Text {
			return nil, false
		}
		last = at + len(p.Text)
		list = append(list, span{at, last, p.Was})
	}
	return list, r.Exact
}
