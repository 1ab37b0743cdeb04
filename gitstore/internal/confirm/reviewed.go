package confirm

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// The file sage/reviewed lists what a person looked at and left as it is, by sums of what
// was shown, one a line: two items that say nearly the same, or one that was never recalled.
// It is asked about again only when it says something else.

func (co *Confirmer) reviewedFile() string { return co.repo.Dir("reviewed") }

// Reviewed returns the sums that [Confirmer.NoteReviewed] noted.
func (co *Confirmer) Reviewed() (map[string]bool, error) {
	b, err := fsx.ReadOwn(co.reviewedFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the list of reviewed items: %w", err)
	}
	sums := map[string]bool{}
	for l := range strings.Lines(string(b)) {
		sums[strings.TrimSpace(l)] = true
	}
	return sums, nil
}

// NoteReviewed adds a sum, which is a word, to [Confirmer.Reviewed].
func (co *Confirmer) NoteReviewed(sum string) error {
	if _, err := fsx.Append(co.reviewedFile(), []byte(sum+"\n")); err != nil {
		return fmt.Errorf("record the review: %w", err)
	}
	return nil
}
