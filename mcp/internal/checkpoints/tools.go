// Package checkpoints has the tools for checkpoints and lines.
package checkpoints

import (
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall/search"
)

// Where a checkpoint is wanted. The save tool says at length what may stand there.
const (
	revDoc   = "Id, line, fork or tag; @ is the checkpoint that the next save continues, @~1 its parent."
	revShort = "As in sage_load_checkpoint."
)

func SaveTool() tool.Tool {
	return tool.Tool{
		Name: "sage_save_checkpoint", Writes: true, Templated: true, Run: runSave,
		Doc: "Save where the research stands. Each checkpoint is complete: repeat what still holds. No secrets.",
		Params: []arg.Param{
			{Name: "core_question", Kind: arg.Text, Required: true, Doc: "The decision it leads to."},
			{Name: "thesis", Kind: arg.Text, Required: true, Doc: "The current position."},
			{Name: "confidence", Kind: arg.Share, Required: true},
			{Name: "open_questions", Kind: arg.List},
			{Name: "sources", Kind: arg.Groups, Lines: true, Group: sourceKeys()},
			{Name: "tensions", Kind: arg.Groups, Lines: true, Group: tensionKeys(), Doc: "Where credible sources disagree."},
			{Name: "unique_contributions", Kind: arg.Groups, Lines: true, Group: contributionKeys(), Doc: "Found here, in no outside source."},
			{Name: "action_goal", Kind: arg.Text},
			{Name: "action_type", Kind: arg.Text, Words: sage.Words("action_type")},
			{Name: "action_deadline", Kind: arg.Text},
			{Name: "action_stakeholders", Kind: arg.List},
			{Name: "key_evidence", Kind: arg.List, Doc: "Facts that support the thesis."},
			{Name: "reasoning_trace", Kind: arg.Text, Doc: "How they led to it."},
			{Name: "trigger", Kind: arg.Text, Words: triggers(), Spellings: unpublished, Otherwise: string(sage.Synthesis)},
			{Name: "template", Kind: arg.Text, Otherwise: "default", Doc: "Or research, decision, code-review, or the user's own."},
			{Name: "skill", Kind: arg.Text, Doc: "Scope, such as privacy."},
			{Name: "project", Kind: arg.Text},
			{Name: "description", Kind: arg.Text, Doc: "One line, for lists."},
			{Name: "domain", Kind: arg.Text},
			{Name: "domain_data", Kind: arg.Free},
			{Name: "fields", Kind: arg.Free, Doc: "Fields of the template; may also be given as arguments."},
			{Name: "auto_code_context", Kind: arg.Flag, Otherwise: true, Doc: "Record commit, branch, and files read and changed."},
			{Name: "code_refs", Kind: arg.Groups, Lines: true, Group: arg.CodeRefKeys(), Doc: "Code that the thesis rests on."},
			{Name: "files_explored", Kind: arg.List},
			{Name: "files_changed", Kind: arg.List},
			{Name: "knowledge_recalled", Kind: arg.List, Doc: "Ids."},
			{Name: "message_count", Kind: arg.Count},
			{Name: "token_estimate", Kind: arg.Count},
			{Name: "line", Kind: arg.Text, Doc: "Line to save on; this session's by default."},
			{Name: "continues", Kind: arg.Text, Doc: revShort},
		},
	}
}

func sourceKeys() []arg.Param {
	return []arg.Param{
		{Name: "id", Kind: arg.Text},
		{Name: "type", Kind: arg.Text, Words: sage.Words("sources.type")},
		{Name: "identifier", Kind: arg.Text, Doc: "Name, URL, path."},
		{Name: "credibility", Kind: arg.Text},
		{Name: "take", Kind: arg.Text, Doc: "What it means for the decision."},
		{Name: "core_take", Kind: arg.Text, Hidden: true},
		{Name: "relation", Kind: arg.Text, Words: sage.Words("sources.relation")},
	}
}

func tensionKeys() []arg.Param {
	return []arg.Param{
		{Name: "between", Kind: arg.List, Doc: "Source ids."},
		{Name: "sources", Kind: arg.List, Hidden: true},
		{Name: "nature", Kind: arg.Text},
		{Name: "resolution", Kind: arg.Text, Words: sage.Words("tensions.resolution")},
	}
}

func contributionKeys() []arg.Param {
	return []arg.Param{
		{Name: "type", Kind: arg.Text, Words: sage.Words("unique_contributions.type")},
		{Name: "content", Kind: arg.Text},
	}
}

// triggers are the words of the schema, and behind them those that hooks give, and
// other spellings of some: unpublished of them are understood and not shown.
func triggers() []string {
	ofHooks := []string{string(sage.PreCompact), string(sage.SessionEnd), string(sage.Recovery)}
	words := slices.DeleteFunc(sage.Words("trigger"), func(w string) bool { return slices.Contains(ofHooks, w) })
	return append(append(words, ofHooks...), "constraint", "transition", "token_threshold")
}

const unpublished = 6 // of triggers

func AutosaveTool() tool.Tool {
	return tool.Tool{
		Name: "sage_autosave_check", Writes: true, Run: runAutosave,
		Doc: "Save unasked, unless it is too early or nothing is new.",
		Params: []arg.Param{
			{Name: "trigger_event", Kind: arg.Text, Words: triggers(), Required: true, Bare: true},
			{Name: "core_question", Kind: arg.Text, Required: true},
			{Name: "current_thesis", Kind: arg.Text, Required: true},
			{Name: "confidence", Kind: arg.Share, Required: true, Bare: true},
			{Name: "open_questions", Kind: arg.List},
			{Name: "sources", Kind: arg.Groups, Lines: true, Group: sourceKeys(), Bare: true},
			{Name: "tensions", Kind: arg.Groups, Lines: true, Group: tensionKeys(), Bare: true},
			{Name: "unique_contributions", Kind: arg.Groups, Lines: true, Group: contributionKeys(), Bare: true},
			{Name: "key_evidence", Kind: arg.List},
			{Name: "reasoning_trace", Kind: arg.Text},
			{Name: "message_count", Kind: arg.Count},
			{Name: "token_estimate", Kind: arg.Count},
		},
	}
}

func LoadTool() tool.Tool {
	return tool.Tool{
		Name: "sage_load_checkpoint", Writes: true, Idempotent: true, Run: Load,
		Doc: "Load a checkpoint; the next save continues it. Loading the newest of a line moves this session to that line; after an older one, the next save is a fork.",
		Params: []arg.Param{
			{Name: "checkpoint_id", Kind: arg.Text, Required: true, Doc: revDoc},
			{Name: "full", Kind: arg.Flag, Otherwise: false, Doc: "Every field."},
		},
	}
}

func ListTool() tool.Tool {
	return tool.Tool{
		Name: "sage_list_checkpoints", Run: runList,
		Doc: "List checkpoints of this session's line, newest first.",
		Params: []arg.Param{
			{Name: "limit", Kind: arg.Count, Otherwise: 10},
			{Name: "skip", Kind: arg.Count, Otherwise: 0},
			{Name: "skill", Kind: arg.Text},
			{Name: "project", Kind: arg.Text},
			{Name: "line", Kind: arg.Text},
			{Name: "search", Kind: arg.Text, Doc: "Matches description, thesis or question."},
			{Name: "all", Kind: arg.Flag, Otherwise: false, Doc: "Include every line and fork, and old checkpoints."},
		},
	}
}

func SearchTool() tool.Tool {
	return tool.Tool{
		Name: "sage_search_checkpoints", Run: runSearch,
		Doc: "Search checkpoints by meaning, this line first.",
		Params: []arg.Param{
			{Name: "query", Kind: arg.Text, Required: true},
			{Name: "limit", Kind: arg.Count, Otherwise: search.DefaultFound},
			{Name: "skill", Kind: arg.Text},
			{Name: "line", Kind: arg.Text},
			{Name: "author", Kind: arg.Text},
			{Name: "since", Kind: arg.Text, Doc: "A date as git reads it."},
			{Name: "trigger", Kind: arg.Text, Words: triggers(), Spellings: unpublished, Bare: true},
			{Name: "confidence", Kind: arg.Share, Bare: true, Doc: "Minimum."},
			{Name: "file", Kind: arg.Text},
			{Name: "all", Kind: arg.Flag, Doc: "Include old checkpoints."},
		},
	}
}

func DiffTool() tool.Tool {
	return tool.Tool{
		Name: "sage_diff", Run: runDiff,
		Doc: "Compare two checkpoints.",
		Params: []arg.Param{
			{Name: "from", Kind: arg.Text, Doc: "Default: the parent of 'to'."},
			{Name: "to", Kind: arg.Text, Otherwise: "@"},
		},
	}
}

func BranchTool() tool.Tool {
	return tool.Tool{
		Name: "sage_branch", Writes: true, Run: runBranch,
		Doc: "Create a line beside this one, to explore another way. Git branches are not touched.",
		Params: []arg.Param{
			{Name: "name", Kind: arg.Text, Required: true},
			{Name: "checkpoint_id", Kind: arg.Text, Doc: "Where the line starts. Default: @."},
			{Name: "switch", Kind: arg.Flag, Otherwise: true, Doc: "Move this session to it."},
		},
	}
}

func MergeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_merge", Writes: true, Run: runMerge,
		Doc: "Merge a fork, line or checkpoint into this session's line. Give a thesis that covers both sides; " +
			"without one, a disagreement stays NEEDS SYNTHESIS until a call with only a thesis settles it.",
		Params: []arg.Param{
			{Name: "checkpoint_id", Kind: arg.Text, Doc: "Default: this line's open forks."},
			{Name: "thesis", Kind: arg.Text},
			{Name: "confidence", Kind: arg.Share, Bare: true},
			{Name: "core_question", Kind: arg.Text},
			{Name: "reasoning_trace", Kind: arg.Text},
			{Name: "key_evidence", Kind: arg.List, Doc: "Additional ones."},
			{Name: "open_questions", Kind: arg.List, Doc: "Additional ones."},
		},
	}
}
