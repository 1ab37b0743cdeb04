package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// NotedCommit is what --json prints of a commit of the user's own.
type NotedCommit struct {
	Commit      string    `json:"commit"`
	Parents     []string  `json:"parents"`
	Author      string    `json:"author"`
	Time        time.Time `json:"ts"`
	Subject     string    `json:"subject"`
	Checkpoints []Record  `json:"checkpoints"` // that explain it, the oldest first
}

// NotedCommitOf is a commit and what explains it.
func NotedCommitOf(c gitstore.NotedCommit) NotedCommit {
	out := NotedCommit{c.ID, NotNil(c.Parents), c.Author, c.Time.UTC(), c.Subject, []Record{}}
	for _, r := range c.Checkpoints {
		out.Checkpoints = append(out.Checkpoints, RecordOf(r))
	}
	return out
}
