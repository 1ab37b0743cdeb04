package mcp

import (
	"slices"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
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
		params: []param{
			{name: "core_question", kind: textArg, required: true, doc: "The decision it leads to."},
			{name: "thesis", kind: textArg, required: true, doc: "The current position."},
			{name: "confidence", kind: shareArg, required: true},
			{name: "open_questions", kind: listArg},
			{name: "sources", kind: groupsArg, lines: true, group: sourceKeys()},
			{name: "tensions", kind: groupsArg, lines: true, group: tensionKeys(), doc: "Where credible sources disagree."},
			{name: "unique_contributions", kind: groupsArg, lines: true, group: contributionKeys(), doc: "Found here, in no outside source."},
			{name: "action_goal", kind: textArg},
			{name: "action_type", kind: textArg, words: sage.Words("action_type")},
			{name: "action_deadline", kind: textArg},
			{name: "action_stakeholders", kind: listArg},
			{name: "key_evidence", kind: listArg, doc: "Facts that support the thesis."},
			{name: "reasoning_trace", kind: textArg, doc: "How they led to it."},
			{name: "trigger", kind: textArg, words: triggers(), spellings: unpublished, otherwise: string(sage.Synthesis)},
			{name: "template", kind: textArg, otherwise: "default", doc: "Or research, decision, code-review, or the user's own."},
			{name: "skill", kind: textArg, doc: "Scope, such as privacy."},
			{name: "project", kind: textArg},
			{name: "description", kind: textArg, doc: "One line, for lists."},
			{name: "domain", kind: textArg},
			{name: "domain_data", kind: freeArg},
			{name: "fields", kind: freeArg, doc: "Fields of the template; may also be given as arguments."},
			{name: "auto_code_context", kind: flagArg, otherwise: true, doc: "Record commit, branch, and files read and changed."},
			{name: "code_refs", kind: groupsArg, lines: true, group: codeRefKeys(), doc: "Code that the thesis rests on."},
			{name: "files_explored", kind: listArg},
			{name: "files_changed", kind: listArg},
			{name: "knowledge_recalled", kind: listArg, doc: "Ids."},
			{name: "message_count", kind: countArg},
			{name: "token_estimate", kind: countArg},
			{name: "line", kind: textArg, doc: "Line to save on; this session's by default."},
			{name: "continues", kind: textArg, doc: revShort},
		},
	}
}

func sourceKeys() []param {
	return []param{
		{name: "id", kind: textArg},
		{name: "type", kind: textArg, words: sage.Words("sources.type")},
		{name: "identifier", kind: textArg, doc: "Name, URL, path."},
		{name: "credibility", kind: textArg},
		{name: "take", kind: textArg, doc: "What it means for the decision."},
		{name: "core_take", kind: textArg, hidden: true},
		{name: "relation", kind: textArg, words: sage.Words("sources.relation")},
	}
}

func tensionKeys() []param {
	return []param{
		{name: "between", kind: listArg, doc: "Source ids."},
		{name: "sources", kind: listArg, hidden: true},
		{name: "nature", kind: textArg},
		{name: "resolution", kind: textArg, words: sage.Words("tensions.resolution")},
	}
}

func contributionKeys() []param {
	return []param{
		{name: "type", kind: textArg, words: sage.Words("unique_contributions.type")},
		{name: "content", kind: textArg},
	}
}

func codeRefKeys() []param {
	return []param{
		{name: "file", kind: textArg, required: true},
		{name: "lines", kind: linesArg, doc: "10-20"},
		{name: "symbol", kind: textArg},
		{name: "snippet", kind: textArg},
		{name: "relevance", kind: textArg, words: sage.Words("code_refs.relevance")},
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
		params: []param{
			{name: "trigger_event", kind: textArg, words: triggers(), required: true, bare: true},
			{name: "core_question", kind: textArg, required: true},
			{name: "current_thesis", kind: textArg, required: true},
			{name: "confidence", kind: shareArg, required: true, bare: true},
			{name: "open_questions", kind: listArg},
			{name: "sources", kind: groupsArg, lines: true, group: sourceKeys(), bare: true},
			{name: "tensions", kind: groupsArg, lines: true, group: tensionKeys(), bare: true},
			{name: "unique_contributions", kind: groupsArg, lines: true, group: contributionKeys(), bare: true},
			{name: "key_evidence", kind: listArg},
			{name: "reasoning_trace", kind: textArg},
			{name: "message_count", kind: countArg},
			{name: "token_estimate", kind: countArg},
		},
	}
}

func loadTool() tool {
	return tool{
		name: "sage_load_checkpoint", writes: true, idempotent: true, run: runLoad,
		doc: "Load a checkpoint; the next save continues it. Loading the newest of a line moves this session to that line; after an older one, the next save is a fork.",
		params: []param{
			{name: "checkpoint_id", kind: textArg, required: true, doc: revDoc},
			{name: "full", kind: flagArg, otherwise: false, doc: "Every field."},
		},
	}
}

func listTool() tool {
	return tool{
		name: "sage_list_checkpoints", run: runList,
		doc: "List checkpoints of this session's line, newest first.",
		params: []param{
			{name: "limit", kind: countArg, otherwise: 10},
			{name: "skip", kind: countArg, otherwise: 0},
			{name: "skill", kind: textArg},
			{name: "project", kind: textArg},
			{name: "line", kind: textArg},
			{name: "search", kind: textArg, doc: "Matches description, thesis or question."},
			{name: "all", kind: flagArg, otherwise: false, doc: "Include every line and fork, and old checkpoints."},
		},
	}
}

func searchTool() tool {
	return tool{
		name: "sage_search_checkpoints", run: runSearch,
		doc: "Search checkpoints by meaning, this line first.",
		params: []param{
			{name: "query", kind: textArg, required: true},
			{name: "limit", kind: countArg, otherwise: search.DefaultFound},
			{name: "skill", kind: textArg},
			{name: "line", kind: textArg},
			{name: "author", kind: textArg},
			{name: "since", kind: textArg, doc: "A date as git reads it."},
			{name: "trigger", kind: textArg, words: triggers(), spellings: unpublished, bare: true},
			{name: "confidence", kind: shareArg, bare: true, doc: "Minimum."},
			{name: "file", kind: textArg},
			{name: "all", kind: flagArg, doc: "Include old checkpoints."},
		},
	}
}

func diffTool() tool {
	return tool{
		name: "sage_diff", run: runDiff,
		doc: "Compare two checkpoints.",
		params: []param{
			{name: "from", kind: textArg, doc: "Default: the parent of 'to'."},
			{name: "to", kind: textArg, otherwise: "@"},
		},
	}
}

func branchTool() tool {
	return tool{
		name: "sage_branch", writes: true, run: runBranch,
		doc: "Create a line beside this one, to explore another way. Git branches are not touched.",
		params: []param{
			{name: "name", kind: textArg, required: true},
			{name: "checkpoint_id", kind: textArg, doc: "Where the line starts. Default: @."},
			{name: "switch", kind: flagArg, otherwise: true, doc: "Move this session to it."},
		},
	}
}

func mergeTool() tool {
	return tool{
		name: "sage_merge", writes: true, run: runMerge,
		doc: "Merge a fork, line or checkpoint into this session's line. Give a thesis that covers both sides; " +
			"without one, a disagreement stays NEEDS SYNTHESIS until a call with only a thesis settles it.",
		params: []param{
			{name: "checkpoint_id", kind: textArg, doc: "Default: this line's open forks."},
			{name: "thesis", kind: textArg},
			{name: "confidence", kind: shareArg, bare: true},
			{name: "core_question", kind: textArg},
			{name: "reasoning_trace", kind: textArg},
			{name: "key_evidence", kind: listArg, doc: "Additional ones."},
			{name: "open_questions", kind: listArg, doc: "Additional ones."},
		},
	}
}
