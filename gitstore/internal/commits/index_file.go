package commits

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/identity"
)

// The file has lines: what it is, `shallow <depth>` of a shallow clone, `tip <ref> <id>`,
// `person <name> <mail>` (quoted), for each commit `<id> <recorded> <person> <kind>
// [<parent>...]`, where persons and parents are numbers in the order of the file, and a
// checksum. A kind is a sum of 1 for a tombstone, 2 for a recovery, 4 for what rules made,
// 8 for a join.
const indexHead = "git-sage annals 4"

func (a *CommitIndex) encode() []byte {
	var b bytes.Buffer
	b.WriteString(indexHead + "\n")
	if a.depth != "" {
		b.WriteString("shallow " + a.depth + "\n")
	}
	for _, name := range slices.Sorted(maps.Keys(a.tips)) {
		fmt.Fprintf(&b, "tip %s %s\n", name, a.tips[name])
	}
	for _, p := range a.people {
		fmt.Fprintf(&b, "person %q %q\n", p.Name, p.Mail)
	}
	var line []byte
	for i := range a.List {
		n := &a.List[i]
		line = append(append(line[:0], n.ID...), ' ')
		line = strconv.AppendInt(line, n.Recorded, 10)
		line = strconv.AppendInt(append(line, ' '), int64(n.person), 10)
		line = strconv.AppendInt(append(line, ' '), int64(n.kind()), 10)
		for _, p := range n.Parents {
			line = strconv.AppendInt(append(line, ' '), int64(p), 10)
		}
		b.Write(append(line, '\n'))
	}
	fmt.Fprintf(&b, "sum %08x\n", crc32.ChecksumIEEE(b.Bytes()))
	return b.Bytes()
}

// kind is what sort of commit it is.
func (n *IndexedCommit) kind() (kind int) {
	for i, is := range []bool{n.Tombstone, n.Recovery, n.ByRules, n.Join} {
		if is {
			kind += 1 << i
		}
	}
	return kind
}

// parseIndex reads what encode wrote; of anything else there are none.
func parseIndex(text string) (a CommitIndex) {
	at := strings.LastIndex(text, "sum ")
	if at < 0 || text[at:] != fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE([]byte(text[:at]))) {
		return CommitIndex{}
	}
	head, text, _ := strings.Cut(text[:at], "\n")
	if head != indexHead {
		return CommitIndex{}
	}
	n := strings.Count(text, "\n")
	a.tips, a.List = map[string]string{}, make([]IndexedCommit, 0, n)
	parents := make([]int, 0, n+n/8) // of all: one piece of memory
	for text != "" {
		l, rest, _ := strings.Cut(text, "\n")
		word, fields, _ := strings.Cut(l, " ")
		ok := true
		switch word {
		case "shallow":
			a.depth = fields
		case "tip":
			name, id, _ := strings.Cut(fields, " ")
			a.tips[name] = id
		case "person":
			ok = a.addPerson(fields)
		default:
			parents, ok = a.addCommit(word, fields, parents)
		}
		if text = rest; !ok {
			return CommitIndex{}
		}
	}
	if slices.ContainsFunc(a.List, func(n IndexedCommit) bool {
		return n.person >= len(a.people) || slices.ContainsFunc(n.Parents, func(p int) bool { return p >= len(a.List) })
	}) {
		return CommitIndex{}
	}
	return a
}

func (a *CommitIndex) addPerson(s string) bool {
	name, err := strconv.QuotedPrefix(s)
	if err != nil {
		return false
	}
	var p identity.Person
	mail := strings.TrimPrefix(s[len(name):], " ")
	p.Name, err = strconv.Unquote(name)
	if err == nil {
		p.Mail, err = strconv.Unquote(mail)
	}
	a.people = append(a.people, p)
	return err == nil
}

// addCommit reads the numbers behind an id; parents go behind those of others.
func (a *CommitIndex) addCommit(id, fields string, parents []int) ([]int, bool) {
	n, from, ok := IndexedCommit{ID: id}, len(parents), true
	for i := 0; fields != ""; i++ {
		var x int
		if x, fields, ok = cutNumber(fields); !ok {
			return parents, false
		}
		switch i {
		case 0:
			n.Recorded = int64(x)
		case 1:
			n.person = x
		case 2:
			n.Tombstone, n.Recovery, n.ByRules, n.Join = x&1 > 0, x&2 > 0, x&4 > 0, x&8 > 0
		default:
			parents = append(parents, x)
		}
	}
	n.Parents = parents[from:len(parents):len(parents)]
	a.List = append(a.List, n)
	return parents, true
}

// cutNumber takes a number off the front of a line.
func cutNumber(s string) (n int, rest string, ok bool) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9' && i < 18; i++ {
		n = 10*n + int(s[i]-'0')
	}
	if i == 0 || i < len(s) && s[i] != ' ' {
		return 0, "", false
	}
	return n, strings.TrimPrefix(s[i:], " "), true
}
