package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// formatVersion is the newest that this version understands; see FORMAT.md. What says
// that it is of a newer one is read as far as it can be, and nothing is made of it: it is
// not merged, settled or cleansed. A save that continues it, a tag, a tombstone change
// nothing in it and go on.
var formatVersion = func() int {
	n, err := strconv.Atoi(formatText)
	if err != nil || n < 1 {
		return 1
	}
	return n
}()

// formatText is there for a test, which builds a newer git-sage with
// -ldflags "-X github.com/git-sage/git-sage/gitstore.formatText=3".
var formatText = "2"

// What this version writes: formatNone for a checkpoint that says of fields to hold
// nothing, which a version that does not know that would merge in another way, and
// formatPlain for all else.
const (
	formatPlain = 1
	formatNone  = 2
)

// writtenFormat is the format of a checkpoint as it is written.
func writtenFormat(c *sage.Checkpoint) int {
	if len(c.SaidNone) > 0 {
		return max(formatNone, plainFormat())
	}
	return plainFormat()
}

// plainFormat is the format of all that every version understands; in a test, of what a
// newer one writes.
func plainFormat() int {
	if formatVersion > formatNone {
		return formatVersion
	}
	return formatPlain
}

// understood returns an error that wraps ErrNewer for a commit of a newer format.
func (s *Store) understood(id string) error {
	r, err := s.commitRecord(id)
	if err == nil && r.Format > formatVersion {
		err = fmt.Errorf("checkpoint %s (format %d) was %w", short(id), r.Format, ErrNewer)
	}
	return err
}

// treeFormatFile says which versions may read and write the knowledge tree. There
// is none as long as all may.
const treeFormatFile = "format.yaml"

// A treeFormat is what it holds: the oldest format that a reader and a writer of
// the tree must know; 0 is any.
type treeFormat struct {
	MinReader int `yaml:"min_reader"`
	MinWriter int `yaml:"min_writer"`
}

// treeFormat reads the format of the knowledge tree at a commit or ref.
func (s *Store) treeFormat(at string) (f treeFormat, err error) {
	o, err := s.object(at + ":" + treeFormatFile)
	if errors.Is(err, git.ErrMissing) {
		return f, nil
	}
	if err == nil {
		err = yaml.Unmarshal(o.Data, &f)
	}
	if err != nil {
		return f, fmt.Errorf("read '%s' of the knowledge tree: %w", treeFormatFile, err)
	}
	return f, nil
}

// mayRead returns an error that wraps ErrNewer if this version cannot make sense of
// the knowledge tree at a commit or ref, and another if there is a ref and no tree. A
// format that cannot be read itself keeps nobody from reading. What a prune took of it
// since the store was opened comes back from the backup.
func (s *Store) mayRead(at string) error {
	s.glance(context.Background())
	if f, err := s.treeFormat(at); err == nil && f.MinReader > formatVersion {
		return fmt.Errorf("the knowledge tree (format %d) was %w", f.MinReader, ErrNewer)
	}
	return s.isKnowledge(at)
}

// isKnowledge returns an error if what is said to be the knowledge's commit is none: who
// takes that for an empty one would say that nothing is known. One that git lost comes
// back from the backup.
func (s *Store) isKnowledge(at string) error {
	if at == KnowledgeRef { // see knowledge
		_, err := s.KnowledgeTip(context.Background())
		return err
	}
	if _, ok := s.looseTree(at); ok || at == "" || at == s.objects.Zero() {
		return nil
	}
	o, err := s.object(at)
	if errors.Is(err, git.ErrMissing) && s.isBackedUp(at) { // as a prune leaves it, beside a save
		if _, terr := s.takeBack(context.Background(), true); terr == nil { // or another process did
			o, err = s.object(at)
		}
	}
	if errors.Is(err, git.ErrMissing) || err == nil && o.Type != "commit" && o.Type != "tag" {
		return fmt.Errorf("'%s' is at %s, which is no commit that git has; run 'git sage fsck'", KnowledgeRef, short(at))
	}
	return nil // of what git cannot tell, who reads on is told
}

// mayWrite returns an error that wraps ErrNewer if this version would do harm by
// writing the knowledge tree at a commit.
func (s *Store) mayWrite(at string) error {
	if at == "" {
		return nil
	}
	f, err := s.treeFormat(at)
	if err == nil && max(f.MinReader, f.MinWriter) > formatVersion {
		err = fmt.Errorf("the knowledge tree (format %d) was %w", max(f.MinReader, f.MinWriter), ErrNewer)
	}
	return err
}
