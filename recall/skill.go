package recall

import "context"

// Skill is the skill that is active where nobody names one: that of the settings,
// else that of the last checkpoint; "" if there is none.
func (m *Memory) Skill(ctx context.Context) string {
	if s := m.Settings().Skill; s != "" {
		return s
	}
	if r, err := m.Latest(ctx); err == nil && r != nil {
		return r.Skill
	}
	return ""
}
