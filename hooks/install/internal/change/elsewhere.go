package change

import (
	"fmt"

	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/status"
)

// elsewhere is another scope in which Claude Code has a part here, whole and in order; nil
// if there is none, or the scope has any of it already: then that is mended. What a team
// shares of the server stands in nobody's way, since of several Claude Code starts one.
func (p Editor) elsewhere(part place.Part, s place.Scope) (there *status.State) {
	if _, _, err := p.File(part, s); err != nil || p.Client.Kind() != nil || part == place.MCP && s == place.Project {
		return nil
	}
	for _, st := range p.Status() {
		switch {
		case st.Part != part:
		case st.Scope == s && (len(st.Commands) > 0 || st.Asks || st.Err != nil):
			return nil
		case st.Scope != s && st.Installed && len(st.Missing) == 0 && !st.Unheard && there == nil:
			there = &st
		}
	}
	return there
}

// already says where a part stands that was to be installed in a scope.
func already(there status.State, s place.Scope) string {
	what := map[place.Part]string{place.Hooks: "the hooks are", place.MCP: "the server is"}[there.Part]
	return fmt.Sprintf("%s already installed in %s (%s); to use scope %s instead: git sage %s uninstall --scope %s, then run this again", what, there.Path, there.Scope, s, there.Part, there.Scope)
}
