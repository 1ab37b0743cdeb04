// Package upkeep has the tools that say how the memory is, and change its settings.
package upkeep

import (
	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/tool"
)

func VersionTool() tool.Tool {
	return tool.Tool{Name: "sage_version", Run: runVersion, Doc: "Show the version of git-sage."}
}

func HealthTool() tool.Tool {
	return tool.Tool{
		Name: "sage_health", Run: runHealth,
		Doc: "Report status, pending merges and the next step.",
	}
}

// CoreFileTools are those for files that every session should know.
func CoreFileTools() []tool.Tool {
	return []tool.Tool{
		{
			Name: "sage_mark_core", Writes: true, Idempotent: true, Run: runMarkCore,
			Doc: "Mark a file that every session should know.",
			Params: []arg.Param{
				{Name: "path", Kind: arg.Text, Required: true, Doc: "Relative to the repository root."},
				{Name: "summary", Kind: arg.Text},
			},
		},
		{
			Name: "sage_list_core", Run: runListCore, Doc: "List core files.",
			Params: []arg.Param{{Name: "project", Kind: arg.Text}},
		},
		{
			Name: "sage_unmark_core", Writes: true, Idempotent: true, Run: runUnmarkCore, Doc: "Unmark a core file.",
			Params: []arg.Param{{Name: "path", Kind: arg.Text, Required: true}},
		},
	}
}

func ContinuityTool() tool.Tool {
	return tool.Tool{
		Name: "sage_continuity_status", Run: runContinuity,
		Doc: "Show whether context lost in a compaction is to be restored.",
	}
}

func DebugTool() tool.Tool {
	return tool.Tool{
		Name: "sage_debug_query", Run: runDebugQuery,
		Doc:    "Explain why a query recalls items or not: scores, near misses, the setting to change.",
		Params: []arg.Param{{Name: "query", Kind: arg.Text, Required: true}, {Name: "skill", Kind: arg.Text}},
	}
}

func GetConfigTool() tool.Tool {
	return tool.Tool{
		Name: "sage_get_config", Run: runGetConfig, Doc: "List settings and where each comes from.",
		Params: []arg.Param{{Name: "key", Kind: arg.Text}},
	}
}

func SetConfigTool() tool.Tool {
	return tool.Tool{
		Name: "sage_set_config", Writes: true, Idempotent: true, Run: runSetConfig,
		Doc: "Change a setting for the user, in this repository, if they ask for it.",
		Params: []arg.Param{
			{Name: "key", Kind: arg.Text, Required: true},
			{Name: "value", Kind: arg.Value, Required: true},
			{Name: "project_level", Kind: arg.Flag, Otherwise: false, Doc: "For the whole project; only a person can set it."},
		},
	}
}

func ReloadConfigTool() tool.Tool {
	return tool.Tool{
		Name: "sage_reload_config", Writes: true, Idempotent: true, Run: runReloadConfig,
		Doc: "Read the settings again, and report errors.",
	}
}
