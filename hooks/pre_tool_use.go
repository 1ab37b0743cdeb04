package hooks

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/hooks/act"
	"github.com/git-sage/git-sage/recall/prompts"
)

// preToolUse names what is known of what the agent is about to do, once a session: of a file
// before it is changed or searched what refers to it, and titles of what the words of a path, a command
// or a search pattern have in common with. It decides nothing: the client puts the answer
// beside the result of the tool, also where the person did not permit it (seen in 2.1.329).
// In the server that is 0.1 ms of a processor among 60 items and 0.6 among 10,000; a program
// takes as long as for a file that was read, 1.3 times 'version', so that it answers, too.
func (e *event) preToolUse(ctx context.Context) (string, error) {
	in := e.input.ToolInput
	if !e.mem.Continuity.Injects() || e.mem.Store.Repo.Session() == "" {
		return "", nil
	}
	var call act.Call
	text, file := "", e.inside(in.file())
	var err error
	switch {
	case e.input.Tool == "Bash":
		call.Command = in.Command
	case e.input.Tool == "Grep" || e.input.Tool == "Glob":
		call.Pattern = in.Pattern
		if file = e.inside(searched(in.Path, e.input.Dir)); file != "" {
			text, err = e.onFile(ctx, file)
		}
	case file != "" && slices.Contains(fileTools[1:], e.input.Tool):
		call.File = file
		text, err = e.onFile(ctx, file)
	}
	e.report(err) // titles need nothing of it
	titles, err := e.onActs(ctx, call)
	if text = joined(text, titles); text == "" {
		return "", err
	}
	e.report(err)
	return addContext("PreToolUse", text)
}

// searched is the file that a search is in, as good as read; "" if it is in a folder.
func searched(at, dir string) string {
	if at == "" {
		return ""
	}
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	if st, err := os.Stat(at); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	return at
}

// toolFailure names what is known of how a command failed, failures with what they taught.
func (e *event) toolFailure(ctx context.Context) (string, error) {
	if !e.mem.Continuity.Injects() || e.mem.Store.Repo.Session() == "" || e.input.Tool != "Bash" {
		return "", nil
	}
	text, err := e.onActs(ctx, act.Call{Error: e.input.Error})
	if text == "" {
		return "", err
	}
	return addContext("PostToolUseFailure", text)
}

// onActs are titles of what is known of a call of a tool.
func (e *event) onActs(ctx context.Context, c act.Call) (string, error) {
	asks := c.Asks()
	if len(asks) == 0 {
		return "", nil
	}
	for i := range asks {
		var paths []string
		for _, p := range asks[i].Paths {
			if !filepath.IsAbs(p) {
				p = filepath.Join(e.input.Dir, p)
			}
			if p = e.inside(p); p != "" {
				paths = append(paths, p)
			}
		}
		asks[i].Paths = paths
	}
	maybe, err := e.mem.Prompts.OnActs(ctx, asks, e.mem.Store.Session.Given())
	return e.titles(&prompts.Recall{Maybe: maybe}, c.Error != ""), err
}
