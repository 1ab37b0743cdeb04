package history

import (
	"cmp"
	"context"

	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// ActsSince is what people did, as whoever asks may see it, see [gitstore.Activity.Since].
func ActsSince(ctx context.Context, m *recall.Memory, since, author string) ([]gitstore.Active, error) {
	people, err := m.Store.Activity.Since(ctx, since, author)
	for _, p := range people {
		for i, act := range p.Acts {
			p.Acts[i].Change = m.Provenance.AdmittedText(act.Mine, act.Change)
		}
	}
	return people, err
}

// RecordsOf are the records of the newest checkpoints of each person, by id; of 0 of all.
func RecordsOf(ctx context.Context, m *recall.Memory, people []gitstore.Active, most int) (map[string]gitstore.Record, error) {
	var ids []string
	for _, p := range people {
		for i, act := range p.Acts {
			if act.Change == "" && (most == 0 || i < most) {
				ids = append(ids, act.ID)
			}
		}
	}
	records, err := m.Store.Commits.Records(ctx, ids)
	out := make(map[string]gitstore.Record, len(records))
	for _, r := range records {
		out[r.ID] = m.Provenance.Admitted(r)
	}
	return out, err
}

// Acts are what activity --json prints of what people did, person by person.
func Acts(ctx context.Context, m *recall.Memory, people []gitstore.Active) ([]wire.Activity, error) {
	records, err := RecordsOf(ctx, m, people, 0)
	if err != nil {
		return nil, err
	}
	out := []wire.Activity{}
	for _, p := range people {
		for _, act := range p.Acts {
			if act.Change == "" {
				act.Line = cmp.Or(act.Line, m.Store.Session.CurrentLine())
			}
			out = append(out, wire.ActivityOf(act, records[act.ID]))
		}
	}
	return out, nil
}
