// Package write puts a thought on a line: it saves, merges, tags, removes and restores.
//
// Size: 43 methods, for a save and a merge settle each in one place where they go and whose they are.
package write

import (
	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/confirm"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/session"
)

// Lines are the lines and tags of the memory, and where the session goes on.
type Lines struct {
	repo      *repo.Repo
	rewritten *rewritten.Map
	ledger    *ledger.Ledger
	session   *session.Memory
	commits   *commits.Commits
	history   *history.History
	contents  *contents.Tree
	admission *admission.Gate
	follow    *follow.Follower
}

// NewLines returns Lines over the rooms that they use.
func NewLines(
	repo *repo.Repo,
	rewritten *rewritten.Map,
	ledger *ledger.Ledger,
	session *session.Memory,
	commits *commits.Commits,
	history *history.History,
	contents *contents.Tree,
	admission *admission.Gate,
	follow *follow.Follower,
) *Lines {
	return &Lines{
		repo:      repo,
		rewritten: rewritten,
		ledger:    ledger,
		session:   session,
		commits:   commits,
		history:   history,
		contents:  contents,
		admission: admission,
		follow:    follow,
	}
}

// A Saver puts thoughts on lines.
type Saver struct {
	repo      *repo.Repo
	journal   *journal.Journal
	backup    *backup.Backup
	rewritten *rewritten.Map
	ledger    *ledger.Ledger
	session   *session.Memory
	commits   *commits.Commits
	history   *history.History
	contents  *contents.Tree
	confirm   *confirm.Confirmer
	admission *admission.Gate
	follow    *follow.Follower
	lines     *Lines
}

// New returns a Saver over the rooms that it uses.
func New(
	repo *repo.Repo,
	journal *journal.Journal,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ledger *ledger.Ledger,
	session *session.Memory,
	commits *commits.Commits,
	history *history.History,
	contents *contents.Tree,
	confirm *confirm.Confirmer,
	admission *admission.Gate,
	follow *follow.Follower,
	lines *Lines,
) *Saver {
	return &Saver{
		repo:      repo,
		journal:   journal,
		backup:    backup,
		rewritten: rewritten,
		ledger:    ledger,
		session:   session,
		commits:   commits,
		history:   history,
		contents:  contents,
		confirm:   confirm,
		admission: admission,
		follow:    follow,
		lines:     lines,
	}
}
