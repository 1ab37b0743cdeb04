package mcp

func coreFileTools() []tool {
	return []tool{
		{
			name: "sage_mark_core", writes: true, idempotent: true, run: runMarkCore,
			doc: "Mark a file that every session should know.",
			params: []param{
				{name: "path", kind: textArg, required: true, doc: "Relative to the repository root."},
				{name: "summary", kind: textArg},
			},
		},
		{
			name: "sage_list_core", run: runListCore, doc: "List core files.",
			params: []param{{name: "project", kind: textArg}},
		},
		{
			name: "sage_unmark_core", writes: true, idempotent: true, run: runUnmarkCore, doc: "Unmark a core file.",
			params: []param{{name: "path", kind: textArg, required: true}},
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
		params: []param{{name: "query", kind: textArg, required: true}, {name: "skill", kind: textArg}},
	}
}

func getConfigTool() tool {
	return tool{
		name: "sage_get_config", run: runGetConfig, doc: "List settings and where each comes from.",
		params: []param{{name: "key", kind: textArg}},
	}
}

func setConfigTool() tool {
	return tool{
		name: "sage_set_config", writes: true, idempotent: true, run: runSetConfig,
		doc: "Change a setting for the user, in this repository, if they ask for it.",
		params: []param{
			{name: "key", kind: textArg, required: true},
			{name: "value", kind: valueArg, required: true},
			{name: "project_level", kind: flagArg, otherwise: false, doc: "For the whole project; only a person can set it."},
		},
	}
}

func reloadConfigTool() tool {
	return tool{
		name: "sage_reload_config", writes: true, idempotent: true, run: runReloadConfig,
		doc: "Read the settings again, and report errors.",
	}
}
