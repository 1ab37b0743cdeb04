package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/references"
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

// Changes is what notes --json prints of the commits of a range.
type Changes struct {
	Topics  []changeTopic `json:"topics"`
	Other   []plainCommit `json:"other_commits"` // that nothing explains
	Open    []string      `json:"open_questions"`
	Commits int           `json:"commits"`
}

type changeTopic struct {
	Question    string             `json:"core_question,omitempty"`
	Conclusions []changeConclusion `json:"conclusions"`
	Commits     []plainCommit      `json:"commits"`
}

type changeConclusion struct {
	ID         string   `json:"id"`
	Thesis     string   `json:"thesis"`
	From       string   `json:"from,omitempty"` // who wrote it, if nobody here stands for it
	Confidence *float64 `json:"confidence,omitempty"`
	Evidence   []string `json:"key_evidence,omitempty"`
}

type plainCommit struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
}

// ChangesOf are changes and why they were made.
func ChangesOf(c *references.Changes) Changes {
	out := Changes{Topics: []changeTopic{}, Other: plainCommits(c.Other), Open: NotNil(c.Open), Commits: c.Commits}
	for _, t := range c.Topics {
		topic := changeTopic{Question: t.Question, Commits: plainCommits(t.Commits)}
		for _, x := range t.Conclusions {
			topic.Conclusions = append(topic.Conclusions, changeConclusion(x))
		}
		out.Topics = append(out.Topics, topic)
	}
	return out
}

func plainCommits(list []gitstore.NotedCommit) []plainCommit {
	out := []plainCommit{}
	for _, c := range list {
		out = append(out, plainCommit{c.ID, c.Subject})
	}
	return out
}
