package gitstore

import (
	"context"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/activity"
	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/confirm"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/derived"
	"github.com/git-sage/git-sage/gitstore/internal/doctor"
	"github.com/git-sage/git-sage/gitstore/internal/exchange"
	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/remotes"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/internal/transcripts"
	"github.com/git-sage/git-sage/gitstore/internal/undo"
	"github.com/git-sage/git-sage/gitstore/internal/upkeep"
	"github.com/git-sage/git-sage/gitstore/internal/vault"
	"github.com/git-sage/git-sage/gitstore/internal/verify"
	"github.com/git-sage/git-sage/gitstore/internal/write"
	"github.com/git-sage/git-sage/gitstore/part"
)

// A Store is the memory of one repository, opened on behalf of one person or session. It
// hands out its rooms, each a package of its own under internal: store.Lines.Switch,
// store.Knowledge.Items. A room uses only those that stand below it. Close it when done.
type Store struct {
	Acts        *undo.Undoer             // what was done here, and taking it back
	Doctor      *doctor.Examiner         // what surrounds the memory: git, disk, settings
	Fsck        *verify.Verifier         // checks and repairs all that is kept
	Upkeep      *upkeep.Upkeep           // packing and the backup, now and then
	Remotes     *remotes.Remotes         // the memory as others have it: fetch, push, what may leave
	Exchange    *exchange.Exchange       // merging what was fetched
	Vault       *vault.Vault             // fetching and pushing what its host cannot read
	Purge       *purge.Purger            // out of history for good; package cleanse rewrites what holds it
	Transcripts *transcripts.Transcripts // conversations, beside git
	Checkpoints *write.Saver             // saving, merging and removing them
	Lines       *write.Lines             // lines and tags; which line the session is on
	Follow      *follow.Follower         // the line that goes with a branch of git
	Notes       *notes.Notes             // which checkpoints explain a commit of the user's own
	Review      *confirm.Confirmer       // confirming what others or rules made
	Knowledge   *knowledge.Collection    // items, notes, skills and core files
	Activity    *activity.Observer       // who did what lately
	Tree        *contents.Tree           // the files of the knowledge
	History     *history.History         // what contains what
	Commits     *commits.Commits         // reading checkpoints: by name, in lists and logs
	Session     *session.Memory          // where the session stands, and what it was given
	Ledger      *ledger.Ledger           // moves refs
	Ownership   *ownership.Ownership     // what this user made
	Backup      *backup.Backup           // objects, durably and twice
	Repo        *repo.Repo               // where the repository is, its settings, refs and objects

	admission *admission.Gate  // whether foreign history is memory, and nothing else
	rewritten *rewritten.Map   // what purges put in place of what
	journal   *journal.Journal // the moves that were acknowledged
}

// A Feature keeps something of its own beside the store, which is checked, purged and kept
// in shape with the rest of it.
type Feature func(*Store) part.Part

// Open finds the repository that o names. It returns ErrNotRepository if there
// is none; what git says against one, such as a foreign owner, is passed on.
func Open(ctx context.Context, o Options, features ...Feature) (*Store, error) {
	r, err := repo.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &Store{Repo: r}
	s.journal = journal.New(r)
	s.Backup = backup.New(r, s.journal)
	s.rewritten = rewritten.New(r)
	s.Ownership = ownership.New(r, s.journal)
	s.Ledger = ledger.New(r, s.journal, s.Backup, s.rewritten, s.Ownership)
	s.Session = session.New(r, s.rewritten)
	s.Commits = commits.New(r, s.Backup, s.rewritten, s.Ownership, s.Ledger, s.Session)
	s.History = history.New(r, s.journal, s.Backup, s.rewritten, s.Ledger, s.Commits)
	s.Activity = activity.New(r, s.journal, s.Ownership, s.Commits, s.History)
	s.Tree = contents.New(r, s.Backup, s.Ledger, s.History)
	s.Knowledge = knowledge.New(r, s.Backup, s.rewritten, s.Ownership, s.Commits, s.History, s.Tree)
	s.Review = confirm.New(r, s.rewritten, s.Ownership, s.Commits, s.Knowledge)
	s.admission = admission.New(r, s.Backup, s.History)
	s.Follow = follow.New(r, s.Session, s.Commits, s.History, s.Tree)
	s.Notes = notes.New(r, s.Backup, s.rewritten, s.Ledger, s.Commits)
	s.Lines = write.NewLines(r, s.rewritten, s.Ledger, s.Session, s.Commits, s.History, s.Tree, s.admission, s.Follow)
	s.Checkpoints = write.New(r, s.journal, s.Backup, s.rewritten, s.Ledger, s.Session, s.Commits, s.History, s.Tree, s.Review, s.admission, s.Follow, s.Lines)
	s.Transcripts = transcripts.New(r, s.Backup, s.rewritten, s.Commits)
	parts := &part.Set{}
	parts.Register(session.Part(s.Session), transcripts.Part(s.Transcripts), derived.Part(r, s.Knowledge), verify.Repairs(r))
	clean := cleanse.New(r, s.Backup, s.rewritten, s.Commits, s.admission)
	s.Purge = purge.New(r, s.journal, s.Backup, s.rewritten, s.Ownership, s.Ledger, s.Commits, s.History, s.Tree, s.Knowledge, s.admission, parts, clean)
	s.Exchange = exchange.New(r, s.Backup, s.rewritten, s.Ownership, s.Ledger, s.Commits, s.History, s.Tree, s.Knowledge, s.admission, s.Follow, s.Purge, s.Review)
	s.Vault = vault.New(r, s.rewritten, s.Ownership, s.Commits)
	s.Remotes = remotes.New(r, s.rewritten, s.Ownership, s.Commits, s.admission, s.Exchange, s.Vault, s.Notes, s.Tree)
	s.Upkeep = upkeep.New(r, s.Backup, parts)
	s.Fsck = verify.New(r, s.journal, s.Backup, s.rewritten, s.Ownership, s.Ledger, s.Session, s.Commits, s.History, s.Tree, s.admission, parts, s.Purge)
	s.Doctor = doctor.New(r, s.journal, s.Backup, s.rewritten, s.Ownership, s.Lines, parts, s.Purge, s.Fsck)
	s.Acts = undo.New(r, s.journal, s.Backup, s.rewritten, s.Ownership, s.Ledger, s.Session, s.Commits, s.History, s.Tree, s.Knowledge, s.Follow, s.Checkpoints, s.Lines)
	s.Tree.BeforeWrite = s.Knowledge.AdoptVersions
	s.Review.MadeOf, s.Review.ClosedLines = s.Exchange.MadeOf, s.Checkpoints.ClosedLines
	s.Session.Refollow = func() {
		look := sync.OnceValue(func() session.Following { return s.Follow.FindLine(ctx) })
		s.Session.Followed.Store(&look)
	}
	s.Session.Refollow()
	for _, f := range features {
		parts.Register(f(s))
	}
	return s, nil
}

// Close ends what the store started, also a git that hangs.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	return s.Repo.Close()
}
