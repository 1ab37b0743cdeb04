package prompts

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

// A Mention is an item or a checkpoint that refers to a file.
type Mention struct {
	ID         string
	Checkpoint bool
	Type       string // of an item, such as failure; of a checkpoint its trigger
	Title      string // of an item; of a checkpoint its question, or else its thesis
	Path       string // by which it refers to the file: its own, or that of a folder
	From       string // who wrote it, if that was not here and nobody here stands for it
	Blob       string // what it saw of the file; "" if it does not say
}

// Mentions are what a session is told of a file.
type Mentions struct {
	Named []Mention
	More  int // refer to it, too

	noted []string // keys of titles
}

// mostNoted is how many checkpoints that refer to a file are not told of again, named or
// counted: the newest. A session changes many files, and what it saves names all of them:
// before, a day of which every session left such a record was told of it 60 times a session,
// in 3% of its tokens.
const mostNoted = 10

// NoteTitles is what [gitstore.Store.Session].NoteGiven takes of them.
func (m *Mentions) NoteTitles(given map[string]string) {
	for _, key := range m.noted {
		given[search.TitleKey(key)] = "-"
	}
}

// Mentions are the items that hold and the checkpoints of the repository that refer to a
// file, which is named from its root: failures first, then what is newest. At most so
// many are named, and none whose title the session has seen. It looks at no other document.
func (re *Recaller) Mentions(ctx context.Context, file string, most int, seen map[string]string) (out Mentions, err error) {
	found, err := re.stores.About(ctx, pathsTo(file)...)
	if err != nil {
		return out, err
	}
	oldest := sync.OnceValue(re.knowledge.Oldest)
	found = slices.DeleteFunc(found, func(d *index.Meta) bool {
		return seen[search.TitleKey(d.Key)] != "" ||
			d.Kind == doc.Item && (!knowledge.Holds(sage.Status(d.Status)) || d.Status == string(sage.Done) || knowledge.IsAged(oldest(), d))
	})
	failed := func(d *index.Meta) int {
		if d.Type == string(sage.Failure) {
			return 0
		}
		return 1
	}
	slices.SortFunc(found, func(a, b *index.Meta) int {
		return cmp.Or(failed(a)-failed(b), strings.Compare(b.Kind, a.Kind), b.Updated.Compare(a.Updated), strings.Compare(a.Key, b.Key))
	})
	withheld := 0
	for i, d := range found {
		if i < most {
			if m, ok := re.mention(ctx, d, file); ok {
				out.Named = append(out.Named, m)
			} else {
				withheld++
			}
		}
		if i < most || d.Kind == doc.Checkpoint && len(out.noted) < mostNoted {
			out.noted = append(out.noted, d.Key)
		}
	}
	out.More = len(found) - len(out.Named) - withheld
	return out, ctx.Err()
}

// pathsTo are a file and the folders that it is in.
func pathsTo(file string) (out []string) {
	for p := path.Clean(file); p != "." && p != "/"; p = path.Dir(p) {
		out = append(out, p)
	}
	return out
}

// mention reads what a document says of a file. What cannot be read says nothing of it; what is
// withheld is none.
func (re *Recaller) mention(ctx context.Context, d *index.Meta, file string) (out Mention, ok bool) {
	out = Mention{ID: doc.ID(d.Key), Checkpoint: d.Kind == doc.Checkpoint, Type: d.Type}
	for _, p := range pathsTo(file) {
		if out.Path == "" && slices.ContainsFunc(d.Paths, func(s string) bool { return strings.Trim(s, "/") == p }) {
			out.Path = p
		}
	}
	refs, from, title := re.refsOf(ctx, d)
	out.From, out.Title = from, title
	for _, r := range refs {
		if r.File == file && r.Blob != "" {
			out.Blob = r.Blob
		}
	}
	return out, !provenance.IsWithheld(out.Title)
}

// refsOf are the code references of a document, who wrote it, as TrustShort says it, and its title,
// or what stands in the place of that.
func (re *Recaller) refsOf(ctx context.Context, d *index.Meta) (refs []sage.CodeRef, from, title string) {
	if d.Kind == doc.Checkpoint {
		c, err := re.stores.Store.Commits.LoadBeginning(ctx, doc.ID(d.Key))
		if err != nil {
			return nil, provenance.UnconfirmedShort(d.Author), provenance.Said(false, d.Title)
		}
		if c.Elsewhere {
			from = provenance.UnconfirmedShort(provenance.Writer(c.Author, c.Mixed))
		}
		if title = re.provenance.AdmitCheckpoint(ctx, c); !provenance.IsWithheld(title) {
			title = cmp.Or(strings.TrimSpace(d.Title), c.Thesis)
		}
		return c.CodeRefs, from, title
	}
	e, err := re.stores.Store.Knowledge.Item(ctx, doc.ID(d.Key))
	if err != nil || e.Item == nil {
		return nil, provenance.UnconfirmedShort(d.Author), provenance.Said(false, d.Title)
	}
	k := re.provenance.Admit(ctx, []knowledge.Known{{ItemEntry: e, Own: re.stores.IsOwn(), Doc: d}})[0]
	if title = d.Title; len(k.Withheld) > 0 {
		title = k.Item.Content
	}
	return e.Item.CodeRefs, re.provenance.TrustShort(ctx, k), title
}
