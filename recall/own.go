package recall

import (
	"context"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore"
)

// own is the user's own store, memory that belongs to no project; nil if there is
// none besides m.Store. It is made for who wants to write.
func (m *Memory) own(ctx context.Context, write bool) (*gitstore.Store, error) {
	if m.OpenOwn == nil || m.isOwn() {
		return nil, nil
	}
	if _, err := os.Stat(m.ownDir()); err != nil && !write {
		return nil, nil // nothing was ever remembered there
	}
	m.ownOnce.Lock()
	defer m.ownOnce.Unlock()
	if m.ownStore != nil {
		return m.ownStore, nil
	}
	s, err := m.OpenOwn(ctx)
	if err == nil {
		m.ownStore = s
	}
	return s, err
}

// Own is the user's own store, which [Memory.Close] closes; nil if there is none besides
// m.Store.
func (m *Memory) Own(ctx context.Context) (*gitstore.Store, error) { return m.own(ctx, false) }

// makeOwn is that for who wants to write: it is made if it is not there.
func (m *Memory) makeOwn(ctx context.Context) (*gitstore.Store, error) { return m.own(ctx, true) }

// isOwn reports whether the memory is the user's own store alone.
func (m *Memory) isOwn() bool {
	return m.Home != "" && filepath.Clean(m.Store.CommonDir()) == m.ownDir()
}

func (m *Memory) ownDir() string { return filepath.Join(m.Home, "memory.git") }

// Close closes what the memory opened, and its store.
func (m *Memory) Close() error {
	m.ownOnce.Lock()
	defer m.ownOnce.Unlock()
	if m.ownStore != nil {
		_ = m.ownStore.Close() // it was read, or has acknowledged
		m.ownStore = nil
	}
	return m.Store.Close()
}
