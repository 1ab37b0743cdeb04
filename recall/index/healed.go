package index

import (
	"encoding/json"
	"io"
	"time"
)

// A Healed says when damaged files were last made anew.
type Healed struct {
	At    time.Time
	Files int    // how many were damaged
	Why   string // what was wrong with the last
}

// healedFile keeps the last Healed, for people who ask later; another version reads it
// as well.
const healedFile = "healed.json"

// oneHealing is how long after the last damage the next counts as the same: documents
// come back first, vectors in the background.
const oneHealing = time.Minute

// Healed tells of damage that was made good; the zero Healed is none.
func (x *Index) Healed() (h Healed) {
	if b, err := x.docs.Read(healedFile); err == nil && json.Unmarshal(b, &h) != nil {
		h = Healed{}
	}
	return h
}

// noteHealed writes down that what was damaged is made anew. If it cannot, nobody is
// told.
func (x *Index) noteHealed() {
	x.mu.Lock()
	h := Healed{At: time.Now().Truncate(time.Second), Files: x.lost, Why: x.why}
	x.lost = 0
	x.mu.Unlock()
	if h.Files == 0 {
		return
	}
	if last := x.Healed(); h.At.Sub(last.At) < oneHealing {
		h.Files += last.Files
	}
	b, err := json.Marshal(h)
	if err == nil {
		_ = x.docs.Write(healedFile, func(w io.Writer) error { _, err := w.Write(b); return err })
	}
}
