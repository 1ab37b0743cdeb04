package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/internal/logfile"
	"github.com/git-sage/git-sage/internal/hint"
)

// report writes down what went wrong. Having no memory here is nothing wrong.
func (e *event) report(err error) {
	if err == nil || errors.Is(err, gitstore.ErrNotRepository) || errors.Is(err, gitstore.ErrDisabled) {
		return
	}
	dir := e.Home
	if e.mem != nil && e.mem.Store != nil {
		dir = e.mem.Store.Repo.Folder()
	}
	if !note(dir, e.now(), e.name, err) {
		e.tellOnce(err)
	}
}

// dear is from when on it is written down what looking for secrets took.
const dear = 20 * time.Millisecond

// reportCost writes down what was taken out of what was said, and what looking for it
// took. Where nothing was found and it took no time to speak of, only the end of a
// session says so: else the log would hold little else.
func (e *event) reportCost() {
	c := e.cost
	if len(c.Found) == 0 && c.Took < dear && (c.Bytes == 0 || e.name != Closing && e.name != Recovering && e.name != Keeping) {
		return
	}
	var found []string
	for _, f := range c.Found {
		found = append(found, fmt.Sprintf("%s (%d)", f.Rule, f.Count))
	}
	e.report(fmt.Errorf("looked for secrets in %d bytes of the conversation in %s, and took out: %s",
		c.Bytes, c.Took.Round(10*time.Microsecond), cmp.Or(strings.Join(found, ", "), "none")))
}

// note appends what went wrong to hooks.log in dir, and reports whether it could.
func note(dir string, now time.Time, event string, what error) bool {
	return dir != "" && logfile.Append(filepath.Join(dir, "hooks.log"), now, event, hint.Error(what))
}

// tellOnce says the first thing that went wrong on standard error, in a line, where it
// could not be written down: in a repository that may only be read an answer has all that
// there is, and this says what could not be kept.
func (e *event) tellOnce(what error) {
	if e.Err == nil || e.complained {
		return
	}
	e.complained = true
	fmt.Fprintf(e.Err, "git-sage: %s: %s\n", e.name, legible.OneLine(hint.Error(what)))
}
