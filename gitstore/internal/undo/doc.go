// Package undo lists acts, and takes them back.
package undo

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/internal/write"
)

// An Undoer lists what was done here, and takes the last of it back.
type Undoer struct {
	repo      *repo.Repo
	journal   *journal.Journal
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	ledger    *ledger.Ledger
	session   *session.Memory
	commits   *commits.Commits
	history   *history.History
	contents  *contents.Tree
	knowledge *knowledge.Collection
	follow    *follow.Follower
	write     *write.Saver
	lines     *write.Lines
}

// New returns an Undoer over the rooms that it uses.
func New(
	repo *repo.Repo,
	journal *journal.Journal,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	ledger *ledger.Ledger,
	session *session.Memory,
	commits *commits.Commits,
	history *history.History,
	contents *contents.Tree,
	knowledge *knowledge.Collection,
	follow *follow.Follower,
	write *write.Saver,
	lines *write.Lines,
) *Undoer {
	return &Undoer{
		repo:      repo,
		journal:   journal,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
		ledger:    ledger,
		session:   session,
		commits:   commits,
		history:   history,
		contents:  contents,
		knowledge: knowledge,
		follow:    follow,
		write:     write,
		lines:     lines,
	}
}
