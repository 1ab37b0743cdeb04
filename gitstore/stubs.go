package gitstore

import (
	"context"
	"errors"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

var errStub = errors.New("being built")

// Store is the one way in.
type Store struct{}

func Open(ctx context.Context, o Options) (*Store, error)                       { return nil, errStub }
func (s *Store) Close() error                                                   { return errStub }
func (s *Store) Save(ctx context.Context, d Draft) (Saved, error)               { return Saved{}, errStub }
func (s *Store) Resolve(ctx context.Context, rev string) (string, error)        { return "", errStub }
func (s *Store) Load(ctx context.Context, rev string) (*sage.Checkpoint, error) { return nil, errStub }
func (s *Store) LoadAll(ctx context.Context, ids []string) ([]*sage.Checkpoint, error) {
	return nil, errStub
}
func (s *Store) Log(ctx context.Context, q Query) ([]Record, error)     { return nil, errStub }
func (s *Store) Record(ctx context.Context, rev string) (Record, error) { return Record{}, errStub }
func (s *Store) Graph(ctx context.Context, q Query, show func(Record) string) ([]string, error) {
	return nil, errStub
}
func (s *Store) Lines(ctx context.Context) ([]Line, error)                  { return nil, errStub }
func (s *Store) CurrentLine() string                                        { return "" }
func (s *Store) Branch(ctx context.Context, name, rev string) (Line, error) { return Line{}, errStub }
func (s *Store) Switch(ctx context.Context, name string, create bool, rev string) (Line, error) {
	return Line{}, errStub
}
func (s *Store) DeleteLine(ctx context.Context, name string) error     { return errStub }
func (s *Store) RenameLine(ctx context.Context, old, new string) error { return errStub }
func (s *Store) Restore(ctx context.Context, rev string) (*sage.Checkpoint, error) {
	return nil, errStub
}
func (s *Store) Seen(ctx context.Context) (*Record, error)                  { return nil, errStub }
func (s *Store) Status(ctx context.Context) (Status, error)                 { return Status{}, errStub }
func (s *Store) Merge(ctx context.Context, r MergeRequest) (Merged, error)  { return Merged{}, errStub }
func (s *Store) AbortMerge(ctx context.Context) (Record, error)             { return Record{}, errStub }
func (s *Store) MergeBase(ctx context.Context, a, b string) (string, error) { return "", errStub }
func (s *Store) Tags(ctx context.Context) ([]Tag, error)                    { return nil, errStub }
func (s *Store) Tag(ctx context.Context, name, rev string, force bool) (Tag, error) {
	return Tag{}, errStub
}
func (s *Store) DeleteTag(ctx context.Context, name string) error            { return errStub }
func (s *Store) Remove(ctx context.Context, revs []string) ([]Record, error) { return nil, errStub }
func (s *Store) RestoreRemoved(ctx context.Context, revs []string) ([]Record, error) {
	return nil, errStub
}
func (s *Store) Prunable(ctx context.Context, keep int, olderThan time.Duration) ([]Record, error) {
	return nil, errStub
}
func (s *Store) ReadFile(ctx context.Context, path string) ([]byte, error) { return nil, errStub }
func (s *Store) Files(ctx context.Context, dir string) ([]string, error)   { return nil, errStub }
func (s *Store) WriteFiles(ctx context.Context, subject string, files map[string][]byte) error {
	return errStub
}
func (s *Store) Fsck(ctx context.Context) ([]Finding, error)      { return nil, errStub }
func (s *Store) Config(key string) (value, scope string, ok bool) { return "", "", false }
func (s *Store) Top() string                                      { return "" }
func (s *Store) GitDir() string                                   { return "" }
func (s *Store) CommonDir() string                                { return "" }
func (s *Store) Init(ctx context.Context) ([]string, error)       { return nil, errStub }
func (s *Store) Maintain(ctx context.Context) (string, error)     { return "", errStub }
