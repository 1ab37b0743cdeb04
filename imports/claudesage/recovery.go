package claudesage

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// recoverySections are the headings of a recovery, in the order in which the tool wrote them.
var recoverySections = []string{"Core Question", "Thesis", "Summary", "Decisions", "Open Threads", "Resolutions", "Context"}

var confidenceLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\*Confidence: \d+%\*$`) })

// readRecovery reads the body of what the tool rescued out of a conversation into c, which has
// what the front matter says.
func readRecovery(c *sage.Checkpoint, body string) {
	found := sectionsOf(body, recoverySections)
	topic := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(found[""]), "# "))
	lines := strings.Split(found["Thesis"], "\n")
	if len(lines) > 0 && confidenceLine().MatchString(strings.TrimSpace(lines[0])) {
		lines = lines[1:]
	}
	thesis := strings.TrimSpace(strings.Join(lines, "\n"))
	for _, s := range []string{thesis, topic} {
		if c.Thesis == "" {
			c.Thesis = s
		}
	}
	if c.CoreQuestion == "" {
		c.CoreQuestion = strings.TrimSpace(found["Core Question"])
	}
	if topic != "" && topic != legible.OneLine(c.Thesis) {
		c.Description = legible.OneLine(topic)
	}
	c.ReasoningTrace = strings.TrimSpace(found["Summary"])
	c.KeyEvidence = slices.Concat(bullets(found["Decisions"]), bullets(found["Resolutions"]))
	c.OpenQuestions = bullets(found["Open Threads"])
	for line := range strings.Lines(found["Context"]) {
		if list, ok := strings.CutPrefix(strings.TrimSpace(line), "**Files touched:** "); ok {
			c.FilesExplored = strings.Split(list, ", ")
		}
		if list, ok := strings.CutPrefix(strings.TrimSpace(line), "**Tools used:** "); ok {
			c.Extra = append(c.Extra, sage.Entry{Key: "tools_used", Value: list})
		}
	}
}

// sectionsOf are the texts below known headings of the second level, which count in their order
// and behind a blank line; "" has what comes first.
func sectionsOf(body string, heads []string) map[string]string {
	out, now, next := map[string]string{}, "", 0
	var b strings.Builder
	before := ""
	for line := range strings.Lines(body + "\n") {
		name, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "## ")
		at := -1
		if ok && strings.TrimSpace(before) == "" {
			at = slices.Index(heads[next:], strings.TrimSpace(name))
		}
		if before = line; at < 0 {
			b.WriteString(line)
			continue
		}
		out[now] = b.String()
		b.Reset()
		now, next = heads[next+at], next+at+1
	}
	out[now] = b.String()
	return out
}

// bullets are the items of a list, a line each.
func bullets(text string) (out []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if item, ok := strings.CutPrefix(line, "- "); ok {
			out = append(out, item)
		} else if strings.TrimSpace(line) != "" && len(out) > 0 {
			out[len(out)-1] += "\n" + line
		}
	}
	return out
}
