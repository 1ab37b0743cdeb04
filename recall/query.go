package recall

import "github.com/git-sage/git-sage/gitstore"

// Query is where every list begins: all of the current line, less what
// automatic maintenance hides. Query.All shows that too.
func (m *Memory) Query() gitstore.Query {
	if !m.Settings.MaintenanceOnSave {
		return gitstore.Query{}
	}
	return gitstore.Query{MaxAge: m.Settings.MaxAge, MaxCount: m.Settings.MaxCount}
}
