package gitstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestAuthorDate(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	for name, c := range map[string]struct {
		env  []string
		want string // "" is none
		fail bool
	}{
		"none":               {},
		"as git writes it":   {env: []string{"GIT_AUTHOR_DATE=@1588741689 +0200"}, want: "2020-05-06T05:08:09Z"},
		"as people write it": {env: []string{"GIT_AUTHOR_DATE=2020-05-06 07:08:09 +0200"}, want: "2020-05-06T05:08:09Z"},
		"before 1970":        {env: []string{"GIT_AUTHOR_DATE=1800-01-01T00:00:00Z"}, fail: true},
		"no date":            {env: []string{"GIT_AUTHOR_DATE=whenever\n"}, fail: true},
		"in a hook of git's": {env: []string{"GIT_AUTHOR_DATE=@1588741689 +0200", "GIT_INDEX_FILE=x"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, w, "r", func(o *gitstore.Options) { o.Env = append(storetest.Env(w.Home), c.env...) })
			got, err := s.Repo.AuthorDate(ctx)
			if c.fail != (err != nil) || err != nil && strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v", err)
			}
			if want, _ := time.Parse(time.RFC3339, c.want); !got.Equal(want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// No thought is younger than its record, or older than git's calendar.
func TestTimesAreBounded(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	for given, want := range map[string]int{"2200-01-01T00:00:00Z": 2026, "9999-12-31T23:59:59Z": 2026, "1869-01-01T00:00:00Z": 1970, "2020-01-01T00:00:00Z": 2020} {
		d := thesis("at " + given)
		d.Checkpoint.Time, _ = time.Parse(time.RFC3339, given)
		saved, err := s.Checkpoints.Save(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := s.Commits.Load(ctx, saved.ID); err != nil || c.Time.UTC().Year() != want {
			t.Errorf("%s: %v %v, want %d", given, c.Time, err, want)
		}
	}
	if r, err := s.Fsck.Check(ctx); err != nil || len(r.Findings) > 0 {
		t.Errorf("%+v %v", r.Findings, err)
	}
}
