package stores

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore"
)

// own is the user's own store, memory that belongs to no project; nil if there is
// none besides the memory's. It is made for who wants to write.
func (st *Stores) own(ctx context.Context, write bool) (*gitstore.Store, error) {
	if st.OpenOwn == nil || st.IsOwn() {
		return nil, nil
	}
	if _, err := os.Stat(st.ownDir()); err != nil && !write {
		return nil, nil // nothing was ever remembered there
	}
	st.ownOnce.Lock()
	defer st.ownOnce.Unlock()
	if st.ownStore != nil {
		return st.ownStore, nil
	}
	s, err := st.OpenOwn(ctx)
	if err == nil {
		st.ownStore = s
	}
	return s, err
}

// Own is the user's own store, which [Stores.Close] closes; nil if there is none besides
// the memory's.
func (st *Stores) Own(ctx context.Context) (*gitstore.Store, error) { return st.own(ctx, false) }

// MakeOwn is that for who wants to write: it is made if it is not there.
func (st *Stores) MakeOwn(ctx context.Context) (*gitstore.Store, error) { return st.own(ctx, true) }

// IsOwn reports whether the memory is the user's own store alone.
func (st *Stores) IsOwn() bool {
	return st.Home != "" && filepath.Clean(st.Store.Repo.CommonDir()) == st.ownDir()
}

func (st *Stores) ownDir() string { return filepath.Join(st.Home, "memory.git") }

// Close closes what the memory opened, and its store.
func (st *Stores) Close() error {
	st.ownOnce.Lock()
	defer st.ownOnce.Unlock()
	if st.ownStore != nil {
		_ = st.ownStore.Close() // it was read, or has acknowledged
		st.ownStore = nil
	}
	return st.Store.Close()
}

// EachStore calls f with the store and then, if there is one, the user's own.
func (st *Stores) EachStore(ctx context.Context, f func(s *gitstore.Store, own bool) error) error {
	if err := f(st.Store, st.IsOwn()); err != nil {
		return err
	}
	s, err := st.own(ctx, false)
	if err != nil {
		return fmt.Errorf("your own memory: %w", err)
	}
	if s == nil {
		return nil
	}
	return f(s, true)
}
