package recall

import (
	"fmt"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
)

// oldest is when an item must have been changed last for lists to show it and for prompts
// to be given it, by knowledge_max_age_days; the zero time is ever. Nothing is removed:
// lists of all statuses and searches have what is older.
func (m *Memory) oldest() time.Time {
	s := m.Settings()
	if !s.MaintenanceOnSave || s.MaxItemAge <= 0 {
		return time.Time{}
	}
	return m.Now().Add(-s.MaxItemAge)
}

// isAged reports whether an item is older than that. What is still to be done never is.
func isAged(oldest time.Time, d *index.Meta) bool {
	return !oldest.IsZero() && !d.Updated.IsZero() && d.Updated.Before(oldest) &&
		!(d.Type == string(sage.Todo) && d.Status == string(sage.Pending))
}

// isAged is the same of an item that was read.
func (k Known) isAged(oldest time.Time) bool {
	return k.Err == nil && isAged(oldest, &index.Meta{Type: string(k.Item.Type), Status: string(k.Item.Status), Updated: k.Item.Updated})
}

// agedText says why an item is not recalled.
func agedText(d *index.Meta) string {
	return fmt.Sprintf("it last changed on %s, which is longer ago than knowledge_max_age_days", d.Updated.Format(time.DateOnly))
}
