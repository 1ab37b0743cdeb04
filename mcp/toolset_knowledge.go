package mcp

import "github.com/git-sage/git-sage/gitstore/sage"

var itemID = param{name: "knowledge_id", kind: textArg, required: true}

func knowledgeTools() []tool {
	return []tool{
		saveKnowledgeTool(), recallKnowledgeTool(), listKnowledgeTool(), updateKnowledgeTool(), removeKnowledgeTool(), linkKnowledgeTool(),
		deprecateKnowledgeTool(), archiveKnowledgeTool(), listTodosTool(), todoDoneTool(), pendingTodosTool(), recordFailureTool(), listFailuresTool(),
	}
}

func saveKnowledgeTool() tool {
	return tool{
		name: "sage_save_knowledge", writes: true, run: runSaveKnowledge,
		doc: "Keep a durable fact, to be recalled when a prompt fits it. One fact an item. No secrets.",
		params: []param{
			{name: "knowledge_id", kind: textArg, required: true, doc: "New name: a-z 0-9 . _ -"},
			{name: "content", kind: textArg, required: true, doc: "Markdown that stands by itself."},
			{name: "keywords", kind: listArg, doc: "Words that recall it by themselves, in the person's language too."},
			{name: "when", kind: listArg, doc: "Two or three short requests that want it, in other words than its own."},
			{name: "skill", kind: textArg, doc: "Recall only with this skill."},
			{name: "source", kind: textArg},
			{name: "item_type", kind: textArg, words: typeWords(), spellings: 1, otherwise: string(sage.Knowledge), doc: "A preference is the user's everywhere."},
			{name: "patterns", kind: listArg, doc: "RE2."},
			{name: "always", kind: flagArg, otherwise: false, doc: "Recall with every prompt."},
			{name: "paths", kind: listArg, doc: "Files it is about."},
			{name: "supersedes", kind: listArg, doc: "Ids that it replaces."},
			{name: "replace", kind: flagArg, otherwise: false, doc: "If the id is taken."},
			{name: "shared", kind: flagArg, otherwise: false, doc: "A preference of all who work here."},
		},
	}
}

// typeWords are the types of items, and last the word that people have for the first. A
// failure has fields of its own, and may be given as text all the same.
func typeWords() []string { return append(sage.ItemWords("type"), sage.Knowledge.Kind()) }

func recallKnowledgeTool() tool {
	return tool{
		name: "sage_recall_knowledge", run: runRecallKnowledge,
		doc:    "Knowledge that fits a question, and what checkpoints say of it.",
		params: []param{{name: "query", kind: textArg, required: true, doc: "Or the id of an item."}, {name: "skill", kind: textArg}},
	}
}

func listKnowledgeTool() tool {
	return tool{
		name: "sage_list_knowledge", run: runListKnowledge,
		doc: "List items that hold.",
		params: []param{
			{name: "skill", kind: textArg},
			{name: "item_type", kind: textArg, words: typeWords(), spellings: 1, bare: true},
			{name: "status", kind: textArg, words: append(sage.ItemWords("status"), "all"), bare: true, doc: "all: also archived, deprecated, superseded."},
			{name: "limit", kind: countArg, otherwise: 50},
			{name: "skip", kind: countArg, otherwise: 0},
		},
	}
}

func updateKnowledgeTool() tool {
	return tool{
		name: "sage_update_knowledge", writes: true, destroys: false, idempotent: true, run: runUpdateKnowledge,
		doc: "Change what is given; the rest stays, old versions too.",
		params: []param{
			itemID,
			{name: "content", kind: textArg},
			{name: "keywords", kind: listArg},
			{name: "when", kind: listArg},
			{name: "patterns", kind: listArg},
			{name: "paths", kind: listArg},
			{name: "skill", kind: textArg},
			{name: "source", kind: textArg},
			{name: "always", kind: flagArg},
			{name: "status", kind: textArg, words: []string{"active", "pending", "done", "archived"}},
		},
	}
}

func removeKnowledgeTool() tool {
	return tool{
		name: "sage_remove_knowledge", writes: true, destroys: true, run: runRemoveKnowledge,
		doc: "Remove an item that was never right; archive or deprecate what no longer holds.", params: []param{itemID},
	}
}

func linkKnowledgeTool() tool {
	return tool{
		name: "sage_link_knowledge", writes: true, idempotent: true, run: runLinkKnowledge,
		doc: "Link two items; both show it.",
		params: []param{
			{name: "source_id", kind: textArg, required: true},
			{name: "target_id", kind: textArg, required: true},
			{name: "relation", kind: textArg, words: sage.ItemWords("links"), otherwise: string(sage.Related)},
			{name: "remove", kind: flagArg, otherwise: false},
		},
	}
}

func deprecateKnowledgeTool() tool {
	return tool{
		name: "sage_deprecate_knowledge", writes: true, idempotent: true, run: runDeprecateKnowledge,
		doc: "Mark an item as no longer right; it ranks below what replaces it.",
		params: []param{
			itemID,
			{name: "reason", kind: textArg, required: true},
			{name: "replacement_id", kind: textArg},
		},
	}
}

func archiveKnowledgeTool() tool {
	return tool{
		name: "sage_archive_knowledge", writes: true, idempotent: true, run: runArchiveKnowledge,
		doc: "Keep an item, and recall it no more.", params: []param{itemID},
	}
}

func listTodosTool() tool {
	return tool{
		name: "sage_list_todos", run: runListTodos, doc: "List todos, pending and done.",
		params: []param{{name: "status", kind: textArg, words: []string{"pending", "done"}}},
	}
}

func todoDoneTool() tool {
	return tool{
		name: "sage_mark_todo_done", writes: true, idempotent: true, run: runTodoDone, doc: "Mark a todo done.",
		params: []param{{name: "todo_id", kind: textArg, required: true}},
	}
}

func pendingTodosTool() tool {
	return tool{name: "sage_get_pending_todos", run: runPendingTodos, doc: "Pending todos in full."}
}

func recordFailureTool() tool {
	return tool{
		name: "sage_record_failure", writes: true, run: runRecordFailure,
		doc: "Record what did not work, so that nobody tries it again.",
		params: []param{
			{name: "failure_id", kind: textArg, required: true},
			{name: "approach", kind: textArg, required: true},
			{name: "why_failed", kind: textArg, required: true},
			{name: "learned", kind: textArg, required: true},
			{name: "keywords", kind: listArg},
			{name: "related_to", kind: listArg, doc: "Ids of items."},
			{name: "skill", kind: textArg},
		},
	}
}

func listFailuresTool() tool {
	return tool{
		name: "sage_list_failures", run: runListFailures, doc: "What did not work, newest first.",
		params: []param{{name: "skill", kind: textArg}, {name: "limit", kind: countArg, otherwise: 10}},
	}
}
