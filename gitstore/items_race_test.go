package gitstore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// itemWriter adds n items of its own, each through a store opened anew, and adds a
// keyword to one that all share; it prints the commits.
func itemWriter(n string) int {
	count, _ := strconv.Atoi(n)
	name := os.Getenv("STORETEST_NAME")
	for i := range count {
		s, err := gitstore.Open(context.Background(), gitstore.Options{Home: filepath.Join(os.Getenv("HOME"), ".sage"), Env: os.Environ()})
		if err != nil {
			fmt.Fprintln(os.Stderr, "open:", err)
			return 1
		}
		out, err := s.Knowledge.WriteItems(context.Background(), "",
			gitstore.ItemChange{Item: &sage.Item{ID: fmt.Sprintf("%s-%d", name, i), Content: name}},
			gitstore.ItemChange{Key: "shared", Edit: func(it *sage.Item) error {
				it.Keywords = append(it.Keywords, fmt.Sprintf("%s-%d", name, i))
				return nil
			}})
		_ = s.Close()
		if err != nil {
			fmt.Fprintln(os.Stderr, "write:", err)
			return 1
		}
		fmt.Println(out.Commit)
	}
	return 0
}

func TestEightProcessesLoseNoItem(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	first := writeItems(t, s, add("shared", "what all add to"))
	const processes, each = 8, 3
	commits := crowd(t, w, "r", processes, each, fmt.Sprintf("STORETEST_ITEMS=%d", each))
	chained(t, w, "r", "refs/sage/knowledge", append(commits, first.Commit), processes*each+1)
	list, err := s.Knowledge.Items(ctx)
	if err != nil || len(list) != processes*each+1 {
		t.Errorf("%d items, %v", len(list), err)
	}
	if got := len(item(t, s, "shared").Item.Keywords); got != processes*each+1 {
		t.Errorf("%d keywords were kept, want %d", got, processes*each+1)
	}
}

// Eight of one process, each from a version that is old by then: fields that fit
// together are united, the text stands in all its versions.
func TestEightFromOneVersionLoseNoText(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", func(o *gitstore.Options) { o.Now = func() time.Time { return storetest.Epoch } })
	writeItems(t, s, add("x", "as it was"))
	base := item(t, s, "x")
	errs := make(chan error)
	for i := range 8 {
		go func() {
			it := base.Item.Clone()
			it.Content = fmt.Sprintf("version %d", i)
			it.Keywords = append(it.Keywords, fmt.Sprintf("word%d", i))
			_, err := s.Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Item: it, Base: base.Blob})
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	got := item(t, s, "x").Item
	if versions := versions.Split(got.Content); len(versions) != 8 || len(got.Keywords) != 9 {
		t.Errorf("%d versions, keywords %v", len(versions), got.Keywords)
	}
	if c := merge.Conflicts(got); len(c) != 1 || c[0].Field != "content" {
		t.Errorf("conflicts %v", c)
	}
	writeItems(t, s, edit("x", func(it *sage.Item) { it.Content = "settled" }))
	if got := item(t, s, "x").Item; len(merge.Conflicts(got)) != 0 || strings.Contains(got.Content, "sage:") {
		t.Errorf("after it was settled: %q", got.Content)
	}
}
