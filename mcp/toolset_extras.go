package mcp

import "github.com/git-sage/git-sage/mcp/internal/arg"

func coreFileTools() []tool {
	return []tool{
		{
			name: "sage_mark_core", writes: true, idempotent: true, run: runMarkCore,
			doc: "Mark a file that every session should know.",
			params: []arg.Param{
				{Name: "path", Kind: arg.Text, Required: true, Doc: "Relative to the repository root."},
				{Name: "summary", Kind: arg.Text},
			},
		},
		{
			name: "sage_list_core", run: runListCore, doc: "List core files.",
			params: []arg.Param{{Name: "project", Kind: arg.Text}},
		},
		{
			name: "sage_unmark_core", writes: true, idempotent: true, run: runUnmarkCore, doc: "Unmark a core file.",
			params: []arg.Param{{Name: "path", Kind: arg.Text, Required: true}},
		},
	}
}

func continuityTool() tool {
	return tool{
		name: "sage_continuity_status", run: runContinuity,
		doc: "Show whether context lost in a compaction is to be restored.",
	}
}

func debugTool() tool {
	return tool{
		name: "sage_debug_query", run: runDebugQuery,
		doc:    "Explain why a query recalls items or not: scores, near misses, the setting to change.",
		params: []arg.Param{{Name: "query", Kind: arg.Text, Required: true}, {Name: "skill", Kind: arg.Text}},
	}
}

func getConfigTool() tool {
	return tool{
		name: "sage_get_config", run: runGetConfig, doc: "List settings and where each comes from.",
		params: []arg.Param{{Name: "key", Kind: arg.Text}},
	}
}

func setConfigTool() tool {
	return tool{
		name: "sage_set_config", writes: true, idempotent: true, run: runSetConfig,
		doc: "Change a setting for the user, in this repository, if they ask for it.",
		params: []arg.Param{
			{Name: "key", Kind: arg.Text, Required: true},
			{Name: "value", Kind: arg.Value, Required: true},
			{Name: "project_level", Kind: arg.Flag, Otherwise: false, Doc: "For the whole project; only a person can set it."},
		},
	}
}

func reloadConfigTool() tool {
	return tool{
		name: "sage_reload_config", writes: true, idempotent: true, run: runReloadConfig,
		doc: "Read the settings again, and report errors.",
	}
}
