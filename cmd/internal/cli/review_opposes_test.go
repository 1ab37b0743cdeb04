package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
)

// Whoever keeps two checkpoints that contradict each other is not asked again, and the keys
// that would change one of them do nothing.
func TestReviewOfContradictions(t *testing.T) {
	a := apptest.EarlierSessions(t, 0)
	mine := a.Env
	a.Env = append(slices.Clone(mine), "SAGE_HOME="+t.TempDir(), "HOME="+t.TempDir(), "GIT_AUTHOR_NAME=Bob", "GIT_AUTHOR_EMAIL=bob@example.org")
	for _, line := range []string{"save -q -m start", "switch -q -c cache", "save -q -m Keep_the_feature_flag_service", "switch -q main"} {
		args := strings.Fields(line)
		args[len(args)-1] = strings.ReplaceAll(args[len(args)-1], "_", " ")
		if status := again(a, "", args...); status != 0 {
			t.Fatalf("%s: status %d: %s", line, status, a.Err)
		}
	}
	a.Env = append(slices.Clone(mine), "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org")
	again(a, "", "status") // what others hold is known to the save from then on
	if status := again(a, "", "save", "-m", "Drop the feature flag service"); status != 0 || !strings.Contains(a.Err.(*bytes.Buffer).String(), "it contradicts ") {
		t.Fatalf("status %d: %s", status, a.Err)
	}
	again(a, "", "confirm", "--all")
	status := again(a, "desvk", "review")
	screen := a.Out.(*bytes.Buffer).String() + a.Err.(*bytes.Buffer).String()
	for _, want := range []string{
		"(1/1) Two checkpoints that contradict each other in opposite, the newer first", " by you, 2026-", " by Bob, 2026-",
		"'git sage merge cache --thesis <synthesis>' brings both together", "[k]eep both  [v]iew  [n]ot now", "1 of 1 reviewed",
	} {
		if status != 0 || !strings.Contains(screen, want) {
			t.Errorf("status %d, the screen lacks %q:\n%s", status, want, screen)
		}
	}
	again(a, "", "review")
	if left := a.Out.(*bytes.Buffer).String(); left != "" {
		t.Errorf("it waits again: %s", left)
	}
	if again(a, "", "status"); strings.Contains(a.Out.(*bytes.Buffer).String(), "Contradictions") {
		t.Errorf("status names what was kept: %s", a.Out)
	}
}
