package gitstore

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
)

// Fsck checks our refs, commits and files, and says what it finds. It changes
// nothing. What is checked stands in files of their own, fsck_*.go.
func (s *Store) Fsck(ctx context.Context) ([]Finding, error) {
	r, err := s.Check(ctx)
	return r.Findings, err
}

// A Report is what [Store.Check] found, and how much it read.
type Report struct {
	Findings    []Finding
	Checkpoints int // that refs lead to, removed ones too
	Lost        int // of them: what cannot be read in whole
	Lines       int
	Forks       int
	Mendable    int  // findings that Repair does something about
	Partly      bool // there is more history than was to be read
}

// Check is Fsck with numbers.
func (s *Store) Check(ctx context.Context) (Report, error) {
	k, err := s.examine(ctx, 0)
	if err != nil {
		return Report{}, err
	}
	defer k.close()
	return k.report, ctx.Err()
}

// A checker goes through the store once. Beside each finding that something can
// be done about it notes a fix, which Repair carries out.
type checker struct {
	s       *Store
	ctx     context.Context
	spare   spare                       // where else objects may be
	known   map[string]was              // the last values of refs, by name
	refs    []typedRef                  // as git lists them
	byName  map[string]string           // the same; nil before it is asked
	own     map[string]bool             // ids of what was made here
	tips    []typedRef                  // those whose history is to be read
	seen    map[string]bool             // objects that were looked at
	bad     map[string]bool             // checkpoints that are not whole
	tallies tallies                     // what bounded folders of knowledge hold
	deepest map[inFolder]int            // how far down folders of knowledge were looked at, plus 1
	packs   map[string]bool             // damaged packs that were named
	fates   fates                       // what purges did, by the index and by the records; nil before it is asked
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
	report  Report

	unreadJournal error
	elsewhere     []Finding // of the report: what only the clone has that was named
}

// check runs every check. from is the git directory of a clone that may have
// what is missing here, or "".
func (s *Store) check(ctx context.Context, from string) (*checker, error) {
	return s.checkSome(ctx, from, 0)
}

// checkSome is check that reads the newest commits and files only, at most so many
// of each kind of ref. Of 0 it reads all.
func (s *Store) checkSome(ctx context.Context, from string, most int) (*checker, error) {
	k := &checker{s: s, ctx: ctx, most: most, seen: map[string]bool{}, bad: map[string]bool{}, packs: map[string]bool{}, deepest: map[inFolder]int{}, tallies: tallies{}}
	var err error
	if k.spare, err = s.openSpare(from); err != nil {
		return nil, err
	}
	odd := k.packedFile()
	if k.refs, err = s.allRefs(ctx); err != nil && odd { // git reads no ref: all else follows from that
		return k, nil
	} else if err != nil {
		k.close()
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
	k.conversations()
	k.noJournal()
	if from != "" {
		k.onlyThere(from)
	}
	k.sidecar()
	k.leftovers()
	k.graphs()
	k.report.Lost = len(k.bad)
	return k, nil
}

func (k *checker) close() { k.spare.close() }

// add records a finding: something is broken.
func (k *checker) add(kind, subject, detail, cure string) {
	k.report.Findings = append(k.report.Findings, Finding{Kind: kind, Subject: subject, Detail: detail, Cure: cure})
}

// warn records a finding that does no harm yet.
func (k *checker) warn(kind, subject, detail, cure string) {
	k.report.Findings = append(k.report.Findings, Finding{Kind: kind, Subject: subject, Detail: detail, Cure: cure, Warning: true})
}

// mend adds the command that mends the last finding, and what it will do.
func (k *checker) mend(f fix) {
	last := &k.report.Findings[len(k.report.Findings)-1]
	last.Cure = "'git sage fsck --repair' " + f.will()
	k.fixes = append(k.fixes, f)
	k.report.Mendable++
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
	o, err := k.s.object(id)
	if err != nil {
		o, err = k.spare.get(id)
	}
	r := Record{ID: id}
	if err != nil || o.Type != "commit" || !r.parseCommit(o.Data) {
		r.Description = k.heard(id).about
	}
	if r.Description == "" {
		return short(id)
	}
	return short(id) + " '" + cut.Runes(sage.OneLine(strings.TrimSpace(r.Description)), 60) + "'"
}
