package hooks

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/hooks/internal/logfile"
)

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
	if dir != "" {
		logfile.Append(filepath.Join(dir, "hooks.log"), now, event, what.Error())
	}
}
