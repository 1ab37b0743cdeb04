package term

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// TestDatesAreGits asks the git at hand to write the same moments.
func TestDatesAreGits(t *testing.T) {
	dir := t.TempDir()
	git := func(env []string, args ...string) string {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(append(storetest.Env(dir), "TZ=UTC", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b"), env...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git(nil, "init", "-q")
	for _, at := range []time.Time{
		time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		time.Date(1999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -5*3600-1800)),
	} {
		stamp := at.Format("2006-01-02T15:04:05-0700")
		git([]string{"GIT_AUTHOR_DATE=" + stamp, "GIT_COMMITTER_DATE=" + stamp}, "commit", "-q", "--allow-empty", "-m", "x")
		for _, mode := range []string{"default", "iso", "iso8601", "iso-strict", "iso8601-strict", "rfc", "rfc2822", "short", "raw", "unix"} {
			want := git(nil, "log", "-1", "--format=%ad", "--date="+mode)
			if strings.HasSuffix(want, "+00:00") { // an older git's way to write Z
				want = strings.TrimSuffix(want, "+00:00") + "Z"
			}
			if got, ok := dateIn(mode, at, at); !ok || got != want {
				t.Errorf("%s: %q, git has %q", mode, got, want)
			}
		}
	}
	if _, ok := dateIn("tomorrow", time.Time{}, time.Time{}); ok {
		t.Error("any word is a way to write dates")
	}
	if got, _ := dateIn("relative", time.Unix(7200, 0), time.Unix(0, 0)); got != "2 hours ago" {
		t.Errorf("relative: %q", got)
	}
}
