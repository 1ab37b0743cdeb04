// Package knowledge has the tools for items of knowledge.
package knowledge

import (
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/tool"
)

var itemID = arg.Param{Name: "knowledge_id", Kind: arg.Text, Required: true}

// Tools are all of them, in the order in which they are listed.
func Tools() []tool.Tool {
	return []tool.Tool{
		saveKnowledgeTool(), recallKnowledgeTool(), listKnowledgeTool(), updateKnowledgeTool(), removeKnowledgeTool(), linkKnowledgeTool(),
		deprecateKnowledgeTool(), archiveKnowledgeTool(), listTodosTool(), todoDoneTool(), pendingTodosTool(), recordFailureTool(), listFailuresTool(),
	}
}

func saveKnowledgeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_save_knowledge", Writes: true, Run: runSaveKnowledge,
		Doc: "Save one lasting fact, recalled when a prompt fits it. No secrets.",
		Params: []arg.Param{
			{Name: "knowledge_id", Kind: arg.Text, Required: true, Doc: "New name: a-z 0-9 . _ -"},
			{Name: "content", Kind: arg.Text, Required: true, Doc: "Self-contained Markdown."},
			{Name: "keywords", Kind: arg.List, Doc: "Words that recall it, also in the user's language."},
			{Name: "when", Kind: arg.List, Doc: "Short requests that need it, in other words."},
			{Name: "skill", Kind: arg.Text, Doc: "Recall only with this skill."},
			{Name: "source", Kind: arg.Text},
			{Name: "item_type", Kind: arg.Text, Words: typeWords(), Spellings: 1, Otherwise: string(sage.Knowledge), Doc: "A preference applies to the user everywhere."},
			{Name: "patterns", Kind: arg.List, Doc: "RE2."},
			{Name: "always", Kind: arg.Flag, Otherwise: false, Doc: "Recall with every prompt."},
			{Name: "paths", Kind: arg.List, Doc: "Files it is about."},
			{Name: "code_refs", Kind: arg.Groups, Lines: true, Group: arg.CodeRefKeys(), Bare: true},
			{Name: "supersedes", Kind: arg.List, Doc: "Items it replaces."},
			{Name: "replace", Kind: arg.Flag, Otherwise: false, Doc: "Replace an item with this id."},
			{Name: "shared", Kind: arg.Flag, Otherwise: false, Doc: "A preference of all on this project."},
			{Name: "private", Kind: arg.Flag, Otherwise: false, Doc: "Never share it."},
		},
	}
}

// typeWords are the types of items, and last the word that people have for the first. A
// failure has fields of its own, and may be given as text all the same.
func typeWords() []string { return append(sage.ItemWords("type"), sage.Knowledge.Kind()) }

func recallKnowledgeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_recall_knowledge", Run: Recall,
		Doc:    "Recall items and checkpoints that fit a question.",
		Params: []arg.Param{{Name: "query", Kind: arg.Text, Required: true, Doc: "Or the id of an item."}, {Name: "skill", Kind: arg.Text}},
	}
}

func listKnowledgeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_list_knowledge", Run: runListKnowledge,
		Doc: "List valid items.",
		Params: []arg.Param{
			{Name: "skill", Kind: arg.Text},
			{Name: "item_type", Kind: arg.Text, Words: typeWords(), Spellings: 1, Bare: true},
			{Name: "status", Kind: arg.Text, Words: append(sage.ItemWords("status"), "all"), Bare: true, Doc: "all adds archived, deprecated, superseded."},
			{Name: "limit", Kind: arg.Count, Otherwise: 50},
			{Name: "skip", Kind: arg.Count, Otherwise: 0},
		},
	}
}

func updateKnowledgeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_update_knowledge", Writes: true, Destroys: false, Idempotent: true, Run: runUpdateKnowledge,
		Doc: "Change the given fields. Old versions are kept.",
		Params: []arg.Param{
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

func removeKnowledgeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_remove_knowledge", Writes: true, Destroys: true, Run: runRemoveKnowledge,
		Doc: "Remove an item that was never right. Archive or deprecate one that no longer holds.", Params: []arg.Param{itemID},
	}
}

func linkKnowledgeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_link_knowledge", Writes: true, Idempotent: true, Run: runLinkKnowledge,
		Doc: "Link two items. Both show the link.",
		Params: []arg.Param{
			{Name: "source_id", Kind: arg.Text, Required: true},
			{Name: "target_id", Kind: arg.Text, Required: true},
			{Name: "relation", Kind: arg.Text, Words: sage.ItemWords("links"), Otherwise: string(sage.Related)},
			{Name: "remove", Kind: arg.Flag, Otherwise: false},
		},
	}
}

func deprecateKnowledgeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_deprecate_knowledge", Writes: true, Idempotent: true, Run: runDeprecateKnowledge,
		Doc: "Mark an item as no longer right. It ranks below its replacement.",
		Params: []arg.Param{
			itemID,
			{Name: "reason", Kind: arg.Text, Required: true},
			{Name: "replacement_id", Kind: arg.Text},
		},
	}
}

func archiveKnowledgeTool() tool.Tool {
	return tool.Tool{
		Name: "sage_archive_knowledge", Writes: true, Idempotent: true, Run: runArchiveKnowledge,
		Doc: "Keep an item but stop recalling it.", Params: []arg.Param{itemID},
	}
}

func listTodosTool() tool.Tool {
	return tool.Tool{
		Name: "sage_list_todos", Run: runListTodos, Doc: "List todos, pending and done.",
		Params: []arg.Param{{Name: "status", Kind: arg.Text, Words: []string{"pending", "done"}}},
	}
}

func todoDoneTool() tool.Tool {
	return tool.Tool{
		Name: "sage_mark_todo_done", Writes: true, Idempotent: true, Run: runTodoDone, Doc: "Mark a todo done.",
		Params: []arg.Param{{Name: "todo_id", Kind: arg.Text, Required: true}},
	}
}

func pendingTodosTool() tool.Tool {
	return tool.Tool{Name: "sage_get_pending_todos", Run: runPendingTodos, Doc: "Show pending todos in full."}
}

func recordFailureTool() tool.Tool {
	return tool.Tool{
		Name: "sage_record_failure", Writes: true, Run: runRecordFailure,
		Doc: "Record what did not work, so that nobody tries it again.",
		Params: []arg.Param{
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

func listFailuresTool() tool.Tool {
	return tool.Tool{
		Name: "sage_list_failures", Run: runListFailures, Doc: "List failures, newest first.",
		Params: []arg.Param{{Name: "skill", Kind: arg.Text}, {Name: "limit", Kind: arg.Count, Otherwise: 10}},
	}
}
