package verify

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// Fsck checks our refs, commits and files, and says what it finds. It changes
// nothing. What is checked stands in files of their own, fsck_*.go.
func (ve *Verifier) Fsck(ctx context.Context) ([]part.Finding, error) {
	r, err := ve.Check(ctx)
	return r.Findings, err
}

// A Report is what [Verifier.Check] found, and how much it read.
type Report struct {
	Findings    []part.Finding
	Checkpoints int // that refs lead to, removed ones too
	Lost        int // of them: what cannot be read in whole
	Lines       int
	Forks       int
	Mendable    int  // findings that Repair does something about
	Partly      bool // there is more history than was to be read
}

// Check is Fsck with numbers.
func (ve *Verifier) Check(ctx context.Context) (Report, error) {
	k, err := ve.Examine(ctx, 0)
	if err != nil {
		return Report{}, err
	}
	defer k.Close()
	return k.Report, ctx.Err()
}

// A checker goes through the store once. Beside each finding that something can
// be done about it notes a fix, which Repair carries out.
type checker struct {
	s       *Verifier
	ctx     context.Context
	spare   backup.Spare                // where else objects may be
	known   map[string]was              // the last values of refs, by name
	refs    []typedRef                  // as git lists them
	byName  map[string]string           // the same; nil before it is asked
	own     map[string]bool             // ids of what was made here
	tips    []typedRef                  // those whose history is to be read
	seen    map[string]bool             // objects that were looked at
	bad     map[string]bool             // checkpoints that are not whole
	tallies contents.Tallies            // what bounded folders of knowledge hold
	deepest map[inFolder]int            // how far down folders of knowledge were looked at, plus 1
	packs   map[string]bool             // damaged packs that were named
	fates   rewritten.Replacements      // what purges did, by the index and by the records; nil before it is asked
	rumour  map[string]logged           // what the logs of refs say of ids; nil before it is asked
	warmed  map[string]git.Object       // commits and trees that were just read and found good
	texts   map[string]*sage.Checkpoint // checkpoint.md that were
	folder  map[string]bool             // trees that were, all below them listed with the rest
	ends    []byte                      // where a shallow clone ends; nil before it is asked
	later   []rootOf                    // trees that are to be looked into when everything was read
	most    int                         // commits of each kind of ref, and files beside them, that are read; 0 is all
	files   int                         // of knowledge that were
	names   int                         // of it that were looked at
	fixes   []fix
	Report  Report

	unreadJournal error
	elsewhere     []part.Finding // of the report: what only the clone has that was named
}

// check runs every check. from is the git directory of a clone that may have
// what is missing here, or "".
func (ve *Verifier) check(ctx context.Context, from string) (*checker, error) {
	return ve.checkSome(ctx, from, 0)
}

// checkSome is check that reads the newest commits and files only, at most so many
// of each kind of ref. Of 0 it reads all.
func (ve *Verifier) checkSome(ctx context.Context, from string, most int) (*checker, error) {
	k := &checker{s: ve, ctx: ctx, most: most, seen: map[string]bool{}, bad: map[string]bool{}, packs: map[string]bool{}, deepest: map[inFolder]int{}, tallies: contents.Tallies{}}
	var err error
	if k.spare, err = ve.backup.OpenSpare(from); err != nil {
		return nil, err
	}
	odd := k.packedFile()
	if k.refs, err = ve.allRefs(ctx); err != nil && odd { // git reads no ref: all else follows from that
		return k, nil
	} else if err != nil {
		k.Close()
		return nil, err
	}
	k.remember()
	k.refFiles()
	k.eachRef()
	k.lostRefs()
	for _, kind := range []string{"local", "tree", "other"} {
		k.history(kind)
	}
	k.forks()
	k.knowledge()
	k.purges()
	k.sessions()
	k.beside()
	k.noJournal()
	if from != "" {
		k.onlyThere(from)
	}
	k.parts()
	k.leftovers()
	k.graphs()
	k.Report.Lost = len(k.bad)
	return k, nil
}

// parts checks what features keep beside git.
func (k *checker) parts() {
	for _, p := range k.s.parts.All() {
		err := p.Check(k.ctx, k.most, func(f part.Finding) { k.Report.Findings = append(k.Report.Findings, f) })
		if err != nil && k.ctx.Err() == nil {
			k.warn("unchecked", p.Name(), err.Error(), "")
		}
	}
}

func (k *checker) Close() { k.spare.Close() }

// add records a finding: something is broken.
func (k *checker) add(kind, subject, detail, cure string) {
	k.Report.Findings = append(k.Report.Findings, part.Finding{Kind: kind, Subject: subject, Detail: detail, Cure: cure})
}

// warn records a finding that does no harm yet.
func (k *checker) warn(kind, subject, detail, cure string) {
	k.Report.Findings = append(k.Report.Findings, part.Finding{Kind: kind, Subject: subject, Detail: detail, Cure: cure, Warning: true})
}

// mend adds the command that mends the last finding, and what it will do.
func (k *checker) mend(f fix) {
	last := &k.Report.Findings[len(k.Report.Findings)-1]
	last.Cure = "'git sage fsck --repair' " + f.will()
	k.fixes = append(k.fixes, f)
	k.Report.Mendable++
}

// its is something of a commit, behind the description of that.
func (k *checker) its(id, what string) string {
	if _, about, ok := strings.Cut(k.title(id), " "); ok {
		return about + ": " + what
	}
	return what
}

// title names a commit of ours: its short id, and its description if it can be
// read.
func (k *checker) title(id string) string {
	o, err := k.s.repo.Object(id)
	if err != nil {
		o, err = k.spare.Get(id)
	}
	r := record.Record{ID: id}
	if err != nil || o.Type != "commit" || !r.ParseCommit(o.Data) {
		r.Description = k.heard(id).about
	}
	if r.Description == "" {
		return record.Short(id)
	}
	return record.Short(id) + " '" + cut.Runes(legible.OneLine(strings.TrimSpace(r.Description)), 60) + "'"
}
