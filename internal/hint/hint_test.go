package hint

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/git-sage/git-sage/gitstore/remedy"
)

func TestError(t *testing.T) {
	lost := remedy.For(errors.New("'main' lost it"), remedy.SettleLoss.On("main"))
	for _, tt := range []struct {
		err  error
		want string
	}{
		{errors.New("plain"), "plain"},
		{remedy.For(errors.New("odd"), remedy.Check.On()), "odd; run 'git sage fsck'"},
		{fmt.Errorf("save: %w", lost), "save: 'main' lost it; run 'git sage fsck --repair' to restore it, or 'git sage fsck --accept main' to accept the loss"},
		{fmt.Errorf("%w; %w", lost, lost), "'main' lost it; 'main' lost it; run 'git sage fsck --repair' to restore it, or 'git sage fsck --accept main' to accept the loss"},
		{remedy.For(errors.New("no action 7"), remedy.ListActions.On().To("lists them")), "no action 7; 'git sage undo' lists them"},
		{remedy.For(errors.New("odd"), remedy.Typed("fix it")), "odd; fix it"},
	} {
		if got := Error(tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}

func TestCure(t *testing.T) {
	for _, tt := range []struct {
		remedies []remedy.Remedy
		want     string
	}{
		{nil, ""},
		{[]remedy.Remedy{remedy.FinishPurge.On()}, "git sage purge --finish"},
		{[]remedy.Remedy{remedy.RemoveCheckpoint.On()}, "git sage checkpoint rm <id>"},
		{[]remedy.Remedy{remedy.ListChanges.On()}, "git sage knowledge log"},
		{[]remedy.Remedy{remedy.Repair.On().To("moves it aside"), remedy.AcceptLoss.On("main").To("accepts the loss")}, "'git sage fsck --repair' moves it aside; 'git sage fsck --accept main' accepts the loss"},
		{[]remedy.Remedy{remedy.StartLine.On("3f2a91c0", "idea")}, "git sage branch idea 3f2a91c0"},
		{[]remedy.Remedy{remedy.StartLine.On("3f2a91c0")}, "git sage branch <name> 3f2a91c0"},
	} {
		if got := Cure(tt.remedies); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.remedies, got, tt.want)
		}
	}
}

// TestEveryRemedyIsTyped holds the table to the constants of package remedy.
func TestEveryRemedyIsTyped(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../gitstore/remedy/remedy.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		lit, _ := spec.Values[0].(*ast.BasicLit)
		if lit == nil || lit.Kind != token.STRING {
			return true
		}
		n++
		do, _ := strconv.Unquote(lit.Value)
		if e := typed[remedy.Do(do)]; e.command+e.say == "" && remedy.Do(do) != remedy.Line {
			t.Errorf("nothing is typed for %s", spec.Names[0].Name)
		}
		return true
	})
	if n != len(typed)+1 {
		t.Errorf("%d remedies, %d of them typed", n, len(typed))
	}
}
