package imports

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/propose"
)

// A List is a source whose records were all read before.
type List struct {
	From    string // the name of the tool
	Records []Record

	ids map[string]bool // of what was added
}

// Tool is the name of the tool.
func (l *List) Tool() string { return l.From }

// Names are those of the items.
func (l *List) Names(context.Context) (names []Name, err error) {
	for _, r := range l.Records {
		if it, ok := r.Thing.(Item); ok {
			names = append(names, Name{Own: r.Own, Name: r.Name, ID: it.ID})
		}
	}
	return names, nil
}

// Each yields the records in their order.
func (l *List) Each(ctx context.Context, fn func(Record) error) error {
	for _, r := range l.Records {
		if err := fn(r); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Say adds a record that holds problems alone.
func (l *List) Say(problems ...Problem) {
	if len(problems) > 0 {
		l.Records = append(l.Records, Record{Lies: problems[0].Where, Problems: problems})
	}
}

// Add adds an item that nobody here stands for yet. If another one has its id, it gets one
// like it.
func (l *List) Add(lies, name string, it *sage.Item, problems ...Problem) {
	if l.ids == nil {
		l.ids = map[string]bool{}
	}
	it.ID = propose.FreeID(it.ID, func(id string) bool { return l.ids[id] })
	l.ids[it.ID] = true
	l.Records = append(l.Records, Record{Lies: lies, Name: name, Thing: Item{Item: it, Unconfirmed: true}, Problems: problems})
}

// Distinct is a source without items that say what another says that it yields before, or one
// of those that are here and did not come of the same place. Links to them lead to those. It has
// none either that says what the user refused, for which refused has the name.
func Distinct(ctx context.Context, src Source, here []*sage.Item, refused func(*sage.Item) string) (Source, error) {
	out := &List{From: src.Tool()}
	heard := map[string]*sage.Item{} // by what they say
	for _, it := range here {
		if key := saidBy(it.ID, it.Content); key != "" {
			heard[key] = it
		}
	}
	type place struct{ name, lies string }
	own := map[string]place{}  // likewise of the source
	now := map[string]string{} // names that are left out, and what says it
	err := src.Each(ctx, func(r Record) error {
		if it, ok := r.Thing.(Item); ok && it.Shelf == "" {
			said, all := heard[saidBy(it.ID, it.Content)], saidBy(it.ID, it.Text())
			other, twice := own[all]
			name := refused(cmp.Or(said, it.Item))
			switch {
			case name != "":
				if said != nil {
					now[r.Name] = said.ID
				}
				r.Problems = append(r.Problems, Problem{Where: r.Lies, Grade: Noted, What: "left out: you refused '" + name + "', which says the same", Do: "'git sage refuse --undo " + name + "' takes that back"})
				r.Thing = nil
			case said != nil && (twice && other.name != r.Name || !comesFrom(said, src.Tool()) || said.Source != it.Source):
				now[r.Name] = said.ID
				r.Problems = append(r.Problems, Problem{Where: r.Lies, Grade: Noted, What: "left out: '" + said.ID + "' says the same here already"})
				r.Thing = nil
			case said != nil: // it is the one that came of this place before, whatever it is called now
				it.ID = said.ID
				own[all] = place{r.Name, r.Lies}
			case twice && all != "" && other.name != r.Name:
				now[r.Name] = other.name
				r.Problems = append(r.Problems, Problem{Where: r.Lies, Grade: Noted, What: "left out: it says the same as " + other.lies})
				r.Thing = nil
			default:
				own[all] = place{r.Name, r.Lies}
			}
		}
		out.Records = append(out.Records, r)
		return nil
	})
	for _, r := range out.Records {
		if it, ok := r.Thing.(Item); ok {
			for i, l := range it.Links {
				if to := now[l.To]; to != "" {
					it.Links[i].To = to
				}
			}
		}
	}
	return out, err
}

// leastSaid is how long a text is at least that is one and the same by itself, in bytes.
const leastSaid = 16

// saidBy is a text as far as its words count; a short one is the same only under the same id,
// as in what an export of here brings back.
func saidBy(id, text string) string {
	s := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	if s != "" && len(s) < leastSaid {
		return id + ": " + s
	}
	return s
}

// comesFrom reports whether an item came from a tool: it is known again by its name then.
func comesFrom(it *sage.Item, tool string) bool {
	return slices.ContainsFunc(it.Extra, func(x sage.Entry) bool { return x.Key == ImportedKey && x.Value == tool })
}
