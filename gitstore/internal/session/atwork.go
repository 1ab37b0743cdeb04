package session

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// A process that may hold a lock of git's.
type process struct {
	Pid     int
	Command string
}

// AtWork lists the gits that may be at work in this repository. known is false
// where the system does not tell, which only Linux does.
func (s *Memory) AtWork() (busy []process, known bool) {
	list, err := fsx.ReadDir("/proc")
	if err != nil || !fsx.IsFolder("/proc/self/fd") {
		return nil, false
	}
	mine := family()
	for _, e := range list {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || mine[pid] || fsx.Parent(pid) == os.Getpid() {
			continue
		}
		if command, ok := s.worksHere(pid); ok {
			busy = append(busy, process{pid, command})
		}
	}
	return busy, true
}

// family are this process and those that started it: "git sage" is a git that
// waits for us.
func family() map[int]bool {
	mine := map[int]bool{}
	for pid := os.Getpid(); pid > 1 && !mine[pid]; pid = fsx.Parent(pid) {
		mine[pid] = true
	}
	return mine
}

// worksHere reports whether a process is a git that stands in this repository,
// or names it. One that only reads objects holds no lock.
func (s *Memory) worksHere(pid int) (command string, yes bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	comm, err := fsx.ReadFile(dir + "/comm")
	if name := git.Text(comm); err != nil || name != "git" && !strings.HasPrefix(name, "git-") || name == "git-sage" {
		return "", false
	}
	line, _ := fsx.ReadFile(dir + "/cmdline")
	args := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
	waits := len(args) > 1 && args[1] == "sage"                       // for a git-sage, whose own gits are seen
	if waits || slices.Contains(args, "cat-file") || len(line) == 0 { // a reader, or one that ended
		return "", false
	}
	command = legible.OneLine(cut.Runes(strings.Join(args, " "), 80))
	at, err := fsx.Readlink(dir + "/cwd")
	if err != nil {
		return command, !os.IsNotExist(err) // another user's: it may be here
	}
	env, _ := fsx.ReadFile(dir + "/environ")
	for _, place := range s.places() {
		if at == place || strings.HasPrefix(at, place+"/") || bytes.Contains(line, []byte(place)) || bytes.Contains(env, []byte("="+place)) {
			return command, true
		}
	}
	return "", false
}

// places are the folders of this repository and its work trees.
func (s *Memory) places() []string {
	return append([]string{s.repo.Where.CommonDir, s.repo.Where.GitDir}, s.WorkTrees()...)
}

// WorkTrees are the folders of the repository's work trees, without links, this one first.
// One that was deleted is among them until git prunes it.
func (s *Memory) WorkTrees() (out []string) {
	if s.repo.Where.Top != "" {
		out = append(out, s.repo.Where.Top)
	}
	if filepath.Base(s.repo.Where.CommonDir) == ".git" {
		out = append(out, filepath.Dir(s.repo.Where.CommonDir))
	}
	list, _ := fsx.ReadDir(filepath.Join(s.repo.Where.CommonDir, "worktrees"))
	for _, e := range list {
		folder := filepath.Join(s.repo.Where.CommonDir, "worktrees", e.Name())
		b, err := fsx.ReadFile(filepath.Join(folder, "gitdir"))
		if err != nil {
			continue
		}
		file := git.Text(b)
		if !filepath.IsAbs(file) { // worktree.useRelativePaths
			file = filepath.Join(folder, file)
		}
		out = append(out, filepath.Dir(file))
	}
	for i, dir := range out {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			out[i] = real
		}
	}
	return out
}
