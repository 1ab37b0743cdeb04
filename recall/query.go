package recall

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// Query is where every list begins: all of the current line, less what
// automatic maintenance hides. Query.All shows that too.
func (m *Memory) Query() gitstore.Query {
	return gitstore.Query{Limits: func() (time.Duration, int) {
		if m.Settings == nil {
			return 0, 0
		}
		s := m.Settings()
		if !s.MaintenanceOnSave {
			return 0, 0
		}
		return s.MaxAge, s.MaxCount
	}}
}
