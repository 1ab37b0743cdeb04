// Package record keeps what of a client's file is ours while something of ours is in it, in
// a small file under ~/.sage/installs.
package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Record says what of a file is ours, while something of ours is in it.
type Record struct {
	Path     string        `json:"path"`
	Made     bool          `json:"made,omitempty"`     // the file was not there before
	Dirs     []string      `json:"dirs,omitempty"`     // folders made for it, innermost first
	Excluded bool          `json:"excluded,omitempty"` // and a line to the list of what git passes over
	Sum      string        `json:"sum"`                // SHA-256 of the file as we left it
	Exact    bool          `json:"exact"`              // without Spans it is as its owner left it
	Spans    []piece       `json:"spans,omitempty"`
	Programs bool          `json:"programs,omitempty"` // hooks start programs, somebody chose
	Found    []draft.Found `json:"found,omitempty"`    // hooks that were there before ours
}

// Folder is the folder of the records; "" keeps none.
type Folder string

type piece struct {
	At   int    `json:"at"`
	Text string `json:"text"`
	Was  string `json:"was,omitempty"` // what stood in its place
}

// mostRecorded is above what a record has: pieces of a file of settings.
const mostRecorded = 64 << 20

func (dir Folder) path(of string) string {
	sum := sha256.Sum256([]byte(of))
	return filepath.Join(string(dir), hex.EncodeToString(sum[:8])+".json")
}

// OfFile returns the record of a file, nil if there is none, or one that cannot be believed.
func (dir Folder) OfFile(path string) *Record {
	r := new(Record)
	if !dir.Read(path, r) || r.Path != path {
		return nil
	}
	return r
}

// Read reads what is recorded of a path into r.
func (dir Folder) Read(path string, r any) bool {
	if dir == "" {
		return false
	}
	if dir.check() != nil {
		return false
	}
	b, err := plainfile.Read(dir.path(path), mostRecorded)
	return err == nil && json.Unmarshal(b, r) == nil
}

// check refuses a folder that somebody else may have put there.
func (dir Folder) check() error {
	return plainfile.CheckFolder(filepath.Dir(string(dir)), string(dir))
}

// Write records something of a path; without a folder it does nothing.
func (dir Folder) Write(path string, r any) error {
	if dir == "" {
		return nil
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := plainfile.MakeFolder(filepath.Dir(string(dir)), string(dir)); err != nil {
		return err
	}
	name := dir.path(path)
	to := &disk.File{Path: name, Named: name, Mode: 0o600}
	if to.Data, err = plainfile.Read(name, mostRecorded); err != nil {
		to.Missing = true
	}
	return to.Replace(append(b, '\n'))
}

// Drop removes what is recorded of a path.
func (dir Folder) Drop(path string) {
	if dir != "" && dir.check() == nil && os.Remove(dir.path(path)) == nil {
		_ = os.Remove(string(dir)) // if it was the last
	}
}

// Describe describes a draft as it is about to be written.
func (r *Record) Describe(d *draft.Draft) {
	sum := sha256.Sum256(d.Src)
	r.Sum, r.Exact, r.Spans, r.Found = hex.EncodeToString(sum[:]), d.Exact, nil, d.Found
	for _, s := range d.Ours {
		if d.Exact {
			r.Spans = append(r.Spans, piece{s.From, string(d.Src[s.From:s.To]), s.Was})
		}
	}
}

// Find finds our bytes in a file. If others wrote it since, each piece must
// still be there, once, and in order.
func (r *Record) Find(src []byte) (list []edit.Span, exact bool) {
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
		list = append(list, edit.Span{From: at, To: last, Was: p.Was})
	}
	return list, r.Exact
}
