package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// queuePart of what is kept of a session are the checkpoints that other sessions are told
// of when something is brought back to them.
const queuePart = "queue"

const (
	// QueuedFor is for how long other sessions are told of a checkpoint: over a break,
	// not into the next day.
	QueuedFor = 4 * time.Hour
	// queueKeeps is when an entry is forgotten.
	queueKeeps = 24 * time.Hour
	mostQueued = 50 // entries of a session; the oldest go
)

// A Queued is a checkpoint that waits to be told of.
type Queued struct {
	Checkpoint string    `json:"checkpoint"` // id
	Time       time.Time `json:"time"`       // when it was put there
}

// Enqueue puts a checkpoint into the queue of the store's session. One that is there
// stays as it is.
func (s *files) Enqueue(id string) error {
	if s.repo.Options.Session == "" || !record.IsHex(id) {
		return nil
	}
	now := s.repo.Options.Now().UTC().Truncate(time.Second)
	list := parseQueue(s.Kept(queuePart), now)
	if slices.ContainsFunc(list, func(q Queued) bool { return q.Checkpoint == id }) {
		return nil
	}
	list = append(list, Queued{id, now})
	b, err := json.Marshal(list[max(0, len(list)-mostQueued):])
	if err != nil {
		return err
	}
	s.forgetQueues(now)
	if err := s.Keep(queuePart, append(b, '\n')); err != nil {
		return fmt.Errorf("queue the checkpoint: %w", err)
	}
	return nil
}

// parseQueue reads a queue, without what is forgotten by now. What comes from a clock
// that was ahead is as of now.
func parseQueue(b []byte, now time.Time) (list []Queued) {
	if json.Unmarshal(b, &list) != nil {
		return nil
	}
	return slices.DeleteFunc(list, func(q Queued) bool { return !record.IsHex(q.Checkpoint) || now.Sub(q.Time) > queueKeeps })
}

// QueuedByOthers are the checkpoints that other sessions of the repository put into their
// queues in the last 4 hours, the newest first. Those of the store's session are its own
// history, which needs no queue.
func (s *files) QueuedByOthers() (out []Queued) {
	now := s.repo.Options.Now()
	for _, file := range s.queueFiles() {
		if s.repo.Options.Session != "" && file == s.keptFile(queuePart) {
			continue
		}
		b, _ := fsx.ReadOwn(file) // unreadable: there is nothing
		for _, q := range parseQueue(b, now) {
			if q.Checkpoint = s.rewritten.StandIn(q.Checkpoint); now.Sub(q.Time) <= QueuedFor && q.Checkpoint != "" {
				out = append(out, q)
			}
		}
	}
	slices.SortFunc(out, func(a, b Queued) int {
		return cmp.Or(b.Time.Compare(a.Time), strings.Compare(a.Checkpoint, b.Checkpoint))
	})
	return out
}

func (s *files) queueFiles() (out []string) {
	list, _ := fsx.ReadDir(s.repo.Dir("sessions"))
	for _, e := range list {
		if strings.HasSuffix(e.Name(), "."+queuePart+".json") && e.Type().IsRegular() {
			out = append(out, s.repo.Dir("sessions", e.Name()))
		}
	}
	return out
}

// forgetQueues removes the queues in which everything is forgotten.
func (s *files) forgetQueues(now time.Time) {
	for _, file := range s.queueFiles() {
		if b, err := fsx.ReadOwn(file); err == nil && len(parseQueue(b, now)) == 0 {
			_ = fsx.Remove(file)
		}
	}
}
