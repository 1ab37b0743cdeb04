package knowledge

import (
	"fmt"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
)

// Oldest is when an item must have been changed last for lists to show it and for prompts
// to be given it, by knowledge_max_age_days; the zero time is ever. Nothing is removed:
// lists of all statuses and searches have what is older.
func (kn *Collection) Oldest() time.Time {
	s := kn.stores.Settings()
	if !s.MaintenanceOnSave || s.MaxItemAge <= 0 {
		return time.Time{}
	}
	return kn.stores.Now().Add(-s.MaxItemAge)
}

// IsAged reports whether an item is older than that. What is still to be done never is.
func IsAged(oldest time.Time, d *index.Meta) bool {
	return !oldest.IsZero() && !d.Updated.IsZero() && d.Updated.Before(oldest) &&
		!(d.Type == string(sage.Todo) && d.Status == string(sage.Pending))
}

// IsAged is the same of an item that was read.
func (k Known) IsAged(oldest time.Time) bool {
	return k.Err == nil && IsAged(oldest, &index.Meta{Type: string(k.Item.Type), Status: string(k.Item.Status), Updated: k.Item.Updated})
}

// AgedText says why an item is not recalled.
func AgedText(d *index.Meta) string {
	return fmt.Sprintf("it last changed on %s, longer ago than knowledge_max_age_days", d.Updated.Format(time.DateOnly))
}
