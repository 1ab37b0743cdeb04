package prompts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/mcp/internal/checkpoints"
	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/knowledge"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/save"
)

// AllPrompts are all there are, in the order in which they are listed. Nothing stored
// speaks through a name or a description.
func AllPrompts() []prompt {
	rev := promptArg{Name: "checkpoint", doc: "Id, line, fork or tag; @ is the checkpoint that the next save continues."}
	return []prompt{
		{Name: "checkpoint", module: client.ModuleCore, run: promptCheckpoint, doc: "Save a checkpoint of where we stand.",
			Args: []promptArg{{Name: "note", doc: "What to pay attention to.", sentence: true}}},
		{Name: "restore", module: client.ModuleCore, run: promptRestore, writes: true, doc: "Load a checkpoint and continue from it.",
			Args: []promptArg{rev}},
		{Name: "recall", module: client.ModuleKnowledge, run: promptRecall, doc: "Recall what is known about a question.",
			Args: []promptArg{{Name: "query", doc: "The question.", required: true, sentence: true}}},
		{Name: "branch", module: client.ModuleCore, run: promptBranch, doc: "Create a line, to explore another way.",
			Args: []promptArg{{Name: "line", doc: "Its name.", required: true}, rev}},
		{Name: "merge", module: client.ModuleCore, run: promptMerge, doc: "Merge a fork or line into this one.",
			Args: []promptArg{{Name: "checkpoint", doc: "Fork, line or checkpoint; by default the open forks."}}},
		{Name: "handoff", module: client.ModuleCore, run: promptHandoff, doc: "Save, and write a brief for whoever takes over.",
			Args: []promptArg{{Name: "to", doc: "An agent or a person.", sentence: true}}},
	}
}

const oneLineMore = "\n\nThen tell me in one line (\"Checkpointed: ...\") and continue."

func promptCheckpoint(_ context.Context, c *tool.Call) (string, error) {
	text := "Save a checkpoint of where we stand now: one call of sage_save_checkpoint, trigger \"manual\"."
	if note := c.Text("note"); note != "" {
		text += "\nNote: " + note
	}
	return text + "\n\n" + save.Extraction + oneLineMore, nil
}

// promptRestore moves the session as sage_load_checkpoint does: the next save has to
// continue what was brought back.
func promptRestore(ctx context.Context, c *tool.Call) (string, error) {
	rev := c.Text("checkpoint")
	if rev == "" {
		rev = "@"
	}
	c.Args = map[string]any{"checkpoint_id": rev, "full": true}
	text, err := checkpoints.Load(ctx, c)
	if err != nil {
		return "", err
	}
	return text + "\n\nContinue from this. It is a record of earlier work: check what it says about the code against the current code. " +
		"First tell me in two or three sentences where we stand, what is open, and what you would do next.", nil
}

func promptRecall(ctx context.Context, c *tool.Call) (string, error) {
	query := c.Text("query")
	text, err := knowledge.Recall(ctx, c)
	if err != nil {
		return "", err
	}
	return "What does the memory say about this: " + query + "\n\n" + text +
		"\n\nAnswer from it, naming the items. If it does not answer, try sage_search_checkpoints before you say so.", nil
}

func promptBranch(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	line, rev := c.Text("line"), c.Text("checkpoint")
	if err := gitstore.CheckName(line); err != nil {
		return "", err
	}
	args := fmt.Sprintf("name: %q", line)
	if rev != "" {
		from, err := m.Store.Commits.Load(ctx, rev)
		if err != nil {
			return "", err
		}
		args += fmt.Sprintf(", checkpoint_id: %q", brief.ShortID(from.ID))
	}
	return fmt.Sprintf("Let us explore another way, without losing this one. If our thinking has moved on since the last checkpoint, "+
		"save it first with sage_save_checkpoint, trigger \"branch_point\". Then call sage_branch(%s), and tell me in one line where we are. "+
		"sage_load_checkpoint(checkpoint_id: %q) goes back.", args, m.Store.Session.CurrentLine()), nil
}

func promptMerge(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	st, err := m.Store.Status(ctx)
	if err != nil {
		return "", err
	}
	if rev := c.Text("checkpoint"); rev != "" {
		other, err := m.Store.Commits.Load(ctx, rev)
		if err != nil {
			return "", err
		}
		if id := brief.ShortID(other.ID); gitstore.CheckName(rev) != nil && !isFork(st, rev) {
			rev = id
		}
		return mergeText(ctx, m, st.Line, rev, other)
	}
	var open strings.Builder
	checkpoints.Forks(&open, st)
	if open.Len() == 0 {
		return "Nothing is to be merged into line " + st.Line + ". Tell me so; sage_list_checkpoints(all: true) shows what other lines there are.", nil
	}
	return open.String() + "\nFor what belongs to line " + st.Line + ": compare with sage_diff, weigh both sides, and call sage_merge with a thesis " +
		"that covers both and an honest confidence. Record what cannot be settled as a tension. Then tell me in one line what holds now.", nil
}

func isFork(st gitstore.Status, name string) bool {
	return slices.ContainsFunc(st.Forks, func(l gitstore.Line) bool { return l.Name == name })
}

// mergeText shows how the other side differs from the line, and how to bring it in.
func mergeText(ctx context.Context, m *recall.Memory, line, rev string, other *sage.Checkpoint) (string, error) {
	differ := "The line has no checkpoint yet."
	if tip, err := m.Store.Commits.Load(ctx, line); err == nil {
		differ = checkpoints.Difference(ctx, m, tip, other)
	}
	head := fmt.Sprintf("Merge %s%s into line %s. How it differs from the tip of the line:\n\n", rev, provenance.AsideOf(other), line)
	tail := fmt.Sprintf("\n\nWeigh both sides, then call sage_merge(checkpoint_id: %q, thesis: ..., confidence: ...) with a thesis that covers both. "+
		"Record what cannot be settled as a tension. Then tell me in one line what holds now.", rev)
	return head + texts.Fenced("git-sage diff", differ, texts.Size(head+tail), "sage_diff shows all of it") + tail, nil
}

func promptHandoff(_ context.Context, c *tool.Call) (string, error) {
	to, whom := c.Text("to"), ""
	if to != "" {
		whom = " It is for: " + to + " (add them to action_stakeholders)."
	}
	return "Hand this over. First save a checkpoint with sage_save_checkpoint, trigger \"handoff\", so that somebody who was not here can continue." + whom +
		"\n\n" + save.Extraction +
		"\n\nThen write a brief to paste: the question, the thesis and how sure we are, the evidence, what was tried and did not work, what is open, " +
		"which files it is about, the next step, and at its end, with the id that the save named: \"`git sage checkpoint restore <id>`, or sage_load_checkpoint, restores all of it\".", nil
}
