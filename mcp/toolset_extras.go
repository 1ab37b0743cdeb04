package mcp

func coreFileTools() []tool {
	return []tool{
		{
			name: "sage_mark_core", writes: true, idempotent: true, run: runMarkCore,
			doc: "Mark a file that every session here should know of.",
			params: []param{
				{name: "path", kind: textArg, required: true, doc: "From the repository's root."},
				{name: "summary", kind: textArg},
			},
		},
		{
			name: "sage_list_core", run: runListCore, doc: "List core files.",
			params: []param{{name: "project", kind: textArg}},
		},
		{
			name: "sage_unmark_core", writes: true, idempotent: true, run: runUnmarkCore, doc: "Take a file off that list.",
			params: []param{{name: "path", kind: textArg, required: true}},
		},
	}
}

func continuityTool() tool {
	return tool{
		name: "sage_continuity_status", run: runContinuity,
		doc: "Whether what a compaction took waits to come back.",
	}
}

func debugTool() tool {
	return tool{
		name: "sage_debug_query", run: runDebugQuery,
		doc:    "Why a query recalls items or not: scores, near misses, the setting to change.",
		params: []param{{name: "query", kind: textArg, required: true}, {name: "skill", kind: textArg}},
	}
}

func getConfigTool() tool {
	return tool{
		name: "sage_get_config", run: runGetConfig, doc: "Settings, with where each comes from.",
		params: []param{{name: "key", kind: textArg}},
	}
}

func setConfigTool() tool {
	return tool{
		name: "sage_set_config", writes: true, idempotent: true, run: runSetConfig,
		doc: "Change a setting for the user in this repository, when they want it.",
		params: []param{
			{name: "key", kind: textArg, required: true},
			{name: "value", kind: valueArg, required: true},
			{name: "project_level", kind: flagArg, otherwise: false, doc: "For all of the project: a person's to set."},
		},
	}
}

func reloadConfigTool() tool {
	return tool{
		name: "sage_reload_config", writes: true, idempotent: true, run: runReloadConfig,
		doc: "Read the settings again; says what is wrong.",
	}
}
