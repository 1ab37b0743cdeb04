package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/cmd/internal/cli/knowledge"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// TestSynonymsLeadSomewhere keeps out words that mean no command, and those that are one.
func TestSynonymsLeadSomewhere(t *testing.T) {
	root := newRoot(apptest.New(t.TempDir()))
	for word := range usage.Synonyms() {
		var meant *cobra.Command
		for _, c := range append(root.Commands(), root) {
			if c.HasSubCommands() && usage.Child(c, word) == nil && meant == nil {
				meant = usage.MeantBy(c, word)
			}
		}
		if meant == nil {
			t.Errorf("'%s' leads nowhere", word)
		}
	}
}

// TestHintsNameCommands checks that what a hint says to type is there.
func TestHintsNameCommands(t *testing.T) {
	root := newRoot(apptest.New(t.TempDir()))
	typed := regexp.MustCompile(`git sage ([a-z-]+(?: [a-z-]+)?)`)
	var hints []string
	for word, hint := range doneElsewhere() {
		if usage.Child(root, word) != nil {
			t.Errorf("'%s' is a command", word)
		}
		hints = append(hints, hint)
	}
	for _, hint := range knowledge.NothingOf {
		hints = append(hints, hint)
	}
	for _, hint := range hints {
		for _, m := range typed.FindAllStringSubmatch(hint, -1) {
			if c, _, err := root.Find(strings.Fields(m[1])); err != nil || c == root {
				t.Errorf("%q: no command '%s'", hint, m[1])
			}
		}
	}
}

// TestEveryCommandHasASection keeps help complete.
func TestEveryCommandHasASection(t *testing.T) {
	root := newRoot(apptest.New(t.TempDir()))
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.GroupID == "" {
			t.Errorf("'%s' stands under no heading of help", c.Name())
		}
	}
	for _, name := range essential {
		if usage.Child(root, name) == nil {
			t.Errorf("'git sage' alone names '%s', which is no command", name)
		}
	}
}
