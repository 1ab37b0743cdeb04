package app

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// RepositoryPath is a file argument relative to the root of the work tree.
func (a *App) RepositoryPath(m *recall.Memory, file string) (string, error) {
	top := m.Store.Repo.Top()
	if file == "" {
		return "", usage.Errorf("a path is empty")
	}
	if strings.Contains(file, "://") {
		return "", errors.New("'" + file + "' is a URL, not a path")
	}
	if top == "" { // a bare repository, the user's own store
		return filepath.ToSlash(file), nil
	}
	full := a.Path(file)
	for _, root := range []string{top, gitstore.WithoutLinks(top)} {
		for _, name := range []string{full, gitstore.WithoutLinks(full)} {
			rel, err := filepath.Rel(root, name)
			if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return filepath.ToSlash(rel), nil
			}
		}
	}
	return "", exit.WithHint(errors.New("'"+file+"' is outside the repository"), "the repository is '%s'", top)
}

// Pathspec is RepositoryPath of what may also count from the top, as git has it: ":/auth",
// ":(top)auth".
func (a *App) Pathspec(m *recall.Memory, spec string) (string, error) {
	for _, top := range []string{":/", ":(top)"} {
		if rest, ok := strings.CutPrefix(spec, top); ok {
			return path.Clean(filepath.ToSlash(rest)), nil
		}
	}
	return a.RepositoryPath(m, spec)
}

// Exists reports whether a path is there in the work tree; without one nobody knows, and
// it counts.
func Exists(m *recall.Memory, path string) bool {
	if m.Store.Repo.Top() == "" {
		return true // nobody knows
	}
	root, err := os.OpenRoot(m.Store.Repo.Top())
	if err != nil {
		return false
	}
	defer root.Close()
	_, err = root.Lstat(filepath.FromSlash(path))
	return err == nil
}

// SkillFolders are those in which Claude Code keeps skills: of the repository, and of
// the person.
func SkillFolders(a *App, m *recall.Memory) (folders []string) {
	if top := m.Store.Repo.Top(); top != "" {
		folders = append(folders, filepath.Join(top, ".claude", "skills"))
	}
	if dir := a.ClaudeFolder(); dir != "" {
		folders = append(folders, filepath.Join(dir, "skills"))
	}
	return folders
}

// ClaudeFolder is where Claude Code keeps what is the person's, "" if nobody knows it.
func (a *App) ClaudeFolder() string {
	if dir := a.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := a.HomeFolder(); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// ClientDir is the folder that the client which started this has open.
func (a *App) ClientDir() string {
	if p := a.Getenv("CLAUDE_PROJECT_DIR"); IsDir(p) {
		return p
	}
	return a.Dir
}

// IsDir reports whether there is a folder of that name.
func IsDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

// Transcripts is the folder in which Claude Code keeps those of all projects, "" if nobody
// knows it.
func (a *App) Transcripts() string {
	dir := a.ClaudeFolder()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "projects")
}
