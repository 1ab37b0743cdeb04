package mcp

import (
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/mcp/internal/arg"
)

var itemID = arg.Param{Name: "knowledge_id", Kind: arg.Text, Required: true}

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
		params: []arg.Param{
			{Name: "knowledge_id", Kind: arg.Text, Required: true, Doc: "New name: a-z 0-9 . _ -"},
			{Name: "content", Kind: arg.Text, Required: true, Doc: "Self-contained Markdown."},
			{Name: "keywords", Kind: arg.List, Doc: "Words that recall it on their own, also in the user's language."},
			{Name: "when", Kind: arg.List, Doc: "Two or three short requests that need it, in other words than its own."},
			{Name: "skill", Kind: arg.Text, Doc: "Recall only with this skill."},
			{Name: "source", Kind: arg.Text},
			{Name: "item_type", Kind: arg.Text, Words: typeWords(), Spellings: 1, Otherwise: string(sage.Knowledge), Doc: "A preference applies to the user everywhere."},
			{Name: "patterns", Kind: arg.List, Doc: "RE2."},
			{Name: "always", Kind: arg.Flag, Otherwise: false, Doc: "Recall with every prompt."},
			{Name: "paths", Kind: arg.List, Doc: "Files it is about."},
			{Name: "supersedes", Kind: arg.List, Doc: "Ids of items it replaces."},
			{Name: "replace", Kind: arg.Flag, Otherwise: false, Doc: "Replace an item with this id."},
			{Name: "shared", Kind: arg.Flag, Otherwise: false, Doc: "A preference of everybody on this project."},
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
		params: []arg.Param{{Name: "query", Kind: arg.Text, Required: true, Doc: "Or the id of an item."}, {Name: "skill", Kind: arg.Text}},
	}
}

func listKnowledgeTool() tool {
	return tool{
		name: "sage_list_knowledge", run: runListKnowledge,
		doc: "List valid items.",
		params: []arg.Param{
			{Name: "skill", Kind: arg.Text},
			{Name: "item_type", Kind: arg.Text, Words: typeWords(), Spellings: 1, Bare: true},
			{Name: "status", Kind: arg.Text, Words: append(sage.ItemWords("status"), "all"), Bare: true, Doc: "all includes archived, deprecated and superseded."},
			{Name: "limit", Kind: arg.Count, Otherwise: 50},
			{Name: "skip", Kind: arg.Count, Otherwise: 0},
		},
	}
}

func updateKnowledgeTool() tool {
	return tool{
		name: "sage_update_knowledge", writes: true, destroys: false, idempotent: true, run: runUpdateKnowledge,
		doc: "Change the given fields of an item. Old versions are kept.",
		params: []arg.Param{
			itemID,
			{Name: "content", Kind: arg.Text},
			{Name: "keywords", Kind: arg.List},
			{Name: "when", Kind: arg.List},
			{Name: "patterns", Kind: arg.List},
			{Name: "paths", Kind: arg.List},
			{Name: "skill", Kind: arg.Text},
			{Name: "source", Kind: arg.Text},
			{Name: "always", Kind: arg.Flag},
			{Name: "status", Kind: arg.Text, Words: []string{"active", "pending", "done", "archived"}},
		},
	}
}

func removeKnowledgeTool() tool {
	return tool{
		name: "sage_remove_knowledge", writes: true, destroys: true, run: runRemoveKnowledge,
		doc: "Remove an item that was never right. Archive or deprecate one that no longer holds.", params: []arg.Param{itemID},
	}
}

func linkKnowledgeTool() tool {
	return tool{
		name: "sage_link_knowledge", writes: true, idempotent: true, run: runLinkKnowledge,
		doc: "Link two items. Both show the link.",
		params: []arg.Param{
			{Name: "source_id", Kind: arg.Text, Required: true},
			{Name: "target_id", Kind: arg.Text, Required: true},
			{Name: "relation", Kind: arg.Text, Words: sage.ItemWords("links"), Otherwise: string(sage.Related)},
			{Name: "remove", Kind: arg.Flag, Otherwise: false},
		},
	}
}

func deprecateKnowledgeTool() tool {
	return tool{
		name: "sage_deprecate_knowledge", writes: true, idempotent: true, run: runDeprecateKnowledge,
		doc: "Mark an item as no longer right. It ranks below its replacement.",
		params: []arg.Param{
			itemID,
			{Name: "reason", Kind: arg.Text, Required: true},
			{Name: "replacement_id", Kind: arg.Text},
		},
	}
}

func archiveKnowledgeTool() tool {
	return tool{
		name: "sage_archive_knowledge", writes: true, idempotent: true, run: runArchiveKnowledge,
		doc: "Keep an item but stop recalling it.", params: []arg.Param{itemID},
	}
}

func listTodosTool() tool {
	return tool{
		name: "sage_list_todos", run: runListTodos, doc: "List todos, pending and done.",
		params: []arg.Param{{Name: "status", Kind: arg.Text, Words: []string{"pending", "done"}}},
	}
}

func todoDoneTool() tool {
	return tool{
		name: "sage_mark_todo_done", writes: true, idempotent: true, run: runTodoDone, doc: "Mark a todo done.",
		params: []arg.Param{{Name: "todo_id", Kind: arg.Text, Required: true}},
	}
}

func pendingTodosTool() tool {
	return tool{name: "sage_get_pending_todos", run: runPendingTodos, doc: "Show pending todos in full."}
}

func recordFailureTool() tool {
	return tool{
		name: "sage_record_failure", writes: true, run: runRecordFailure,
		doc: "Record what did not work, so that nobody tries it again.",
		params: []arg.Param{
			{Name: "failure_id", Kind: arg.Text, Required: true},
			{Name: "approach", Kind: arg.Text, Required: true},
			{Name: "why_failed", Kind: arg.Text, Required: true},
			{Name: "learned", Kind: arg.Text, Required: true},
			{Name: "keywords", Kind: arg.List},
			{Name: "related_to", Kind: arg.List, Doc: "Ids of items."},
			{Name: "skill", Kind: arg.Text},
		},
	}
}

func listFailuresTool() tool {
	return tool{
		name: "sage_list_failures", run: runListFailures, doc: "List failures, newest first.",
		params: []arg.Param{{Name: "skill", Kind: arg.Text}, {Name: "limit", Kind: arg.Count, Otherwise: 10}},
	}
}
