package recall_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/rank"
)

func TestOnActs(t *testing.T) {
	m := newMemory(t, "")
	write(t, m,
		item("edi", sage.Knowledge, "Files in services/edi are ISO-8859-1, whatever their header claims."),
		item("vault", sage.Knowledge, "Secrets come from vault, never from helm values."),
		withKeyword(item("pg", sage.Knowledge, "It pools by transaction."), "pgbouncer"),
		withKeyword(item("old-pg", sage.Knowledge, "It pools by session."), "pgpool"),
		withKeyword(item("cairo", sage.Knowledge, "It draws by libcairo."), "canvas"),
		item("node-20", sage.Knowledge, "With Node 22 node-sass has no prebuilt binary; stay on Node 20."),
	)
	for n, tt := range []struct {
		act  rank.Act
		want []string
	}{
		{rank.Act{Text: "services/edi/decode.go services/edi"}, []string{"edi"}},
		{rank.Act{Text: "services/web/page.go services/web"}, nil},
		{rank.Act{Text: "helm upgrade --set secrets.vault=x"}, []string{"vault"}},
		{rank.Act{Text: "pgbouncer", Whole: true}, []string{"pg"}},
		{rank.Act{Text: "pgbouncer"}, nil}, // one word of many that a command or an error has
		{rank.Act{Text: "files header", Whole: true}, nil},
		{rank.Act{Text: "node-canvas", Whole: true}, []string{"cairo"}},
		{rank.Act{Text: "canvas-vault", Whole: true}, nil}, // which is neither
		{rank.Act{Text: "node-sass", Whole: true}, []string{"node-20"}},
		{rank.Act{Text: "node-fetch", Whole: true}, nil},
		{rank.Act{Text: "npm install node-sass"}, nil},
		{rank.Act{Text: "line 8859 of 1"}, nil},
		{rank.Act{Text: ""}, nil},
	} {
		got, err := m.Prompts.OnActs(t.Context(), []rank.Act{tt.act}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range got {
			ids = append(ids, r.Item.ID)
		}
		if !slices.Equal(ids, tt.want) {
			t.Errorf("%d: %q brings %q, not %q", n, tt.act.Text, ids, tt.want)
		}
	}
	for i := range rank.SharedBy + 1 { // what more have to do with a path than may share it
		c := item(fmt.Sprint("on-path-", i), sage.Knowledge, "Mind it.")
		c.Item.Scope.Paths = []string{"gen"}
		write(t, m, c)
		got, err := m.Prompts.OnActs(t.Context(), []rank.Act{{Text: "rm -r gen/api", Paths: []string{"gen/api"}}}, nil)
		if want := min(i+1, rank.MostActs); err != nil || i < rank.SharedBy && len(got) != want || i == rank.SharedBy && len(got) != 0 {
			t.Errorf("%d on a path: %d, %v", i+1, len(got), err)
		}
	}
}
