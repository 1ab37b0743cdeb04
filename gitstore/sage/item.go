package sage

import (
	"strings"
	"time"
)

// An Item is something that is known for good: a fact, a preference, a thing to do,
// a place to look up, a way that did not work.
//
// What the fields hold is as it was read; [Item.Tidy] and [validate.Item] are for
// what a person or an agent gives.
type Item struct {
	ID          string // [a-z0-9][a-z0-9._-]{0,99}, see [naming.NameProblem]
	Type        ItemType
	Description string   // one line that tells it from others; of a skill when to use it
	Keywords    []string // whole words or phrases that bring it back
	Patterns    []string // RE2 that do, as [validate.CompilePattern] reads them
	When        []string // requests that want it, in other words than its own; found by, never shown as what it says
	Scope       Scope
	Source      string    // where it is from
	Added       time.Time // to the second
	Updated     time.Time

	Status      Status
	Reason      string // why it is deprecated
	Replacement string // id of the item to use in its place

	Links    []Link // to other items, by kind
	CodeRefs []CodeRef

	// Of a failure.
	Approach  string // what was tried
	WhyFailed string
	Learned   string

	Content string // Markdown without line ends around it; a merge may leave several versions in it, see package versions

	Aliases []string // ids that it had elsewhere; they resolve too

	// What merges leave for a person to settle.
	DeletedBy []string // commits where it had been removed while it was edited
	Variants  []Entry  // fields whose versions disagree: path and list of values; see [merge.Conflicts]

	// Extra holds front matter keys that this version does not know, in the
	// order in which they were read. They survive edits.
	Extra []Entry
}

// An ItemType says what sort of item it is.
type ItemType string

// The types. An unknown one is kept as it is when read, and refused when given by
// a user.
const (
	Knowledge  ItemType = "knowledge"
	Preference ItemType = "preference"
	Todo       ItemType = "todo"
	Reference  ItemType = "reference"
	Failure    ItemType = "failure"

	// Of what stands elsewhere in the tree than knowledge.
	Note  ItemType = "note"  // pinned: in front of every session
	Skill ItemType = "skill" // what a skill is for
	Doc   ItemType = "doc"   // a text that belongs to a skill
)

// fact is the word that people read and type for [Knowledge]. Files and JSON keep the
// name of the type.
const fact = "fact"

// Kind is the word for a type in what people read: of type knowledge, fact.
func (t ItemType) Kind() string {
	if t == Knowledge {
		return fact
	}
	return string(t)
}

// TypeOf is the type that a word means: that of a kind, or its own name.
func TypeOf(word string) ItemType {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == fact {
		return Knowledge
	}
	return ItemType(word)
}

// A Status says whether an item still holds.
type Status string

// The statuses. In a merge the first of deprecated, archived, superseded, done,
// active, pending wins.
const (
	Active     Status = "active"
	Pending    Status = "pending" // a todo that is not done
	Done       Status = "done"
	Archived   Status = "archived"   // kept, and not recalled
	Deprecated Status = "deprecated" // no longer right; Reason and Replacement say more
	Superseded Status = "superseded" // another item says it now
)

// A Scope says when an item may be recalled. The zero Scope is everywhere.
type Scope struct {
	Skills []string // only while one of these is active
	Always bool     // whatever the prompt says
	Paths  []string // files or folders it is about, relative to the repository's root
	User   bool     // of this person, not of the project
	Extra  []Entry  // keys that this version does not know
}

// A LinkKind says how an item stands to another.
type LinkKind string

// The kinds of links. An unknown one is kept when read.
const (
	Related     LinkKind = "related"
	Supersedes  LinkKind = "supersedes" // the other one no longer counts
	Contradicts LinkKind = "contradicts"
	Extends     LinkKind = "extends"
)

// A Link points to another item.
type Link struct {
	Kind LinkKind
	To   string // its id; it need not be there
}

// MaxContent is the size of the longest content of an item, in bytes.
const MaxContent = 1 << 20

func (it *Item) SetDefaults() {
	if it.Type == "" {
		it.Type = Knowledge
	}
	if it.Status == "" {
		it.Status = Active
		if it.Type == Todo {
			it.Status = Pending
		}
	}
}
