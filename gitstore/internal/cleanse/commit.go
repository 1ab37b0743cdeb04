package cleanse

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/write"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// A rawCommit is a commit taken apart so far that it can be put together again
// without changing what nobody asked to change.
type rawCommit struct {
	id, Tree     string
	Parents      []string
	head         string // author, committer and further headers
	Message      string
	Ours         bool
	kind         record.Kind
	writerRecord record.Record
}

func ParseRaw(id string, data []byte) rawCommit {
	r := rawCommit{id: id}
	head, msg, _ := bytes.Cut(data, []byte("\n\n"))
	r.Message = string(msg)
	for l := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		switch key {
		case "tree":
			r.Tree = value
		case "parent":
			r.Parents = append(r.Parents, value)
		default:
			r.head += strings.TrimSuffix(l, "\n") + "\n"
		}
	}
	r.Ours = r.writerRecord.ParseMessage(r.Message)
	r.kind = r.writerRecord.Kind
	return r
}

func (r rawCommit) subject() string {
	s, _, _ := strings.Cut(r.Message, "\n")
	return s
}

// encode prints the commit without its signature, which is of the old one.
func (r rawCommit) encode() []byte {
	var b bytes.Buffer
	b.Grow(len(r.head) + len(r.Message) + 80*(2+len(r.Parents)))
	b.WriteString("tree " + r.Tree + "\n")
	for _, p := range r.Parents {
		b.WriteString("parent " + p + "\n")
	}
	signature := false
	for l := range strings.Lines(r.head) {
		if !strings.HasPrefix(l, " ") {
			signature = strings.HasPrefix(l, "gpgsig") || strings.HasPrefix(l, "mergetag ")
		}
		if !signature {
			b.WriteString(l)
		}
	}
	b.WriteString("\n" + r.Message)
	return b.Bytes()
}

// words cleans the names and the message of a commit whose tree is clean. The
// message of a checkpoint whose text changed is made anew: it holds parts of that
// text, cut to length, in which a pattern need not be found.
func (c *Cleaner) words(old rawCommit, next *rawCommit, rival bool) error {
	if (rival || next.Tree != old.Tree || c.Rule.Foreign && c.lies(old, next.Tree)) && (old.kind == record.KindCheckpoint || old.kind == record.KindMerge) {
		if err := c.retell(old, next); err != nil {
			return err
		}
	}
	m := c.matcher(c.site(old))
	if m == nil {
		return nil
	}
	next.Message = c.Replace(m, next.Message)
	next.head = c.replacePeople(m, next.head)
	var r record.Record
	if old.Ours && (!r.ParseMessage(next.Message) || r.Kind != old.kind) {
		return errShape
	}
	return nil
}

// retell makes the message of a checkpoint again, from its cleaned file. Lines of
// the last paragraph that a later version wrote stay.
func (c *Cleaner) retell(old rawCommit, next *rawCommit) error {
	file, err := c.checkpointOf(next.Tree)
	if err != nil || file == nil {
		return err
	}
	cp, err := codec.Parse(file)
	if err != nil {
		return nil // damaged before; the pattern is still taken out of the message
	}
	next.Message = record.Message(cp, old.kind, sage.Describe(cp, cp.MessageCount))
	at := strings.LastIndex(strings.TrimRight(old.Message, "\n"), "\n\n")
	for l := range strings.Lines(old.Message[at+2:]) {
		if key, _, _ := strings.Cut(l, ": "); !slices.Contains(trailerKeys, strings.TrimPrefix(key, "Sage-")) {
			next.Message += strings.TrimRight(l, "\n") + "\n"
		}
	}
	return nil
}

// lies reports whether the message of a checkpoint does not tell what its text says.
func (c *Cleaner) lies(old rawCommit, tree string) bool {
	file, err := c.checkpointOf(tree)
	if err != nil || file == nil {
		return false
	}
	cp, err := codec.Parse(file)
	return err == nil && admission.Mismatch(&old.writerRecord, cp) != nil
}

// trailerKeys are those that message writes, and those that only a tombstone has.
var trailerKeys = []string{
	"Format", "Kind", "Trigger", "Confidence", "Skill", "Project", "Template", "Question", "Messages", "Tokens",
	"Code", "Session", "Agent", "Alias", "Removes", "Restores",
}

// checkpointOf is the text of the checkpoint in a tree, nil if there is none.
func (c *Cleaner) checkpointOf(tree string) ([]byte, error) {
	list, err := readTree(c, tree)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.Name == "checkpoint.md" {
			f, err := c.Get(e.ID)
			return f.Data, err
		}
	}
	return nil, nil
}

// replacePeople cleans the names and addresses of the header.
func (c *Cleaner) replacePeople(m Matcher, head string) string {
	var b strings.Builder
	for l := range strings.Lines(head) {
		key, value, _ := strings.Cut(l, " ")
		at := strings.LastIndex(value, "> ")
		if (key == "author" || key == "committer") && at >= 0 {
			l = key + " " + c.replacePerson(m, value[:at]) + value[at:]
		}
		b.WriteString(l)
	}
	return b.String()
}

func (c *Cleaner) replacePerson(m Matcher, who string) string {
	name, mail, _ := strings.Cut(who, " <")
	return c.Replace(m, name) + " <" + c.Replace(m, mail)
}

// tombstone takes dropped checkpoints off what it removes or restores. empty says
// that nothing is left of it. A subject that tells of a checkpoint whose text is
// purged is shortened: it may hold a part of that.
func (c *Cleaner) tombstone(t rawCommit) (next rawCommit, empty bool, err error) {
	key, ids := "removes", t.writerRecord.Removes
	if len(ids) == 0 {
		key, ids = "restores", t.writerRecord.Restores
	}
	left := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, gone := c.Known.Follow(id)
		return gone || c.Rule.Drop[id]
	})
	if len(left) == 0 && len(ids) > 0 {
		return t, true, nil
	}
	if len(left) < len(ids) {
		c.without(&t, key, left)
	}
	if len(ids) == 1 && c.tells(t, ids[0]) {
		verb, _, _ := strings.Cut(t.subject(), " ")
		_, rest, _ := strings.Cut(t.Message, "\n")
		t.Message = verb + " " + record.Short(ids[0]) + "\n" + rest
	}
	return t, false, nil
}

// without writes a tombstone of fewer ids.
func (c *Cleaner) without(t *rawCommit, key string, left []string) {
	var file strings.Builder
	fmt.Fprintf(&file, "format: %d\n%s:\n", record.PlainFormat(), key)
	for _, id := range left {
		fmt.Fprintf(&file, "  - %s\n", id)
	}
	blob := c.add("blob", []byte(file.String()))
	t.Tree = c.add("tree", gittree.Encode(gittree.Entry{Mode: gittree.ModeFile, Name: "tombstone.yaml", ID: blob}))
	var msg strings.Builder
	for l := range strings.Lines(t.Message) {
		_, id, ok := strings.Cut(strings.TrimRight(l, "\n"), "s: ")
		if named := ok && (strings.HasPrefix(l, "Sage-Removes: ") || strings.HasPrefix(l, "Sage-Restores: ")); !named || slices.Contains(left, id) {
			msg.WriteString(l)
		}
	}
	t.Message = msg.String()
}

// tells reports whether the text of a checkpoint is one that is purged, here or
// by an earlier purge.
func (c *Cleaner) tells(t rawCommit, id string) bool {
	if now, _ := c.Known.Follow(id); now != id {
		return c.retold(t, now)
	}
	raw, err := c.read(id)
	if err != nil || raw.Type != "commit" {
		return false
	}
	tree := ParseRaw(id, raw.Data).Tree
	now, err := c.tree(tree, "", site{})
	return err == nil && now != tree
}

// retold reports whether a purge changed what the subject of a tombstone tells.
func (c *Cleaner) retold(t rawCommit, now string) bool {
	if _, err := c.read(now); err != nil {
		return true
	}
	r, err := c.s.commits.CommitRecord(now)
	verb, _, _ := strings.Cut(t.subject(), " ")
	return err != nil || t.subject() != write.SubjectOf(verb, []record.Record{{ID: t.writerRecord.IDs()[0], Description: r.Description}})
}
