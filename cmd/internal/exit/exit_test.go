package exit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
)

func TestReport(t *testing.T) {
	full := strings.Repeat("3f2a91c0", 5)
	for _, tt := range []struct {
		err    error
		status int
		want   string
	}{
		{nil, 0, ""},
		{ErrNo, 1, ""},
		{Status(7), 7, ""},
		{fmt.Errorf("write: %w", syscall.EPIPE), 141, ""},
		{fmt.Errorf("git log: %w", context.Canceled), 130, ""},
		{usage.Errorf("no %s", "way"), 129, "error: no way\n"},
		{errors.New("bad\nthing\x1b"), 128, "fatal: bad thing\\u{1b}\n"},
		{WithHint(errors.New("bad"), "do %d", 1), 128, "fatal: bad\nhint: do 1\n"},
		{fmt.Errorf("'x': %w", gitstore.ErrNotFound), 128, "fatal: 'x': no such checkpoint\nhint: 'git sage log --all' lists all checkpoints\n"},
		{&gitstore.NotFoundError{Name: "HEAD~1"}, 128, "fatal: no such checkpoint: 'HEAD~1'\nhint: HEAD belongs to your code; use '@' for where you stand, '@~1' for the checkpoint before it\n"},
		{&gitstore.NotFoundError{Kind: "tag", Name: "v1"}, 128, "fatal: no tag 'v1'\nhint: 'git sage tag' lists all tags\n"},
		{
			&gitstore.AmbiguousError{Prefix: "3f", Candidates: []gitstore.Record{{ID: full, Description: "one", Own: true}}}, 128,
			"fatal: short id '3f' is ambiguous\nhint: the candidates are:\nhint:   3f2a91c0 one\n",
		},
		{
			&gitstore.AmbiguousError{Prefix: full[:8], Candidates: []gitstore.Record{{ID: full, Description: "one", Own: true}, {ID: full[:9] + "x", Description: "two"}}}, 128,
			"fatal: short id '3f2a91c0' is ambiguous\nhint: the candidates are:\nhint:   3f2a91c03f one\nhint:   3f2a91c03x (unconfirmed) two\n",
		},
		{
			fmt.Errorf("list: %w", &gitstore.GitError{Command: "log", Code: -1}), 128,
			"fatal: list: git log: killed ()\nhint: git was killed (out of memory?); run the command again\n",
		},
		{
			fmt.Errorf("write objects: %w", syscall.ENOSPC), 128,
			"fatal: write objects: no space left on device\nhint: check free space with 'df -h .' and 'df -i .'; nothing that was saved is lost\n",
		},
		{
			&gitstore.GitError{Command: "update-ref", Code: 128, Stderr: "fatal: prepare: cannot update ref 'refs/sage/heads/main': couldn't write 'main.lock'\n"}, 128,
			"fatal: git update-ref: prepare: cannot update ref 'refs/sage/heads/main': couldn't write 'main.lock'\nhint: check free space with 'df -h .' and 'df -i .'; nothing that was saved is lost\n",
		},
	} {
		var out bytes.Buffer
		a := &term.Terminal{Err: &out}
		if got := Report(a, nil, tt.err); got != tt.status || out.String() != tt.want {
			t.Errorf("%v: status %d, %q; want %d, %q", tt.err, got, out.String(), tt.status, tt.want)
		}
	}
}
