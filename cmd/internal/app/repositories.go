package app

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Repositories are the folders in which a server has found a repository. Where it finds none any
// more, what is saved must not go to the user's own store: whoever works there means the
// repository. Of a process that is no server it is nil.
type Repositories struct {
	mu   sync.Mutex
	dirs map[string]bool
}

func (r *Repositories) note(dir string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dirs == nil {
		r.dirs = map[string]bool{}
	}
	r.dirs[dir] = true
}

func (r *Repositories) had(dir string) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dirs[dir]
}

// errMoved says that the folder of a server is not what it was.
func (a *App) errMoved(dir string) error {
	what := "is gone"
	if IsDir(dir) {
		what = "has no git repository any more"
	}
	where := ""
	if now, err := os.Getwd(); err == nil && filepath.Clean(now) != filepath.Clean(dir) && dir == a.Dir && !a.Chosen && IsDir(now) {
		where = fmt.Sprintf("; it is '%s' now", now)
	}
	return fmt.Errorf("'%s' %s: the folder was moved or removed under this server%s. Nothing was read or saved; restart the server, or its client, in the folder where the repository is now", dir, what, where)
}
