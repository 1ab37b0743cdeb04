package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/verify"
)

// conversationsWell says what is kept of conversations, and what waits to be. Where
// nothing is, nothing is said.
func (ex *Examiner) conversationsWell(ctx context.Context) []Diagnosis {
	refs, err := ex.transcripts.PrivateRefs()
	if err != nil {
		return []Diagnosis{oddity("conversations", repo.PlainError(err)+": none can be read", "give yourself the right to read '"+ex.transcripts.PrivateDir()+"'")}
	}
	wanted, err := ex.transcripts.Wanted()
	if err != nil {
		return []Diagnosis{oddity("conversations", err.Error(), "git sage fsck")}
	}
	if len(refs) == 0 && len(wanted) == 0 {
		return nil
	}
	var size int64
	for _, f := range repo.FilesBelow(ex.transcripts.PrivateDir()) {
		if st, err := fsx.Lstat(f); err == nil {
			size += st.Size()
		}
	}
	say := []string{fmt.Sprintf("of %s, %s", repo.Count(len(refs), "session"), bytesOf(uint64(size)))}
	if len(wanted) > 0 {
		say = append(say, fmt.Sprintf("%d more to be kept", len(wanted)))
	}
	if late := verify.LateOf(ex.verify, wanted); late > 0 {
		return []Diagnosis{oddity("conversations", strings.Join(say, "; ")+fmt.Sprintf("; %d wait for longer than an hour: see hooks.log in '%s'", late, ex.repo.Dir()), "echo {} | git sage hook keeping")}
	}
	return ok("conversations", strings.Join(say, "; "))
}
