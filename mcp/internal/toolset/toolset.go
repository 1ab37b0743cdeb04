// Package toolset gathers the tools of all modules.
package toolset

import (
	"slices"
	"sync"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/checkpoints"
	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/code"
	"github.com/git-sage/git-sage/mcp/internal/knowledge"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/mcp/internal/upkeep"
)

// All are the tools that there are, in the order in which they are listed. Names, and
// names and defaults of arguments, are those that the tool before us had. They
// are made when they are needed: most starts of the program do not.
var All = sync.OnceValue(func() []tool.Tool {
	all := tool.In(client.ModuleCore,
		checkpoints.SaveTool(), checkpoints.LoadTool(), checkpoints.ListTool(), checkpoints.SearchTool(), checkpoints.AutosaveTool(),
		checkpoints.DiffTool(), checkpoints.BranchTool(), checkpoints.MergeTool(), upkeep.VersionTool(), upkeep.HealthTool())
	all = append(all, tool.In(client.ModuleKnowledge, knowledge.Tools()...)...)
	all = append(all, tool.In(client.ModuleCode, slices.Concat(code.Tools(), upkeep.CoreFileTools())...)...)
	return append(all, tool.In(client.ModuleExtras,
		upkeep.ContinuityTool(), upkeep.DebugTool(), upkeep.GetConfigTool(), upkeep.SetConfigTool(), upkeep.ReloadConfigTool())...)
})

// Named is the tool of a name; nil if there is none.
func Named(name string) *tool.Tool {
	all := All()
	if i := slices.IndexFunc(all, func(t tool.Tool) bool { return t.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// List is what the client is told of the tools of some modules. It is made of
// constants alone: nothing that was stored can speak through it.
func List(modules []string) []proto.Tool {
	var out []proto.Tool
	for _, t := range All() {
		if t.Offered(modules) {
			out = append(out, t.Describe())
		}
	}
	return out
}
