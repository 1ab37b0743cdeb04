package term

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// TestAgeAgreesWithGit holds age to what the git at hand prints.
func TestAgeAgreesWithGit(t *testing.T) {
	const day = 24 * time.Hour
	dir := t.TempDir()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var input strings.Builder
	var times []time.Time
	for d, n := time.Second, 1; d < 8*365*day; d, n = d+d/19+time.Second, n+1 {
		times = append(times, now.Add(-d).Truncate(time.Second))
		fmt.Fprintf(&input, "commit refs/heads/x%d\ncommitter A <a@b> %d +0000\ndata 0\n\n", n, times[n-1].Unix())
	}
	git := func(stdin string, args ...string) string {
		c := exec.Command("git", args...)
		c.Dir, c.Stdin = dir, strings.NewReader(stdin)
		c.Env = append(storetest.Env(dir), fmt.Sprintf("GIT_TEST_DATE_NOW=%d", now.Unix()))
		out, err := c.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	git("", "init", "-q")
	git(input.String(), "fast-import", "--quiet")
	for _, line := range strings.Split(strings.TrimSpace(git("", "for-each-ref", "--format=%(committerdate:unix) %(committerdate:relative)")), "\n") {
		unix, want, _ := strings.Cut(line, " ")
		var at int64
		fmt.Sscan(unix, &at)
		if got := Age(now, time.Unix(at, 0)); got != want {
			t.Errorf("age of %v = %q, git says %q", now.Sub(time.Unix(at, 0)), got, want)
		}
	}
}
