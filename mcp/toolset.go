package mcp

import (
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// tools are all there are, in the order in which they are listed. Names, and
// names and defaults of arguments, are those that the tool before us had. They
// are made when they are needed: most starts of the program do not.
var tools = sync.OnceValue(func() []tool {
	return []tool{
		saveTool(), loadTool(), listTool(), diffTool(), branchTool(), mergeTool(),
		{
			name: "sage_version", title: "Version of git-sage",
			doc:        "Which version of git-sage answers.",
			idempotent: true, run: runVersion,
		},
		{
			name: "sage_health", title: "Where the memory stands",
			doc: "Where this session stands: repository, line, last checkpoint, forks and merges that wait, " +
				"and what to do next. Call it when something seems off.",
			idempotent: true, run: runHealth,
		},
	}
})

const revDoc = "An id or its first digits, a line, a fork, a tag, @ for what your next save continues, @~1 for the one before it."

func saveTool() tool {
	return tool{
		name: "sage_save_checkpoint", title: "Save a checkpoint", writes: true, run: runSave,
		doc: "Save where the research stands as a checkpoint: the question, the answer held now, why, and what is open. " +
			"Call it at a conclusion, a branch point, a constraint that changes things, when the user agrees, and when asked to remember. " +
			"Each save is the whole thought, not what is new: give again the evidence, sources and questions that still hold. " +
			"It continues what this session last saved or loaded. Never put secrets in.",
		params: []param{
			{name: "core_question", kind: textArg, required: true, doc: "The decision or action that the research drives toward."},
			{name: "thesis", kind: textArg, required: true, doc: "The position held now, in one or two sentences."},
			{name: "confidence", kind: shareArg, required: true, doc: "In the thesis, 0 to 1. 0.3 is a working hypothesis."},
			{name: "open_questions", kind: listArg, doc: "What is still unknown; at most five that matter."},
			{name: "sources", kind: groupsArg, whole: "take", group: sourceKeys(), doc: "Who says what, compressed to what matters for the decision."},
			{name: "tensions", kind: groupsArg, whole: "nature", group: tensionKeys(), doc: "Where credible sources disagree. Always keep these."},
			{name: "unique_contributions", kind: groupsArg, whole: "content", group: contributionKeys(), doc: "What was found here and stands in no outside source."},
			{name: "action_goal", kind: textArg, doc: "What is being done with this."},
			{name: "action_type", kind: textArg, words: sage.Words("action_type")},
			{name: "action_deadline", kind: textArg, doc: "A date or time, as the user put it."},
			{name: "action_stakeholders", kind: listArg},
			{name: "key_evidence", kind: listArg, doc: "Concrete facts that carry the thesis."},
			{name: "reasoning_trace", kind: textArg, doc: "How the evidence led to the thesis, as prose."},
			{name: "trigger", kind: textArg, words: triggers(), otherwise: string(sage.Synthesis), doc: "Why it is saved now."},
			{name: "template", kind: textArg, otherwise: "default", doc: "default, research, decision, code-review or one of the user's; it says which fields are required and how it is shown."},
			{name: "skill", kind: textArg, doc: "The scope it belongs to, such as privacy."},
			{name: "project", kind: textArg, doc: "The repository's name if not given."},
			{name: "description", kind: textArg, doc: "One line for lists, at most 72 characters; taken from the thesis if not given."},
			{name: "domain", kind: textArg, doc: "general, competitive_intel, technical, literature or another word."},
			{name: "domain_data", kind: freeArg, doc: "Fields of the domain. technical: problem{symptoms, reproduction, constraints}, hypotheses[{hypothesis, status untested|confirmed|rejected, evidence}], ruled_out, solution_space[{approach, tradeoffs, viability}]."},
			{name: "fields", kind: freeArg, doc: "Fields that the template adds, by name."},
			{name: "auto_code_context", kind: flagArg, otherwise: true, doc: "Record where the code stands: its commit and branch, and whether files were changed since."},
			{name: "code_refs", kind: groupsArg, whole: "file", group: codeRefKeys(), doc: "The code that the conclusion rests on."},
			{name: "files_explored", kind: listArg, doc: "Paths that were read, from the repository's root."},
			{name: "files_changed", kind: listArg, doc: "Paths that were changed, from the repository's root."},
			{name: "knowledge_recalled", kind: listArg, doc: "Ids of knowledge items that were at hand."},
			{name: "message_count", kind: countArg, doc: "Turns of the conversation so far."},
			{name: "token_estimate", kind: countArg, doc: "Tokens of the conversation so far."},
			{name: "line", kind: textArg, doc: "Line to save on, if not the one where this session is."},
			{name: "continues", kind: textArg, doc: "Checkpoint to continue, if not what this session last saved or loaded. " + revDoc},
		},
	}
}

func sourceKeys() []param {
	return []param{
		{name: "id", kind: textArg, doc: "Short name, to refer to it in tensions."},
		{name: "type", kind: textArg, words: sage.Words("sources.type")},
		{name: "identifier", kind: textArg, doc: "Name, URL, path or handle."},
		{name: "credibility", kind: textArg, doc: "Why to trust it."},
		{name: "take", kind: textArg, doc: "What it says, as far as it matters here."},
		{name: "core_take", kind: textArg, doc: "Another name for take."},
		{name: "relation", kind: textArg, words: sage.Words("sources.relation"), doc: "To the thesis."},
	}
}

func tensionKeys() []param {
	return []param{
		{name: "between", kind: listArg, doc: "Ids of the sources that disagree."},
		{name: "sources", kind: listArg, doc: "Another name for between."},
		{name: "nature", kind: textArg, doc: "What they disagree on."},
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
		{name: "file", kind: textArg, required: true, doc: "Path from the repository's root."},
		{name: "lines", kind: textArg, doc: "Such as 10-20."},
		{name: "symbol", kind: textArg},
		{name: "snippet", kind: textArg},
		{name: "relevance", kind: textArg, words: sage.Words("code_refs.relevance")},
	}
}

// triggers are the words of the schema, and other spellings of some.
func triggers() []string {
	return append(sage.Words("trigger"), "constraint", "transition", "token_threshold")
}

func loadTool() tool {
	return tool{
		name: "sage_load_checkpoint", title: "Load a checkpoint", writes: true, idempotent: true, run: runLoad,
		doc: "Bring a checkpoint back into context, and continue it with the next save. " +
			"Loading the newest one of a line moves this session onto that line; loading an older one makes the next save a fork beside the line.",
		params: []param{
			{name: "checkpoint_id", kind: textArg, required: true, doc: revDoc},
			{name: "full", kind: flagArg, otherwise: false, doc: "Every field, not only those that matter for going on."},
		},
	}
}

func listTool() tool {
	return tool{
		name: "sage_list_checkpoints", title: "List checkpoints", idempotent: true, run: runList,
		doc: "List checkpoints of this session's line, newest first: id, age, confidence, where it stands, description.",
		params: []param{
			{name: "limit", kind: countArg, otherwise: 10, doc: "At most so many, up to 200."},
			{name: "skip", kind: countArg, otherwise: 0, doc: "Leave out so many first."},
			{name: "skill", kind: textArg, doc: "Only those of this skill."},
			{name: "project", kind: textArg, doc: "Only those of this project."},
			{name: "line", kind: textArg, doc: "Of this line instead."},
			{name: "search", kind: textArg, doc: "Only those with this text in description, thesis or question, in any case."},
			{name: "all", kind: flagArg, otherwise: false, doc: "Of every line and fork, and old ones too."},
		},
	}
}

func diffTool() tool {
	return tool{
		name: "sage_diff", title: "Compare checkpoints", idempotent: true, run: runDiff,
		doc: "Say how two checkpoints differ in what they hold: thesis and confidence, evidence, sources, tensions, questions.",
		params: []param{
			{name: "from", kind: textArg, doc: "The older one; the parent of 'to' if not given, each parent if that is a merge. " + revDoc},
			{name: "to", kind: textArg, otherwise: "@", doc: "The newer one. " + revDoc},
		},
	}
}

func branchTool() tool {
	return tool{
		name: "sage_branch", title: "Begin a line of thought", writes: true, run: runBranch,
		doc: "Begin a line of its own, to explore another way without losing this one, and move this session onto it. " +
			"Git's own branches are left alone. To go back, load the old line's name with sage_load_checkpoint.",
		params: []param{
			{name: "name", kind: textArg, required: true, doc: "Of the new line: lower-case letters, digits, '.', '_', '-'."},
			{name: "checkpoint_id", kind: textArg, doc: "Where it begins; what this session last saved or loaded if not given. " + revDoc},
			{name: "switch", kind: flagArg, otherwise: true, doc: "Move this session onto it."},
		},
	}
}

func mergeTool() tool {
	return tool{
		name: "sage_merge", title: "Merge lines of thought", writes: true, run: runMerge,
		doc: "Bring a fork, line or checkpoint into this session's line, by meaning: lists are united, what one side removed stays removed, and a list that a side left out altogether is kept. " +
			"Give the thesis that does justice to both sides; without one, and where the sides disagree, the merge is recorded as NEEDS SYNTHESIS. " +
			"With only a thesis it settles such a merge. Nothing is lost: both sides stay in the history.",
		params: []param{
			{name: "checkpoint_id", kind: textArg, doc: "What to bring in; the open forks of this line if not given. " + revDoc},
			{name: "thesis", kind: textArg, doc: "The synthesis of both sides."},
			{name: "confidence", kind: shareArg, doc: "In the synthesis, 0 to 1."},
			{name: "core_question", kind: textArg, doc: "If it is put in another way now."},
			{name: "reasoning_trace", kind: textArg, doc: "Why the synthesis holds."},
			{name: "key_evidence", kind: listArg, doc: "Further facts that carry it."},
			{name: "open_questions", kind: listArg, doc: "Further questions that it raises."},
		},
	}
}
