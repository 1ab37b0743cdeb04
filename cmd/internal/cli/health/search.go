package health

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
)

// healedIsNews is how long status tells that search healed itself.
const healedIsNews = 7 * 24 * time.Hour

// searchNews says in a line what is not as always and does not cure itself; "" if nothing
// is.
func searchNews(a *app.App, h recall.Health) string {
	var news []string
	if ago := a.Now().Sub(h.Healed); !h.Healed.IsZero() && ago < healedIsNews {
		news = append(news, fmt.Sprintf("repaired %s, %s rebuilt (%s)", term.Age(a.Now(), h.Healed), legible.Count(h.Files, "damaged file"), term.Visible(h.Why)))
	}
	if h.Waits() {
		news = append(news, legible.Count(h.Missing, "piece")+" cannot be found by meaning yet: run 'git sage admin rebuild-embeddings --missing'")
	}
	if len(news) == 0 {
		return ""
	}
	return "search: " + strings.Join(news, "; ")
}

// searchWell is what doctor says of search.
func searchWell(ctx context.Context, a *app.App, m *recall.Memory) []gitstore.Diagnosis {
	d := gitstore.Diagnosis{Name: "search", State: gitstore.StateOK}
	h, err := m.Stores.SearchHealth(ctx)
	switch {
	case err != nil:
		d.State, d.Detail, d.Cure = gitstore.StateWarning, exit.Message(err), hint.Typed("git sage admin clear-cache")
	case searchNews(a, h) != "":
		d.Detail = strings.TrimPrefix(searchNews(a, h), "search: ") + unread(h)
	case h.Documents == 0 && h.Unread:
		d.Detail = unreadAll(ctx, m)
	default:
		d.Detail = legible.Count(h.Documents, "document") + " can be found" + unread(h)
	}
	return append([]gitstore.Diagnosis{d, modelWell(a, m)}, requestsWell(ctx, m)...)
}

// requestsWell counts the items that name no request in other words than their own. That
// is nothing wrong, only less than there could be.
func requestsWell(ctx context.Context, m *recall.Memory) []gitstore.Diagnosis {
	list, err := m.Review.WithoutWhen(ctx)
	if err != nil || len(list) == 0 { // what cannot be read is said above
		return nil
	}
	said := legible.Count(len(list), "item") + " have no request (--when) by which a prompt in other words finds them"
	if len(list) == 1 {
		said = "1 item has no request (--when) by which a prompt in other words finds it"
	}
	return []gitstore.Diagnosis{{
		Name: "requests", State: gitstore.StateOK, Unused: true, Detail: said,
		Cure: hint.Typed("git sage list --without-when, then: git sage knowledge update <id> --when '<request>' --when '<another>'"),
	}}
}

// unread says that what was saved last is not read yet, "" if it is.
func unread(h recall.Health) string {
	if !h.Unread && !h.Behind {
		return ""
	}
	return "; the next search indexes the latest saves"
}

// unreadAll counts what was saved before anybody searched.
func unreadAll(ctx context.Context, m *recall.Memory) string {
	const most = 1000
	list, err := m.Store.Commits.Log(ctx, gitstore.Query{All: true, Max: most})
	if n := legible.Count(len(list), "checkpoint"); err == nil && len(list) < most {
		return n + ", not indexed yet: the next search does it"
	}
	return "not indexed yet: the next search does it"
}

// replacedModel says that another model answers than the settings name; nil is that none does.
func replacedModel(a *app.App, m *recall.Memory) error {
	c, err := a.Config(m.Store)
	if err != nil {
		return err
	}
	return a.Models().Replaced(c)
}

// modelWell reads all of the model that is built in, which starting does not.
func modelWell(a *app.App, m *recall.Memory) gitstore.Diagnosis {
	e, err := a.ProseModel(m.Store)
	err = cmp.Or(err, replacedModel(a, m))
	d := gitstore.Diagnosis{Name: "model", State: gitstore.StateOK, Detail: "none: only words are compared", Unused: true}
	if err != nil {
		d.State, d.Detail, d.Cure = gitstore.StateWarning, exit.Message(err), hint.Typed("git sage config list")
	}
	if e == nil {
		return d
	}
	d.Unused = false
	if err == nil {
		d.Detail = e.Model().Name
	}
	if v, ok := e.(interface{ Verify() error }); ok && v.Verify() != nil {
		d.State, d.Detail, d.Cure = gitstore.StateError, exit.Message(v.Verify()), hint.Typed("install git-sage anew")
	}
	return d
}
