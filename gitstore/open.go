package gitstore

import (
	"context"
	"sync"

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
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/internal/transcripts"
	"github.com/git-sage/git-sage/gitstore/internal/undo"
	"github.com/git-sage/git-sage/gitstore/internal/upkeep"
	"github.com/git-sage/git-sage/gitstore/internal/verify"
	"github.com/git-sage/git-sage/gitstore/internal/write"
	"github.com/git-sage/git-sage/gitstore/part"
)

// A Store is the memory of one repository, opened on behalf of one person or session. It is
// what its rooms are together; each has a package of its own below. Close it when done.
type Store struct {
	*repo.Repo
	*journal.Journal
	*backup.Backup
	*rewritten.Map
	*ownership.Ownership
	*ledger.Ledger
	*session.Memory
	*commits.Commits
	*history.History
	*contents.Tree
	*knowledge.Collection
	*confirm.Confirmer
	*admission.Gate
	*follow.Follower
	*write.Saver
	*transcripts.Transcripts
	*purge.Purger
	*exchange.Exchange
	*upkeep.Upkeep
	*verify.Verifier
	*doctor.Examiner
	*undo.Undoer
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
	s.Journal = journal.New(r)
	s.Backup = backup.New(r, s.Journal)
	s.Map = rewritten.New(r)
	s.Ownership = ownership.New(r, s.Journal)
	s.Ledger = ledger.New(r, s.Journal, s.Backup, s.Map, s.Ownership)
	s.Memory = session.New(r, s.Map)
	s.Commits = commits.New(r, s.Backup, s.Map, s.Ownership, s.Ledger, s.Memory)
	s.History = history.New(r, s.Journal, s.Backup, s.Map, s.Ledger, s.Commits)
	s.Tree = contents.New(r, s.Backup, s.Ledger, s.History)
	s.Collection = knowledge.New(r, s.Backup, s.Map, s.Ownership, s.Commits, s.History, s.Tree)
	s.Confirmer = confirm.New(r, s.Map, s.Ownership, s.Commits, s.Collection)
	s.Gate = admission.New(r, s.Backup, s.History, s.Tree)
	s.Follower = follow.New(r, s.Memory, s.Commits, s.History, s.Tree)
	s.Saver = write.New(r, s.Journal, s.Backup, s.Map, s.Ledger, s.Memory, s.Commits, s.History, s.Tree, s.Confirmer, s.Gate, s.Follower)
	s.Transcripts = transcripts.New(r, s.Backup, s.Map, s.Commits)
	parts := &part.Set{}
	parts.Register(session.Part(s.Memory), transcripts.Part(s.Transcripts), derived.Part(r, s.Collection), verify.Repairs(r))
	clean := cleanse.New(r, s.Backup, s.Map, s.Commits, s.Gate)
	s.Purger = purge.New(r, s.Journal, s.Backup, s.Map, s.Ownership, s.Ledger, s.Commits, s.History, s.Tree, s.Collection, s.Gate, parts, clean)
	s.Exchange = exchange.New(r, s.Backup, s.Map, s.Ownership, s.Ledger, s.Commits, s.History, s.Tree, s.Collection, s.Gate, s.Follower, s.Purger)
	s.Upkeep = upkeep.New(r, s.Backup, parts)
	s.Verifier = verify.New(r, s.Journal, s.Backup, s.Map, s.Ownership, s.Ledger, s.Memory, s.Commits, s.History, s.Tree, s.Gate, parts, s.Purger)
	s.Examiner = doctor.New(r, s.Journal, s.Backup, s.Map, s.Ownership, s.Saver, parts, s.Purger, s.Verifier)
	s.Undoer = undo.New(r, s.Journal, s.Backup, s.Map, s.Ownership, s.Ledger, s.Memory, s.Commits, s.History, s.Tree, s.Collection, s.Follower, s.Saver)
	s.BeforeWrite = s.AdoptVersions
	s.Refollow = func() {
		look := sync.OnceValue(func() session.Following { return s.FindLine(ctx) })
		s.Followed.Store(&look)
	}
	s.Refollow()
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
