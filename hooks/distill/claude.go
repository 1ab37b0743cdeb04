package distill

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/converse"
)

const (
	claudeModel  = "haiku"
	claudeWithin = 2 * time.Minute
)

// claude asks the user's own Claude Code.
type claude struct {
	s Settings
	p converse.Program
}

// arguments are those of one question, which stands on standard input.
func (c *claude) arguments() []string {
	return slices.Concat([]string{"-p", "--output-format", "json"}, c.p.Alone(), []string{
		"--model", cmp.Or(c.s.Model, claudeModel), "--effort", "low", "--tools", "",
		"--max-turns", "2", "--max-budget-usd", "0.10",
		"--system-prompt", instructions, "--json-schema", string(schema()),
	})
}

func (c *claude) ask(ctx context.Context, conversation string) (reply, error) {
	within, cancel := context.WithTimeout(ctx, claudeWithin)
	defer cancel()
	cmd, err := c.p.Command(within, maxOutput, c.arguments()...)
	if err != nil {
		return reply{}, err
	}
	cmd.Stdin = strings.NewReader(conversation)
	var out, complaint converse.Limited
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

// A result is what the client prints, as far as it counts.
type result struct {
	converse.Outcome
	Structured json.RawMessage `json:"structured_output"`
	Dollars    float64         `json:"total_cost_usd"`
}

// judge tells a good answer by its exit status, is_error and the answer itself: subtype
// says success of most failures, too.
func (c *claude) judge(out []byte, complaint string, ended error) (reply, error) {
	var r result
	if err := json.Unmarshal(out, &r); err != nil {
		return reply{}, fmt.Errorf("claude printed no result (%s): %s", converse.Exit(ended), converse.Clipped(complaint+" "+string(out)))
	}
	rep := reply{r.Structured, useOf(r.Usage, cmp.Or(r.Model(), c.s.Model, claudeModel))}
	rep.use.Dollars = r.Dollars
	switch {
	case ended == nil && !r.IsError && len(r.Structured) > 0 && string(r.Structured) != "null":
		return rep, nil
	case ended == nil && !r.IsError:
		return rep, fmt.Errorf("%w: %s", errForm, converse.Clipped(r.Result))
	}
	return rep, c.p.Failure(r.Outcome, ended)
}

// identity changes with the program, the model and the login, as far as its files tell.
func (c *claude) identity() string {
	h := sha256.New()
	fmt.Fprintln(h, c.s.Target, c.s.Model)
	program := c.p.Path()
	folder := cmp.Or(c.p.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(c.p.Getenv("HOME"), ".claude"))
	for _, file := range []string{program, filepath.Join(folder, ".credentials.json"), filepath.Join(folder, "settings.json")} {
		if st, err := os.Stat(file); err == nil {
			fmt.Fprintln(h, file, st.Size(), st.ModTime().UnixNano())
		}
	}
	for _, file := range []string{filepath.Join(folder, ".claude.json"), filepath.Join(c.p.Getenv("HOME"), ".claude.json")} {
		var login struct {
			Account json.RawMessage `json:"oauthAccount"`
		}
		if b, err := os.ReadFile(file); err == nil && json.Unmarshal(b, &login) == nil {
			fmt.Fprintf(h, "%s\n", login.Account)
		}
	}
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_BASE_URL"} {
		fmt.Fprintln(h, name, c.p.Getenv(name) != "")
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
