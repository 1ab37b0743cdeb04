// Package code has the tools that find code: by what it does, by its names, and what is known
// of it.
package code

import (
	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/tool"
)

// Tools are all of them.
func Tools() []tool.Tool {
	path := arg.Param{Name: "path", Kind: arg.Text, Doc: "Or glob."}
	language := arg.Param{Name: "language", Kind: arg.Text}
	limit := arg.Param{Name: "limit", Kind: arg.Count, Otherwise: 10}
	project := arg.Param{Name: "project", Kind: arg.Text, Hidden: true}
	where := arg.Param{Name: "project_path", Kind: arg.Text, Hidden: true}
	return []tool.Tool{
		{
			Name: "sage_search_code", Run: runSearch,
			Doc: "Find code by what it does, names, an error or stack trace.",
			Params: []arg.Param{
				{Name: "query", Kind: arg.Text, Required: true}, path, language, limit,
				{Name: "rev", Kind: arg.Text, Doc: "A commit."},
				{Name: "project", Kind: arg.Text, Doc: "Another, or *."},
			},
		},
		{
			Name: "sage_grep_symbol", Run: runGrep, Doc: "Find a symbol's definition, callers and tests.",
			Params: []arg.Param{{Name: "name", Kind: arg.Text, Required: true, Doc: "Or Type.method."}, path, language, limit, where},
		},
		{
			Name: "sage_analyze_function", Run: runAnalyze,
			Doc:    "Show a definition: source, callers, callees, tests, commits, what the memory knows.",
			Params: []arg.Param{{Name: "name", Kind: arg.Text, Required: true}, path, where},
		},
		{
			Name: "sage_code_context", Run: runContext, Doc: "Outline a file or folder, with what the memory knows of it.",
			Params: []arg.Param{{Name: "path", Kind: arg.Text, Required: true}},
		},
		{
			Name: "sage_why", Run: runWhy, Doc: "Explain a file or line: decisions, failures, commits.",
			Params: []arg.Param{{Name: "path", Kind: arg.Text, Required: true}, {Name: "line", Kind: arg.Lines}},
		},
		{
			Name: "sage_index_code", Run: runIndex, Idempotent: true, Writes: true,
			Doc: "Index code now; searches index what is new.",
			Params: []arg.Param{
				{Name: "path", Kind: arg.Text, Otherwise: "."}, {Name: "incremental", Kind: arg.Flag, Otherwise: true}, project,
			},
		},
	}
}
