package hooks

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// maxLog is how large the log grows before it is set aside; one old log is kept.
const maxLog = 256 << 10

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

// note appends what went wrong to hooks.log in dir. There is nobody to tell if
// that fails.
func note(dir string, now time.Time, event string, what error) {
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		return
	}
	file := filepath.Join(dir, "hooks.log")
	st, err := os.Lstat(file)
	if err == nil && !st.Mode().IsRegular() { // a link may lead anywhere
		return
	}
	if err == nil && st.Size() > maxLog && os.Rename(file, file+".1") != nil {
		return
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	lines := strings.Split(strings.TrimSpace(what.Error()), "\n")
	for i, l := range lines[:min(len(lines), 40)] { // a panic's stack has that many that matter
		lines[i] = sage.Visible(l)
	}
	text := strings.Join(lines[:min(len(lines), 40)], "\n\t")
	fmt.Fprintf(f, "%s %s: %s\n", now.UTC().Format(time.RFC3339), event, cut(text, 8000))
}
