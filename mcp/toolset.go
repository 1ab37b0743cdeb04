package mcp

import (
	"slices"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/recall/search"
)

// tools are all there are, in the order in which they are listed. Names, and
// names and defaults of arguments, are those that the tool before us had. They
// are made when they are needed: most starts of the program do not.
var tools = sync.OnceValue(func() []tool {
	all := in(moduleCore, saveTool(), loadTool(), listTool(), searchTool(), autosaveTool(), diffTool(), branchTool(), mergeTool(), versionTool(), healthTool())
	all = append(all, in(moduleKnowledge, knowledgeTools()...)...)
	all = append(all, in(moduleCode, coreFileTools()...)...)
	return append(all, in(moduleExtras, continuityTool(), debugTool(), getConfigTool(), setConfigTool(), reloadConfigTool())...)
})

// Where a checkpoint is wanted. The save tool says at length what may stand there.
const (
	revDoc   = "Id, line, fork or tag; @ is the checkpoint that the next save continues, @~1 its parent."
	revShort = "As in sage_load_checkpoint."
)

func versionTool() tool {
	return tool{name: "sage_version", run: runVersion, doc: "Show the version of git-sage."}
}

func healthTool() tool {
	return tool{
		name: "sage_health", run: runHealth,
		doc: "Report status, pending merges and the next step.",
	}
}

func saveTool() tool {
	return tool{
		name: "sage_save_checkpoint", writes: true, templated: true, run: runSave,
		doc: "Save where the research stands. Each checkpoint is complete: repeat what still holds. No secrets.",
		params: []arg.Param{
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
			{Name: "code_refs", Kind: arg.Groups, Lines: true, Group: codeRefKeys(), Doc: "Code that the thesis rests on."},
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

func codeRefKeys() []arg.Param {
	return []arg.Param{
		{Name: "file", Kind: arg.Text, Required: true},
		{Name: "lines", Kind: arg.Lines, Doc: "10-20"},
		{Name: "symbol", Kind: arg.Text},
		{Name: "snippet", Kind: arg.Text},
		{Name: "relevance", Kind: arg.Text, Words: sage.Words("code_refs.relevance")},
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

func autosaveTool() tool {
	return tool{
		name: "sage_autosave_check", writes: true, run: runAutosave,
		doc: "Save unasked, unless it is too early or nothing is new.",
		params: []arg.Param{
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

func loadTool() tool {
	return tool{
		name: "sage_load_checkpoint", writes: true, idempotent: true, run: runLoad,
		doc: "Load a checkpoint; the next save continues it. Loading the newest of a line moves this session to that line; after an older one, the next save is a fork.",
		params: []arg.Param{
			{Name: "checkpoint_id", Kind: arg.Text, Required: true, Doc: revDoc},
			{Name: "full", Kind: arg.Flag, Otherwise: false, Doc: "Every field."},
		},
	}
}

func listTool() tool {
	return tool{
		name: "sage_list_checkpoints", run: runList,
		doc: "List checkpoints of this session's line, newest first.",
		params: []arg.Param{
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

func searchTool() tool {
	return tool{
		name: "sage_search_checkpoints", run: runSearch,
		doc: "Search checkpoints by meaning, this line first.",
		params: []arg.Param{
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

func diffTool() tool {
	return tool{
		name: "sage_diff", run: runDiff,
		doc: "Compare two checkpoints.",
		params: []arg.Param{
			{Name: "from", Kind: arg.Text, Doc: "Default: the parent of 'to'."},
			{Name: "to", Kind: arg.Text, Otherwise: "@"},
		},
	}
}

func branchTool() tool {
	return tool{
		name: "sage_branch", writes: true, run: runBranch,
		doc: "Create a line beside this one, to explore another way. Git branches are not touched.",
		params: []arg.Param{
			{Name: "name", Kind: arg.Text, Required: true},
			{Name: "checkpoint_id", Kind: arg.Text, Doc: "Where the line starts. Default: @."},
			{Name: "switch", Kind: arg.Flag, Otherwise: true, Doc: "Move this session to it."},
		},
	}
}

func mergeTool() tool {
	return tool{
		name: "sage_merge", writes: true, run: runMerge,
		doc: "Merge a fork, line or checkpoint into this session's line. Give a thesis that covers both sides; " +
			"without one, a disagreement stays NEEDS SYNTHESIS until a call with only a thesis settles it.",
		params: []arg.Param{
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
