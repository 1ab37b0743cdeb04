package distill

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/prose/cut"
)

const (
	claudeTarget = "claude"
	claudeModel  = "haiku"
	claudeWithin = 2 * time.Minute
	endsWithin   = 10 * time.Second // behind a polite request to end
	maxReply     = 4 << 20          // bytes of what a model may answer
	// Guard is the environment variable under which hooks do nothing: they would be those
	// of the client that distils.
	Guard = "GIT_SAGE_DISTILL"
)

// claude asks the user's own Claude Code. Seen with 2.1.329: --safe-mode runs no hook and
// no server, and keeps each way to log in, which --bare does not.
type claude struct {
	s Settings
	w World
}

// arguments are those of one question, which stands on standard input.
func (c *claude) arguments() []string {
	return []string{
		"-p", "--output-format", "json",
		"--safe-mode", "--strict-mcp-config", "--no-session-persistence", "--permission-mode", "dontAsk",
		"--model", cmp.Or(c.s.Model, claudeModel), "--effort", "low", "--tools", "",
		"--max-turns", "2", "--max-budget-usd", "0.10",
		"--system-prompt", instructions, "--json-schema", string(schema()),
	}
}

func (c *claude) ask(ctx context.Context, conversation string) (reply, error) {
	program, err := c.find(ctx)
	if err != nil {
		return reply{}, err
	}
	dir, err := c.emptyFolder()
	if err != nil {
		return reply{}, err
	}
	within, cancel := context.WithTimeout(ctx, claudeWithin)
	defer cancel()
	cmd := c.command(within, program, dir, c.arguments()...)
	cmd.Stdin = strings.NewReader(conversation)
	var out, complaint limited
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return reply{}, ctx.Err()
	case within.Err() != nil:
		return reply{}, fmt.Errorf("claude did not answer within %s", claudeWithin)
	}
	return c.judge(out.Bytes(), complaint.String(), err)
}

// command runs the client in a folder of no project, in an environment that has nothing of
// the session that this process comes from.
func (c *claude) command(ctx context.Context, program, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = dir, endsWithin
	cmd.Env = append(cleanEnv(c.w.Env), "CLAUDE_CODE_MAX_RETRIES=2", fmt.Sprintf("CLAUDE_CODE_MAX_OUTPUT_TOKENS=%d", maxOutput), Guard+"=1", "PWD="+dir, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
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
func (c *claude) emptyFolder() (string, error) {
	dir := filepath.Join(c.w.Home, "distill", "empty")
	if err := plainfile.MakeFolder(c.w.Home, dir); err != nil {
		return "", err
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		return "", errors.Join(err, fmt.Errorf("'%s' is not empty: remove what is in it", dir))
	}
	return dir, nil
}

// A result is what the client prints, as far as it counts.
type result struct {
	IsError    bool                       `json:"is_error"`
	Result     string                     `json:"result"`
	Status     int                        `json:"api_error_status"`
	Terminal   string                     `json:"terminal_reason"`
	Structured json.RawMessage            `json:"structured_output"`
	Dollars    float64                    `json:"total_cost_usd"`
	Usage      usage                      `json:"usage"`
	Models     map[string]json.RawMessage `json:"modelUsage"`
}

// A usage is what a request took, in tokens, as the interface of Claude counts them.
type usage struct {
	Input         int `json:"input_tokens"`
	Output        int `json:"output_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
}

func (u usage) use(model string) Use {
	return Use{Model: model, Input: u.Input + u.CacheRead + u.CacheCreation, Output: u.Output}
}

func (r result) use() Use {
	u := r.Usage.use("")
	u.Dollars = r.Dollars
	for name := range r.Models {
		u.Model = max(u.Model, name) // there is one
	}
	return u
}

// judge tells a good answer by its exit status, is_error and the answer itself: subtype
// says success of most failures, too.
func (c *claude) judge(out []byte, complaint string, ended error) (reply, error) {
	var r result
	if err := json.Unmarshal(out, &r); err != nil {
		return reply{}, fmt.Errorf("claude printed no result (%s): %s", exit(ended), clipped(complaint+" "+string(out)))
	}
	rep := reply{r.Structured, r.use()}
	rep.use.Model = cmp.Or(rep.use.Model, cmp.Or(c.s.Model, claudeModel))
	switch {
	case ended == nil && !r.IsError && len(r.Structured) > 0 && string(r.Structured) != "null":
		return rep, nil
	case ended == nil && !r.IsError:
		return rep, fmt.Errorf("%w: %s", errForm, clipped(r.Result))
	}
	return rep, c.failure(r, ended)
}

func (c *claude) failure(r result, ended error) error {
	why := fmt.Sprintf("claude: %s", clipped(cmp.Or(r.Result, r.Terminal, exit(ended))))
	switch {
	case strings.HasPrefix(r.Result, "Not logged in"), r.Status == 401, r.Status == 403:
		return &RefusedError{why, "run 'claude' and type /login"}
	case r.Status == 404:
		return &RefusedError{why, "git sage config set distill_model <model>"}
	case r.Status == 429 && strings.Contains(r.Result, "hit your"):
		return &BusyError{resetIn(r.Result, c.w.Now()), why}
	case r.Status == 429, r.Status >= 500, r.Status == 0 && r.Terminal == "api_error":
		return &BusyError{0, why}
	}
	return errors.New(why)
}

func exit(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// clipped is the beginning of what a program said, on one line.
func clipped(s string) string {
	const most = 200
	return cut.Runes(legible.OneLine(oneSpace(s)), most)
}

// identity changes with the program, the model and the login, as far as its files tell.
func (c *claude) identity() string {
	h := sha256.New()
	fmt.Fprintln(h, c.s.Target, c.s.Model)
	program, _ := lookPath(c.w, claudeTarget)
	folder := cmp.Or(c.w.getenv("CLAUDE_CONFIG_DIR"), filepath.Join(c.w.getenv("HOME"), ".claude"))
	for _, file := range []string{program, filepath.Join(folder, ".credentials.json"), filepath.Join(folder, "settings.json")} {
		if st, err := os.Stat(file); err == nil {
			fmt.Fprintln(h, file, st.Size(), st.ModTime().UnixNano())
		}
	}
	for _, file := range []string{filepath.Join(folder, ".claude.json"), filepath.Join(c.w.getenv("HOME"), ".claude.json")} {
		var login struct {
			Account json.RawMessage `json:"oauthAccount"`
		}
		if b, err := os.ReadFile(file); err == nil && json.Unmarshal(b, &login) == nil {
			fmt.Fprintf(h, "%s\n", login.Account)
		}
	}
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_BASE_URL"} {
		fmt.Fprintln(h, name, c.w.getenv(name) != "")
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// limited keeps the beginning of what is written to it.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := maxReply - l.Len(); len(p) > room {
		l.Buffer.Write(p[:max(room, 0)])
		return len(p), nil // who writes is not stopped, and nothing more is kept
	}
	return l.Buffer.Write(p)
}
