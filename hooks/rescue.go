package hooks

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

const (
	// rescueWithin is what the start of a session waits for one that was killed; a
	// longer transcript is read by who nobody waits for.
	rescueWithin = time.Second
	// rescueAge is for how long a session that was killed may have waited.
	rescueAge = 7 * 24 * time.Hour
	// mostOthers is how many sessions of others are passed over.
	mostOthers = 20
)

// rescuedPart of what is kept of a session says how much of its transcript was looked at
// when it had ended.
const rescuedPart = "rescued"

// A rescued is that.
type rescued struct {
	Size int64 `json:"size"` // bytes
}

// rescue saves what the last session in this folder came to, if it was killed before
// anybody saved that: then no hook ran at its end. It does so once for what there is.
func (e *event) rescue(ctx context.Context) {
	if e.input.Source != "startup" && e.input.Source != "resume" {
		return
	}
	file, session := e.lastOther()
	if file == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, rescueWithin)
	defer cancel()
	other := *e
	other.input = input{Session: session, Transcript: file, Dir: e.input.Dir}
	err := other.rescueAs(ctx, session)
	if err != nil && ctx.Err() != nil && e.Later != nil {
		err = other.later(ctx, Recovering)
	}
	e.report(err)
}

// rescueAs saves on behalf of the other session, which goes on from there if it is
// resumed.
func (e *event) rescueAs(ctx context.Context, session string) (err error) {
	if e.mem, err = e.Open(ctx, e.input.dir(e.Dir), session); err != nil {
		return err
	}
	defer e.mem.Close()
	return e.saveRest(ctx, sage.Recovery)
}

// noteRescued notes that a transcript was looked at up to its end.
func noteRescued(s *gitstore.Store, file string) error {
	st, err := os.Stat(file)
	if err != nil {
		return err
	}
	b, err := json.Marshal(rescued{st.Size()})
	if err != nil {
		return err
	}
	return s.Keep(rescuedPart, append(b, '\n'))
}

// lastOther is the transcript of the last session in this folder but this one, that the
// memory knows and that says something that nobody looked at since it ended; "" if there
// is none. A session that began before there was a memory is nobody's to keep.
func (e *event) lastOther() (file, session string) {
	if e.input.Transcript == "" || !filepath.IsAbs(e.input.Transcript) {
		return "", ""
	}
	for i, t := range transcriptsBeside(e.input.Transcript) {
		if i == mostOthers || e.now().Sub(t.ModTime()) > rescueAge {
			return "", ""
		}
		session := strings.TrimSuffix(t.Name(), ".jsonl")
		if session == e.session() || !e.mem.Store.Knows(session) || gitstore.HasClient(e.Home, session) { // it goes on beside this one
			continue
		}
		var seen rescued
		if json.Unmarshal(e.mem.Store.KeptOf(session, rescuedPart), &seen) == nil && seen.Size == t.Size() {
			return "", ""
		}
		return filepath.Join(filepath.Dir(e.input.Transcript), t.Name()), session
	}
	return "", ""
}

// transcriptsBeside are the transcripts in the folder of one, the newest first.
func transcriptsBeside(file string) (out []os.FileInfo) {
	list, _ := os.ReadDir(filepath.Dir(file)) // else there is none
	for _, f := range list {
		if !f.Type().IsRegular() || filepath.Ext(f.Name()) != ".jsonl" {
			continue
		}
		if st, err := f.Info(); err == nil {
			out = append(out, st)
		}
	}
	slices.SortFunc(out, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	return out
}
