package importing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/recall"
)

type importOptions struct {
	since         string
	dryRun, quiet bool
}

const importSessionsLong = `Read Claude Code's transcripts of earlier sessions in this repository, its work
trees and subfolders, and save a record of each, dated as the session: what was
asked, concluded, decided and changed.

The records go on a line of their own, 'sessions', oldest first, so that they do
not bury the tip of yours. Search and recall find them there. They are
unconfirmed: go through them with 'git sage review', or bring them all into your
line with 'git sage merge sessions'.

Sessions that were saved already or still run are skipped, so you can interrupt
and repeat the command; a session that went on gets another record. A record
that you removed stays removed until 'git sage checkpoint restore --removed';
one that 'git sage undo' took back is imported again. Claude Code's folder is
not changed.`

func newImportSessionsCmd(a *app.App) *cobra.Command {
	var o importOptions
	c := &cobra.Command{
		Use:     "sessions [--since <date>] [--dry-run] [-q]",
		Short:   "Import earlier sessions of Claude Code",
		Long:    importSessionsLong,
		Example: "git sage import sessions --since 3.months.ago",
		Args:    usage.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runImportSessions(c.Context(), a, o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.since, "since", "", "import only sessions active after `date`")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "print the records and save none")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return c
}

// importedJSON is what import sessions --json prints of a session.
type importedJSON struct {
	Session    string    `json:"session"`
	Transcript string    `json:"transcript"`
	Time       time.Time `json:"time,omitzero"`
	Act        string    `json:"act"` // imported, would import, skipped or nothing
	Why        string    `json:"why,omitempty"`
	ID         string    `json:"id,omitempty"`
	Thesis     string    `json:"thesis,omitempty"`

	Question    string `json:"question,omitempty"`
	Conclusions int    `json:"conclusions,omitempty"`
	Continues   string `json:"continues,omitempty"` // record of what the session said before

	Lost int `json:"lines_lost,omitempty"`
}

// An importer imports sessions, and counts them.
type importer struct {
	a    *app.App
	o    importOptions
	m    *recall.Memory
	from time.Time         // of --since
	done map[string]bool   // sessions of which there is a record; false: it was removed
	last map[string]string // the newest record of each
	read map[string]gitstore.Import
	tip  string // of the line of earlier sessions, as far as it is known

	bar *term.Bar

	imported, known, removed, running, empty, repeats int
}

func runImportSessions(ctx context.Context, a *app.App, o importOptions) error {
	if !filepath.IsAbs(a.Transcripts()) { // what a repository brings is no session of anybody
		return exit.WithHint(errors.New("no home folder, so Claude Code's transcripts cannot be found"), "set HOME, or CLAUDE_CONFIG_DIR to Claude Code's folder")
	}
	running := a.Session
	a.Session, a.Inside = "", true // a save on behalf of the session that calls would move it to the other line
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	im := &importer{a: a, o: o, m: m}
	if err := im.know(ctx); err != nil {
		return err
	}
	list, damaged, err := sessions.InRoots(a.Transcripts(), m.Store.Session.WorkTrees())
	if err != nil {
		return err
	}
	list = largest(list)
	for _, err := range damaged {
		a.Warn("skipped %v", err)
	}
	if err := im.all(ctx, list, running); err != nil {
		return err
	}
	im.sayCounts(len(list))
	return nil
}

// largest are the transcripts without those of a session that has a larger one: it went on
// in another folder.
func largest(list []sessions.Earlier) []sessions.Earlier {
	of := map[string]sessions.Earlier{}
	for _, e := range list {
		if e.Size > of[e.Session].Size {
			of[e.Session] = e
		}
	}
	return slices.DeleteFunc(list, func(e sessions.Earlier) bool { return of[e.Session] != e })
}

// know finds out which sessions have a record: on any line, removed ones too.
func (im *importer) know(ctx context.Context) (err error) {
	if im.from, _, err = im.m.Store.Commits.Between(ctx, im.o.since, ""); err != nil {
		return err
	}
	records, err := im.m.Store.Commits.Log(ctx, gitstore.Query{All: true, Removed: true})
	if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
		return err
	}
	im.done, im.last = map[string]bool{}, map[string]string{}
	for _, r := range records {
		if im.last[r.Session] == "" {
			im.last[r.Session] = r.ID
		}
		im.done[r.Session] = im.done[r.Session] || !r.Removed
	}
	im.read, err = im.m.Store.Review.Imported()
	im.tip = im.line(ctx)
	return err
}

// line is the tip of the line of earlier sessions, "" if there is none.
func (im *importer) line(ctx context.Context) string {
	list, err := im.m.Store.Commits.Log(ctx, gitstore.Query{Line: autosave.EarlierLine, Max: 1})
	if err != nil || len(list) == 0 {
		return ""
	}
	return list[0].ID
}

// all imports a list of sessions, one after the other: what is saved when it is
// interrupted stays.
func (im *importer) all(ctx context.Context, list []sessions.Earlier, running string) error {
	im.bar = im.a.Progress("Reading sessions")
	defer im.bar.End()
	for i, e := range list {
		im.bar.Left(len(list) - i)
		if err := im.one(ctx, e, e.Session == running || session.HasClient(im.a.Home(), e.Session)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (im *importer) one(ctx context.Context, e sessions.Earlier, running bool) error {
	stands, known := im.done[e.Session]
	switch {
	case e.Changed.Before(im.from):
		return nil
	case running:
		im.running++
		return im.tell(e, importedJSON{Act: "skipped", Why: "running"})
	case stands && !im.changed(e):
		im.known++
		return im.tell(e, importedJSON{Act: "skipped", Why: "saved"})
	case known && !stands:
		im.removed++
		return im.tell(e, importedJSON{Act: "skipped", Why: "removed"})
	case im.wasEmpty(e):
		im.empty++
		return im.tell(e, importedJSON{Act: "skipped", Why: "imported"})
	}
	before := gitstore.Import{}
	if stands {
		before = im.read[e.Session]
	}
	r, anew, err := autosave.ReadEarlier(ctx, im.m, e, before, im.a.Now())
	if anew && err == nil {
		im.a.Warn("'%s' is not the transcript that was imported: importing it again", e.File)
		before = gitstore.Import{}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		im.a.Warn("skipped '%s': %v", e.File, err)
		return nil
	case r.Checkpoint != nil && r.Time.Before(im.from):
		return nil
	case !im.o.dryRun:
		if err := im.save(ctx, e, stands, &r); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return fmt.Errorf("'%s': %w", e.File, err)
		}
	}
	if r.Lost > 0 {
		im.a.Warn("'%s': %s cannot be read; the rest is imported", e.File, legible.Count(r.Lost, "line"))
	}
	return im.tellRead(e, r, before.Record)
}

// changed reports whether a transcript is another, or a longer one, than that of which the
// newest record of its session was made by an import.
func (im *importer) changed(e sessions.Earlier) bool {
	i, ok := im.read[e.Session]
	return ok && i.Record != "" && i.Size != e.Size && im.last[e.Session] == i.Record
}

// wasEmpty reports whether a transcript was read as it is, and held nothing. A record of it
// that is on no line was undone.
func (im *importer) wasEmpty(e sessions.Earlier) bool {
	i, ok := im.read[e.Session]
	return ok && i.Size == e.Size && i.Record == ""
}

// save saves a record, unless another import was faster: then the line went on.
func (im *importer) save(ctx context.Context, e sessions.Earlier, again bool, r *autosave.EarlierRecord) error {
	done := im.m.Store.Session.Alone(ctx)
	defer done()
	if im.line(ctx) != im.tip {
		if err := im.know(ctx); err != nil {
			return err
		}
		if _, known := im.done[e.Session]; known && !(again && im.changed(e)) {
			r.Checkpoint = nil
			return nil
		}
	}
	if err := autosave.SaveEarlier(ctx, im.m, r); err != nil {
		return err
	}
	if r.ID != "" {
		im.tip = r.ID
	}
	return nil
}

// tellRead tells what became of a session that was read.
func (im *importer) tellRead(e sessions.Earlier, r autosave.EarlierRecord, continues string) error {
	j := importedJSON{Act: "nothing", Lost: r.Lost}
	switch {
	case r.Repeats:
		im.repeats++
		j.Why = "repeats"
		return im.tell(e, j)
	case r.Checkpoint == nil:
		im.empty++
		return im.tell(e, j)
	}
	im.imported++
	j.Question, j.Conclusions, j.Continues = r.CoreQuestion, len(r.KeyEvidence), continues
	if r.Thesis != "" && !slices.Contains(r.KeyEvidence, r.Thesis) {
		j.Conclusions++
	}
	j.Act, j.ID, j.Time, j.Thesis = "imported", r.ID, r.Time, r.Thesis
	if im.o.dryRun {
		j.Act = "would import"
	}
	return im.tell(e, j)
}

func (im *importer) tell(e sessions.Earlier, j importedJSON) error {
	j.Session, j.Transcript = e.Session, e.File
	if im.a.JSON {
		return im.a.PrintJSON(j)
	}
	if j.Thesis == "" || im.o.quiet {
		return nil
	}
	head, said := fmt.Sprintf("[%s %s]", autosave.EarlierLine, im.a.Short(j.ID)), j.Thesis
	tail := ""
	if j.ID == "" {
		head = "would import " + term.Visible(term.Clip(im.a.Short(e.Session), shownSession))
		said, tail = cmp.Or(j.Question, j.Thesis), " ("+legible.Count(j.Conclusions, "conclusion")+")"
	}
	head += " " + j.Time.Format(time.DateOnly) + " "
	im.bar.End()
	_, err := fmt.Fprintf(im.a.Out, "%s%s%s\n", head, term.Visible(term.Clip(said, shownWidth-prose.Width(head)-len(tail))), tail)
	return err
}

// How many columns a line takes, and the name of a session in it.
const (
	shownWidth   = 80
	shownSession = 20
)

// sayCounts says what became of all sessions that there are.
func (im *importer) sayCounts(all int) {
	if im.a.JSON || im.o.quiet {
		return
	}
	var skipped []string
	for _, c := range []struct {
		n   int
		why string
	}{{im.known, "saved already"}, {im.removed, "removed"}, {im.running, "still running"}, {im.repeats, "that repeat a record"}, {im.empty, "with nothing to record"}} {
		if c.n > 0 {
			skipped = append(skipped, fmt.Sprintf("%d %s", c.n, c.why))
		}
	}
	said := "imported "
	switch {
	case all == 0:
		im.a.Say("Claude Code has no sessions of this repository in '%s'", im.a.Homely(im.a.Transcripts()))
		return
	case im.o.dryRun:
		said = "would import "
	}
	said += legible.Count(im.imported, "session")
	if len(skipped) > 0 {
		said += "; skipped " + strings.Join(skipped, ", ")
	}
	im.a.Say("%s", said)
	if im.imported > 0 && !im.o.dryRun {
		im.a.Hint("'git sage log %s' lists them; 'git sage review' goes through them", autosave.EarlierLine)
	}
}
