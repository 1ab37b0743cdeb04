package tool

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/mcp/internal/arg"
)

// NotStored are arguments that say how to save, not what.
var NotStored = []string{"line", "continues", "auto_code_context", "template"}

// OwnFields are arguments for those fields of the template that a call names which the
// tool has no argument for.
func (c *Call) OwnFields(ctx context.Context, params []arg.Param, given map[string]any) (own []arg.Param) {
	name, _ := given["template"].(string)
	known := func(field string) bool {
		return slices.ContainsFunc(params, func(p arg.Param) bool { return p.Name == field })
	}
	unknown := slices.DeleteFunc(slices.Collect(maps.Keys(given)), known)
	if strings.TrimSpace(name) == "" || len(unknown) == 0 {
		return nil
	}
	m, err := c.Memory(ctx)
	if err != nil { // the save says so itself
		return nil
	}
	set, _ := m.Templates.List(ctx)
	t, err := set.Lookup(name)
	if err != nil {
		return nil
	}
	for _, f := range t.Own() {
		if !known(f.Name) {
			own = append(own, arg.Param{Name: f.Name, Kind: arg.Any})
		}
	}
	c.own = own
	return own
}

// GatherOwn puts arguments that are fields of the template among its fields.
func (c *Call) GatherOwn() {
	fields, _ := c.Args["fields"].(map[string]any)
	fields = maps.Clone(fields)
	for _, p := range c.own {
		v, given := c.Args[p.Name]
		if delete(c.Args, p.Name); !given {
			continue
		}
		if fields == nil {
			fields = map[string]any{}
		}
		if _, there := fields[p.Name]; !there {
			fields[p.Name] = v
		}
	}
	if fields != nil {
		c.Args["fields"] = fields
	}
}
