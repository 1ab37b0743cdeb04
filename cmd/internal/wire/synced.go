package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
)

// Synced is what --json prints of a sync, behind an object for each ref that was merged.
type Synced struct {
	Remote  string   `json:"remote"`
	Changed bool     `json:"changed"` // something came
	Gone    []string `json:"gone"`    // refs that the remote had and deleted
	Sent    []Sent   `json:"sent"`
	Held    []string `json:"held"`             // refs that a person keeps from leaving
	Again   []string `json:"again,omitempty"`  // refs that the remote deleted and that wait for a person
	Branch  bool     `json:"branch,omitempty"` // the remote takes them as branches below git-sage/
	Off     []string `json:"off,omitempty"`    // forks that their line has, and that were taken off the remote
	Unsent  string   `json:"unsent,omitempty"` // why nothing was sent
	Failed  string   `json:"failed,omitempty"` // of one of all: why it was not synced with
	DryRun  bool     `json:"dry_run,omitempty"`
}

// Sent is one ref of it.
type Sent struct {
	Ref string `json:"ref"`
	Old string `json:"old,omitempty"`
	New string `json:"new"`
	Why string `json:"why,omitempty"` // the remote did not take it
}

// SyncedOf is what a sync did.
func SyncedOf(s gitstore.Synced) Synced {
	out := Synced{Remote: s.Remote, Changed: s.Arrived.Changed, Gone: append([]string{}, s.Arrived.Gone...), Held: append([]string{}, s.Pushed.Held...), Again: s.Pushed.Again, Branch: s.Pushed.Branch, Sent: []Sent{}}
	for _, r := range s.Pushed.Sent {
		sent := Sent{Ref: r.Ref, Old: r.Old, New: r.New}
		if r.Err != nil {
			sent.Why = hint.Error(r.Err)
		}
		out.Sent = append(out.Sent, sent)
	}
	for _, r := range s.Pushed.Off {
		out.Off = append(out.Off, r.Ref)
	}
	if s.Unsent != nil {
		out.Unsent = hint.Error(s.Unsent)
	}
	return out
}

// Remote is what --json prints of a remote.
type Remote struct {
	Name   string   `json:"name"`
	Fetch  string   `json:"fetch"`
	Push   []string `json:"push"`
	Shared bool     `json:"shared"`

	Encrypted bool       `json:"encrypted,omitempty"` // its host can read nothing of it
	Lines     []string   `json:"lines,omitempty"`     // that are shared; none is all
	Since     *time.Time `json:"since,omitempty"`
	Moved     bool       `json:"moved,omitempty"` // it was shared with another address, so nothing is sent
	Joined    bool       `json:"joined"`
	Looked    *time.Time `json:"looked,omitempty"`
	Why       string     `json:"why,omitempty"`
	Refs      int        `json:"refs"`
	Waiting   int        `json:"waiting"` // checkpoints that were fetched and not merged
	Refused   []string   `json:"refused,omitempty"`
}

// RemoteStatus is what waits between this memory and a remote.
type RemoteStatus struct {
	Remote  string   `json:"remote"`
	Waiting int      `json:"waiting,omitempty"` // checkpoints that it has and this memory has not
	Text    string   `json:"text,omitempty"`    // of what it has
	Shared  bool     `json:"shared"`
	Unsent  int      `json:"unsent,omitempty"` // refs that wait to be sent
	Names   []string `json:"-"`                // of these
	Failed  string   `json:"failed,omitempty"` // why it did not answer
	Refused []string `json:"refused,omitempty"`
}

// Survey is what --json prints of what would be shared.
type Survey struct {
	Remote      string         `json:"remote"`
	Push        []string       `json:"push"`
	Public      string         `json:"public,omitempty"`
	Lines       []string       `json:"lines"`
	Private     []string       `json:"private"`
	Forks       int            `json:"forks"`
	Tags        int            `json:"tags"`
	Checkpoints int            `json:"checkpoints"`
	Items       int            `json:"items"`
	Bytes       int64          `json:"bytes"`
	Secrets     map[string]int `json:"secrets"`
	Shared      bool           `json:"shared"`
}

// SurveyOf is what would be shared.
func SurveyOf(s gitstore.Survey, shared bool) Survey {
	out := Survey{Remote: s.Remote, Push: s.Push, Public: s.Public, Lines: append([]string{}, s.Lines...), Private: append([]string{}, s.Private...), Forks: s.Forks, Tags: s.Tags,
		Checkpoints: s.Checkpoints, Items: s.Items, Bytes: s.Bytes, Secrets: map[string]int{}, Shared: shared}
	for _, f := range s.Found {
		out.Secrets[f.Rule] = f.Count
	}
	return out
}
