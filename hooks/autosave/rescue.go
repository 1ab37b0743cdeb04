package autosave

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
)

const (
	// rescueWithin is what the start of a session waits for one that was killed; a
	// longer transcript is read by who nobody waits for.
	rescueWithin = time.Second
	// rescueAge is for how long a session that was killed may have waited.
	rescueAge = 7 * 24 * time.Hour
	// mostRescued is how many sessions one start looks at; the next goes on behind them.
	mostRescued = 5
	// mostOthers is how many transcripts a start asks about, the newest.
	mostOthers = 1000
)

// rescue saves what other sessions in this folder came to that were killed before anybody
// saved that: then no hook ran at their end. It does so once for what there is, the newest
// last, where the next session begins, and leaves to processes what takes longer.
func (a *Agent) rescue(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, a.within(rescueWithin))
	defer cancel()
	for _, file := range slices.Backward(a.killed()) {
		id := sessionOf(file)
		other := Agent{World: a.World, Memory: a.Memory, Session: id, Transcript: file, Dir: a.Dir, Cwd: a.Cwd, Cost: new(transcript.Cost), Report: a.Report}
		err := ctx.Err()
		if err == nil {
			err = other.rescueAs(ctx, id)
		}
		if err != nil && ctx.Err() != nil && a.Later != nil {
			err = other.later(ctx, Recovering)
		}
		a.Report(err)
	}
}

// rescueAs saves on behalf of the other session, which goes on from there if it is
// resumed.
func (a *Agent) rescueAs(ctx context.Context, id string) error {
	m, err := a.Open(ctx, Folder(a.Cwd, a.Dir), id)
	if err != nil {
		return err
	}
	defer m.Close()
	a.Memory = m
	return a.saveRest(ctx, sage.Recovery)
}

// killed are the transcripts of other sessions in this folder that the memory knows and that
// say something that nobody looked at since they ended, the newest first. A session that
// began before there was a memory is nobody's to keep.
func (a *Agent) killed() (files []string) {
	if a.Transcript == "" || !filepath.IsAbs(a.Transcript) {
		return nil
	}
	for i, t := range transcriptsBeside(a.Transcript) {
		if i == mostOthers || len(files) == mostRescued || a.now().Sub(t.ModTime()) > rescueAge {
			break
		}
		id := sessionOf(t.Name())
		switch s := a.Memory.Store; {
		case id == a.Session, t.Size() == 0, session.EndKnown(s, id, t.Size()), !s.Session.Knows(id):
		case session.HasClient(a.Home, id): // it goes on beside this one
		default:
			files = append(files, filepath.Join(filepath.Dir(a.Transcript), t.Name()))
		}
	}
	return files
}

// sessionOf is the session whose transcript a file is.
func sessionOf(file string) string { return strings.TrimSuffix(filepath.Base(file), ".jsonl") }

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
