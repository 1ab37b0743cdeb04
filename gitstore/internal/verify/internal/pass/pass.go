// Package pass is one look at everything that is kept, as each check of fsck is handed it:
// the refs and what is remembered of them, the objects, and what was found so far.
package pass

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A Check looks at one thing and adds what it finds to the pass. It knows no other check:
// what one leaves to another, such as tips to be followed, is a field of the pass.
type Check interface{ Run(p *Pass) }

// Rooms are what a pass reads.
type Rooms struct {
	Repo      *repo.Repo
	Journal   *journal.Journal
	Backup    *backup.Backup
	Rewritten *rewritten.Map
	Ownership *ownership.Ownership
	History   *history.History
}

// A Pass goes through the store once.
type Pass struct {
	Ctx  context.Context
	Repo *repo.Repo
	*Findings
	*Objects
	*Refs
	Tips []TypedRef // refs whose history is to be read
	From string     // the git directory of a clone that may have what is missing here; "" is none
}

// New begins a pass that reads at most so many of the newest commits of each kind of ref,
// and as many files; 0 is all.
func New(ctx context.Context, rs Rooms, from string, most int) (*Pass, error) {
	spare, err := rs.Backup.OpenSpare(from)
	if err != nil {
		return nil, err
	}
	found := &Findings{Bad: map[string]bool{}, Most: most}
	objects := &Objects{Logs: Logs{repo: rs.Repo}, ctx: ctx, found: found, spare: spare, packs: map[string]bool{}, files: map[string]bool{}}
	loose, _ := rs.Repo.Objects.IDs() // what cannot be listed is not read as a file either
	for _, id := range loose {
		objects.files[id] = true
	}
	refs := &Refs{ctx: ctx, rooms: rs, found: found, objects: objects}
	return &Pass{Ctx: ctx, Repo: rs.Repo, Findings: found, Objects: objects, Refs: refs, From: from}, nil
}

// Close ends what reads the backup and the clone.
func (p *Pass) Close() { p.spare.Close() }

// Under is the name of a file beneath the git directory.
func (p *Pass) Under(path string) string {
	name, err := filepath.Rel(p.Repo.Where.CommonDir, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(name)
}

// Quoted is the beginning of what a file holds, in print.
func Quoted(b []byte) string {
	return fmt.Sprintf("%q", record.ClipBytes(strings.ToValidUTF8(string(b[:min(len(b), 200)]), "?"), 40))
}

// asideCure is what to type where a file of ours cannot be read: what is no file goes
// aside, and the next save makes another.
func asideCure(r *repo.Repo, file string) string {
	for _, path := range []string{r.Dir(), file} {
		st, err := fsx.Lstat(path)
		if err == nil && (path == file && !st.Mode().IsRegular() || path != file && !st.IsDir()) {
			return fmt.Sprintf("mv '%s' '%s.aside'", path, path)
		}
	}
	return "fix the permissions of '" + file + "'"
}
