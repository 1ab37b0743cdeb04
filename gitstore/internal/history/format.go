package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"go.yaml.in/yaml/v3"
)

// understood returns an error that wraps ErrNewer for a commit of a newer format.
func (hist *History) understood(id string) error {
	r, err := hist.commits.CommitRecord(id)
	if err == nil && r.Format > record.FormatVersion {
		err = fmt.Errorf("checkpoint %s (format %d) was %w", record.Short(id), r.Format, repo.ErrNewer)
	}
	return err
}

// A treeFormat is what it holds: the oldest format that a reader and a writer of
// the tree must know; 0 is any.
type treeFormat struct {
	MinReader int `yaml:"min_reader"`
	MinWriter int `yaml:"min_writer"`
}

// treeFormat reads the format of the knowledge tree at a commit or ref.
func (hist *History) treeFormat(at string) (f treeFormat, err error) {
	o, err := hist.repo.Object(at + ":" + record.TreeFormatFile)
	if errors.Is(err, git.ErrMissing) {
		return f, nil
	}
	if err == nil {
		err = yaml.Unmarshal(o.Data, &f)
	}
	if err != nil {
		return f, fmt.Errorf("read '%s' of the knowledge tree: %w", record.TreeFormatFile, err)
	}
	return f, nil
}

// MayRead returns an error that wraps ErrNewer if this version cannot make sense of
// the knowledge at a commit, ref or state, and another if there is a ref and no tree. A
// format that cannot be read itself keeps nobody from reading. What a prune took of it
// since the store was opened comes back from the backup.
func (hist *History) MayRead(at string) error {
	hist.backup.Glance(context.Background())
	shared, private := refname.Halves(at)
	if f, err := hist.treeFormat(shared); err == nil && f.MinReader > record.FormatVersion {
		return fmt.Errorf("the knowledge tree (format %d) was %w", f.MinReader, repo.ErrNewer)
	}
	if private == "" {
		return hist.isKnowledge(shared, refname.KnowledgeRef)
	}
	return cmp.Or(hist.isKnowledge(shared, refname.KnowledgeRef), hist.isKnowledge(private, refname.PrivateRef))
}

// isKnowledge returns an error if what is said to be the knowledge's commit is none: who
// takes that for an empty one would say that nothing is known. One that git lost comes
// back from the backup.
func (hist *History) isKnowledge(at, ref string) error {
	if at == ref { // see Knowledge
		_, err := hist.StateTip(context.Background())
		return err
	}
	if _, ok := hist.repo.LooseTree(at); ok || at == "" || at == hist.repo.Objects.Zero() {
		return nil
	}
	o, err := hist.repo.Object(at)
	if errors.Is(err, git.ErrMissing) && hist.backup.IsBackedUp(at) { // as a prune leaves it, beside a save
		if _, terr := hist.backup.Recover(context.Background(), true); terr == nil { // or another process did
			o, err = hist.repo.Object(at)
		}
	}
	if errors.Is(err, git.ErrMissing) || err == nil && o.Type != "commit" && o.Type != "tag" {
		return repo.Unsoundf("'%s' is at %s, a commit that git does not have", ref, record.Short(at))
	}
	return nil // of what git cannot tell, who reads on is told
}

// MayWrite returns an error that wraps ErrNewer if this version would do harm by
// writing the knowledge tree at a commit.
func (hist *History) MayWrite(at string) error {
	if at == "" {
		return nil
	}
	f, err := hist.treeFormat(at)
	if err == nil && max(f.MinReader, f.MinWriter) > record.FormatVersion {
		err = fmt.Errorf("the knowledge tree (format %d) was %w", max(f.MinReader, f.MinWriter), repo.ErrNewer)
	}
	return err
}
