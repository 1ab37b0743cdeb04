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
		doc: "Save a lasting fact, to be recalled when a prompt fits it. One fact per item. No secrets.",
		params: []param{
			{name: "knowledge_id", kind: textArg, required: true, doc: "New name: a-z 0-9 . _ -"},
			{name: "content", kind: textArg, required: true, doc: "Self-contained Markdown."},
			{name: "keywords", kind: listArg, doc: "Words that recall it on their own, also in the user's language."},
			{name: "when", kind: listArg, doc: "Two or three short requests that need it, in other words than its own."},
			{name: "skill", kind: textArg, doc: "Recall only with this skill."},
			{name: "source", kind: textArg},
			{name: "item_type", kind: textArg, words: typeWords(), spellings: 1, otherwise: string(sage.Knowledge), doc: "A preference applies to the user everywhere."},
			{name: "patterns", kind: listArg, doc: "RE2."},
			{name: "always", kind: flagArg, otherwise: false, doc: "Recall with every prompt."},
			{name: "paths", kind: listArg, doc: "Files it is about."},
			{name: "supersedes", kind: listArg, doc: "Ids of items it replaces."},
			{name: "replace", kind: flagArg, otherwise: false, doc: "Replace an item with this id."},
			{name: "shared", kind: flagArg, otherwise: false, doc: "A preference of everybody on this project."},
		},
	}
}

// typeWords are the types of items, and last the word that people have for the first. A
// failure has fields of its own, and may be given as text all the same.
func typeWords() []string { return append(sage.ItemWords("type"), sage.Knowledge.Kind()) }

func recallKnowledgeTool() tool {
	return tool{
		name: "sage_recall_knowledge", run: runRecallKnowledge,
		doc:    "Recall knowledge that fits a question, and what checkpoints say about it.",
		params: []param{{name: "query", kind: textArg, required: true, doc: "Or the id of an item."}, {name: "skill", kind: textArg}},
	}
}

func listKnowledgeTool() tool {
	return tool{
		name: "sage_list_knowledge", run: runListKnowledge,
		doc: "List valid items.",
		params: []param{
			{name: "skill", kind: textArg},
			{name: "item_type", kind: textArg, words: typeWords(), spellings: 1, bare: true},
			{name: "status", kind: textArg, words: append(sage.ItemWords("status"), "all"), bare: true, doc: "all includes archived, deprecated and superseded."},
			{name: "limit", kind: countArg, otherwise: 50},
			{name: "skip", kind: countArg, otherwise: 0},
		},
	}
}

func updateKnowledgeTool() tool {
	return tool{
		name: "sage_update_knowledge", writes: true, destroys: false, idempotent: true, run: runUpdateKnowledge,
		doc: "Change the given fields of an item. Old versions are kept.",
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
		doc: "Remove an item that was never right. Archive or deprecate one that no longer holds.", params: []param{itemID},
	}
}

func linkKnowledgeTool() tool {
	return tool{
		name: "sage_link_knowledge", writes: true, idempotent: true, run: runLinkKnowledge,
		doc: "Link two items. Both show the link.",
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
		doc: "Mark an item as no longer right. It ranks below its replacement.",
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
		doc: "Keep an item but stop recalling it.", params: []param{itemID},
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
	return tool{name: "sage_get_pending_todos", run: runPendingTodos, doc: "Show pending todos in full."}
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
		name: "sage_list_failures", run: runListFailures, doc: "List failures, newest first.",
		params: []param{{name: "skill", kind: textArg}, {name: "limit", kind: countArg, otherwise: 10}},
	}
}
