package continuity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/internal/opening"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/templates"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

// Shares of what an injection has room for. What a part leaves the checkpoint takes, and
// then the client's summary, for who did not make it: a session has its own in front of it.
const (
	queueShare    = 0.12
	othersShare   = 0.06
	linkedShare   = 0.20
	failuresShare = 0.10
	summaryShare  = 0.25
	queueLines    = 10
)

// Open is [opening.Opener.Open] with the bundle in the place of the brief.
func (c *Continuity) Open(ctx context.Context, maxChars int) (opening.Opening, error) {
	return c.rs.opening.OpenWith(ctx, maxChars, opening.Share, c.Items(), "", func(ctx context.Context, chars int) (string, []string, error) {
		text, err := c.Bundle(ctx, chars)
		return text, nil, err // Delivered notes them
	})
}

// Items are those that it brings back.
func (c *Continuity) Items() []search.Recalled { return slices.Concat(c.linked, c.failures) }

const continuityOrigin = "git-sage continuity"

// Bundle is what the session is shown, in a fence, within maxChars characters as a
// client counts them (0 is [session.MaxSessionChars]): the client's summary, unless it is of
// this very session, the last checkpoint with substance, what the session saved beside it
// since the last time and other sessions did lately, items that it is linked to and
// failures that fit it; behind it, in a fence of its own, what was recovered since that
// checkpoint.
func (c *Continuity) Bundle(ctx context.Context, maxChars int) (string, error) {
	if maxChars <= 0 || maxChars > session.MaxSessionChars {
		maxChars = session.MaxSessionChars
	}
	room := maxChars
	if c.restored == nil {
		room -= maxChars / session.RecoveryShare // the rest is for what stands before it
	}
	after, err := c.rs.session.RecoveredBrief(ctx, c.recovery, c.st, c.restored != nil, room)
	c.rs.stores.Complain(err) // what somebody thought about is worth more
	if after != "" {
		after = "\n" + after
		maxChars -= brief.Units(after)
	}
	head := brief.Harmless(c.why() + c.rs.session.Head(c.latest, c.st))
	room = maxChars - brief.Units(brief.Fence(continuityOrigin, "")) - brief.Units(head)
	share := func(of float64) int { return min(room, int(of*float64(maxChars))) }
	tail := c.queued(share(queueShare)) + c.besides(share(othersShare)) +
		c.listed(ctx, "Linked knowledge", c.linked, share(linkedShare)) +
		c.listed(ctx, "What did not work", c.failures, share(failuresShare))
	room -= brief.Units(tail)
	summary := brief.Harmless(c.Summary)
	restored, err := c.brief(ctx, room-min(share(summaryShare), brief.Units(summary)))
	if err != nil {
		return "", err
	}
	return brief.Fence(continuityOrigin, head+summarised(summary, room-brief.Units(restored))+restored+tail) + after, nil
}

// why says what this is, in the words of who marked it, if they are somebody's own.
func (c *Continuity) why() string {
	switch {
	case c.Reason == "" || c.Reason == "compaction" || strings.HasPrefix(c.Reason, "precompact"):
		return "Context was compacted. Where you were:\n"
	default:
		return "Context was lost (" + brief.Line(c.Reason, 200) + "). Where you were:\n"
	}
}

// brief is the checkpoint, as much of it as there is room for.
func (c *Continuity) brief(ctx context.Context, room int) (string, error) {
	if c.restored == nil {
		return "", nil
	}
	for chars := room; chars > 0; {
		text, err := c.rs.templates.Brief(ctx, c.restored, templates.BriefOptions{MaxChars: chars})
		if err != nil {
			return "", err
		}
		text = brief.Harmless(text)
		over := brief.Units(text) - room
		if over <= 0 {
			return text, nil
		}
		chars -= (over + 1) / 2 // a character counts at most twice
	}
	return "", &brief.TooLongError{ID: c.restored.ID, Room: room}
}

// summarised is the client's summary, its beginning if there is no room for more.
func summarised(text string, room int) string {
	const head, least = "## The client's summary of the conversation\n", 100
	room -= brief.Units(head) + 2
	if text == "" || room < least {
		return ""
	}
	return head + cut.Units(strings.TrimSpace(text), room) + "\n\n"
}

// queued lists what the session saved since the last time, newest first.
func (c *Continuity) queued(room int) string {
	if len(c.queue) == 0 {
		return ""
	}
	return named(fmt.Sprintf("\n## Also saved by this session, newest first (%d)\n", len(c.queue)), c.queue, room)
}

// besides lists what other sessions saved lately.
func (c *Continuity) besides(room int) string {
	if len(c.others) == 0 {
		return ""
	}
	return named("\n## Saved by other sessions in the last hours, newest first\n", c.others, room)
}

// named lists checkpoints under a heading, a line each.
func named(heading string, list []gitstore.Record, room int) string {
	lines := []string{heading}
	for _, r := range cut.First(list, queueLines) {
		says := r.Thesis
		if says == "" {
			says = r.Description
		}
		lines = append(lines, fmt.Sprintf("- %s%s: %s\n", brief.ShortID(r.ID), provenance.Aside(r, ""), brief.Line(provenance.Said(r.Own, says), 160)))
	}
	return brief.AsManyAs(lines, room)
}

// listed shows items under a heading.
func (c *Continuity) listed(ctx context.Context, heading string, items []search.Recalled, room int) string {
	lines := []string{"\n## " + heading + "\n"}
	for _, r := range items {
		notes := strings.Join(append(r.Notes(), ""), "\n")
		lines = append(lines, fmt.Sprintf("### %s (%s)\n%s\n%s", r.Item.ID, c.rs.prompts.AboutItem(ctx, r), r.Shown(), notes))
	}
	return brief.AsManyAs(lines, room)
}
