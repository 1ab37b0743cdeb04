package digest

import (
	"time"

	"github.com/git-sage/git-sage/gitstore/redact"
)

// A Cost is what it took to look for secrets, and what was found.
type Cost struct {
	Bytes int64 // of text that was looked at
	Took  time.Duration
	Found []redact.Finding
}

// Add adds a text. Of nil nobody wants to know.
func (c *Cost) Add(bytes int, took time.Duration, found []redact.Finding) {
	if c == nil {
		return
	}
	c.Bytes += int64(bytes)
	c.Took += took
	c.Found = redact.Merge(c.Found, found)
}
