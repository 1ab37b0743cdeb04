package markdown

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
)

// Succeed has a rule supersede the one whose place it took: of those that came from its file
// and heading before and that nobody changed here, the only one that no file says any more, if it
// is the only new one there. It returns the others that are not there any more.
// read is all that the files say, fresh what of it may come in.
func Succeed(ctx context.Context, read, fresh imports.Source, here []*sage.Item) (gone []*sage.Item, err error) {
	there, files := map[string]bool{}, map[string]bool{}
	if r, ok := read.(*instructions); ok {
		files = r.whole
	}
	if err := eachRule(ctx, read, func(it *sage.Item) { there[said(it)] = true }); err != nil {
		return nil, err
	}
	known, went := map[string]*sage.Item{}, map[string][]*sage.Item{}
	for _, it := range here {
		known[saidIn(it)] = it
		if files[it.Source] && !there[said(it)] && isAsItCame(it) {
			went[placeOf(it)] = append(went[placeOf(it)], it)
		}
	}
	came := map[string][]*sage.Item{}
	err = eachRule(ctx, fresh, func(it *sage.Item) {
		was := known[saidIn(it)]
		if was == nil {
			came[placeOf(it)] = append(came[placeOf(it)], it)
			return
		}
		for _, l := range was.Links { // what it superseded when it came
			if l.Kind == sage.Supersedes {
				it.Links = append(it.Links, l)
			}
		}
	})
	for _, it := range here {
		place := placeOf(it)
		switch {
		case !slices.Contains(went[place], it):
		case len(went[place]) == 1 && len(came[place]) == 1:
			came[place][0].Links = append(came[place][0].Links, sage.Link{Kind: sage.Supersedes, To: it.ID})
		default:
			gone = append(gone, it)
		}
	}
	slices.SortFunc(gone, func(x, y *sage.Item) int { return strings.Compare(x.ID, y.ID) })
	return gone, err
}

// eachRule calls fn with the items of a source.
func eachRule(ctx context.Context, src imports.Source, fn func(*sage.Item)) error {
	return src.Each(ctx, func(r imports.Record) error {
		if it, ok := r.Thing.(imports.Item); ok {
			fn(it.Item)
		}
		return nil
	})
}

// saidIn is what a rule says here and the file that says so.
func saidIn(it *sage.Item) string { return it.Source + "\n" + said(it) }

// said is what a rule says here.
func said(it *sage.Item) string {
	text, _, err := redact.Default().Text(it.Text())
	if err != nil {
		text = it.Text()
	}
	return text
}

// placeOf is the file and the headings that a rule stands under.
func placeOf(it *sage.Item) string {
	h, _ := plain.ExtraText(it.Extra, headingKey)
	return it.Source + "\n" + h
}

// isAsItCame reports whether an item was imported from a file of rules, still counts, and was
// not changed here.
func isAsItCame(it *sage.Item) bool {
	tool, _ := plain.ExtraText(it.Extra, imports.ImportedKey)
	return tool == Instructions && (it.Status == "" || it.Status == sage.Active || it.Status == sage.Pending) && it.Updated.Equal(it.Added)
}
