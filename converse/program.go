package converse

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/internal/plainfile"
)

const (
	// Claude is the target that is the user's own Claude Code, and the name of its program.
	Claude = "claude"
	// Guard is the environment variable under which hooks do nothing: they would be those
	// of the client that is asked.
	Guard = "GIT_SAGE_DISTILL"

	claudeWithin = 2 * time.Minute
	endsWithin   = 10 * time.Second // behind a polite request to end
	maxReply     = 4 << 20          // bytes of what a model may answer
)

// A Program is the user's own Claude Code. Seen with 2.1.329: --safe-mode runs no hook and no
// server, and keeps each way to log in, which --bare does not.
type Program struct {
	World
	Setting string // which chose it: distill, ask
}

// Alone are the arguments with which it runs nothing of the user's and leaves nothing behind.
func (Program) Alone() []string {
	return []string{"--safe-mode", "--strict-mcp-config", "--no-session-persistence", "--permission-mode", "dontAsk"}
}

// Command runs the client in a folder of no project, in an environment that has nothing of
// the session that this process comes from. It answers in at most so many tokens.
func (p Program) Command(ctx context.Context, most int, args ...string) (*exec.Cmd, error) {
	program, err := p.find(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := p.emptyFolder()
	if err != nil {
		return nil, err
	}
	return p.command(ctx, program, dir, most, args...), nil
}

func (p Program) command(ctx context.Context, program, dir string, most int, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = dir, endsWithin
	cmd.Env = append(cleanEnv(p.Env), "CLAUDE_CODE_MAX_RETRIES=2", fmt.Sprintf("CLAUDE_CODE_MAX_OUTPUT_TOKENS=%d", most), Guard+"=1", "PWD="+dir, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	lead(cmd)
	return cmd
}

// cleanEnv leaves out what the client tells its children of their session, and where a
// repository is. How it logs in, and to whom, stays.
func cleanEnv(env []string) (out []string) {
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if !isOfSession(name) {
			out = append(out, kv)
		}
	}
	return out
}

func isOfSession(name string) bool {
	switch {
	case slices.Contains([]string{"CLAUDECODE", "CLAUDE_PID", "CLAUDE_PROJECT_DIR", "AI_AGENT", "GIT_DIR", "GIT_WORK_TREE", "PWD"}, name):
		return true
	case name == "CLAUDE_CODE_OAUTH_TOKEN", strings.HasPrefix(name, "CLAUDE_CODE_USE_"),
		strings.HasPrefix(name, "CLAUDE_CODE_SKIP_") && strings.HasSuffix(name, "_AUTH"):
		return false
	}
	return strings.HasPrefix(name, "CLAUDE_CODE_")
}

// emptyFolder is a folder with nothing in it: the client tells the model where it is.
func (p Program) emptyFolder() (string, error) {
	dir := filepath.Join(p.Home, "distill", "empty")
	if err := plainfile.MakeFolder(p.Home, dir); err != nil {
		return "", err
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		return "", errors.Join(err, fmt.Errorf("'%s' is not empty: remove what is in it", dir))
	}
	return dir, nil
}

// Failure is what went wrong by what the client prints in the end. ended is how the process did.
func (p Program) Failure(o Outcome, ended error) error {
	why := fmt.Sprintf("claude: %s", Clipped(cmp.Or(o.Result, o.Terminal, Exit(ended))))
	switch {
	case strings.HasPrefix(o.Result, "Not logged in"), o.Status == 401, o.Status == 403:
		return &RefusedError{why, "run 'claude' and type /login"}
	case o.Status == 404:
		return &RefusedError{why, "git sage config set " + p.Setting + "_model <model>"}
	case o.Status == 429 && strings.Contains(o.Result, "hit your"):
		return &BusyError{After: resetIn(o.Result, p.Now()), Why: why}
	case o.Status == 429, o.Status >= 500, o.Status == 0 && o.Terminal == "api_error":
		return &BusyError{Why: why}
	}
	return errors.New(why)
}

// Exit says how a process ended.
func Exit(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// Path is where the program is on the PATH; "" if it is not.
func (p Program) Path() string {
	file, _ := p.lookPath()
	return file
}

// Limited keeps the beginning of what is written to it.
type Limited struct{ bytes.Buffer }

func (l *Limited) Write(p []byte) (int, error) {
	if room := maxReply - l.Len(); len(p) > room {
		l.Buffer.Write(p[:max(room, 0)])
		return len(p), nil // who writes is not stopped, and nothing more is kept
	}
	return l.Buffer.Write(p)
}
