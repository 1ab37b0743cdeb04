package remotes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// An agreement is what a person said of a remote. The file sage/remotes.json lists them, each
// behind the word that this user has here (see the package ownership): what stands in a
// repository that was copied lets nothing out.
type agreement struct {
	Word   string    `json:"word"`
	Name   string    `json:"remote"`
	Push   []string  `json:"push,omitempty"`   // addresses that may get the memory; of none nothing leaves
	Lines  []string  `json:"lines,omitempty"`  // that may leave; none is all
	Since  time.Time `json:"since,omitzero"`   // when that was said
	Sealed bool      `json:"sealed,omitempty"` // and only encrypted
	Joined bool      `json:"joined,omitempty"` // a person took in what it has: the background may go on with it
	Branch bool      `json:"branch,omitempty"` // it takes branches only, see underBranch
}

func (r *Remotes) agreementsFile() string { return r.repo.Dir("remotes.json") }

func (r *Remotes) readAgreements() (list []agreement, err error) {
	b, err := fsx.ReadOwn(r.agreementsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	return list, err
}

// agreements are what this user said. What cannot be read says nothing, and lets nothing out.
func (r *Remotes) agreements() []agreement {
	list, _ := r.readAgreements()
	word := r.ownership.Word(false)
	return slices.DeleteFunc(list, func(c agreement) bool { return word == "" || c.Word != word })
}

func (r *Remotes) agreed(name string) agreement {
	for _, c := range r.agreements() {
		if c.Name == name {
			return c
		}
	}
	return agreement{Name: name}
}

// say changes what this user said of a remote.
func (r *Remotes) say(name string, change func(*agreement)) error {
	word := r.ownership.Word(true)
	if word == "" {
		return fmt.Errorf("cannot keep what you said of '%s': %s", name, r.ownership.Untrusted())
	}
	// Of several one at a time: what one took back would else be said again by another.
	lock, err := r.repo.LockSaid(context.Background())
	if err != nil {
		return err
	}
	defer lock.Unlock()
	list, err := r.readAgreements()
	if err != nil {
		list = nil // what is damaged says nothing
	}
	i := slices.IndexFunc(list, func(c agreement) bool { return c.Word == word && c.Name == name })
	if i < 0 {
		i, list = len(list), append(list, agreement{Word: word, Name: name})
	}
	was := list[i]
	change(&list[i])
	if was.Joined == list[i].Joined && was.Branch == list[i].Branch && was.Since.Equal(list[i].Since) && slices.Equal(was.Push, list[i].Push) && slices.Equal(was.Lines, list[i].Lines) {
		return nil
	}
	if c := list[i]; len(c.Push) == 0 && !c.Joined && !c.Branch {
		list = slices.Delete(list, i, i+1)
	}
	b, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return fsx.WriteFile(r.agreementsFile(), append(b, '\n'), 0o600)
}

// Share lets lines, all if none is named, and the knowledge go to a remote from now on, to the
// addresses that it has now. Only a person can say so.
func (r *Remotes) Share(name string, push, lines []string) error {
	if !r.repo.Options.Person {
		return repo.ErrNoSharing
	}
	return r.say(name, func(c *agreement) {
		c.Push, c.Lines, c.Since, c.Sealed = r.places(push), lines, r.repo.Options.Now(), r.Sealed(name)
	})
}

// Unshare lets nothing go to a remote from now on. What it has stays there.
func (r *Remotes) Unshare(name string) error {
	return r.say(name, func(c *agreement) { c.Push, c.Lines, c.Since, c.Sealed = nil, nil, time.Time{}, false })
}

// A Shared is what a person lets go to a remote.
type Shared struct {
	Remote string
	Push   []string // the addresses, as they were when that was said
	Lines  []string // none is all
	Since  time.Time
	Joined bool // what it has was taken in
}

// Moved reports whether a remote was shared with other addresses than push, so that it gets nothing.
func (r *Remotes) Moved(name string, push []string) bool {
	was := r.agreed(name).Push
	return len(was) > 0 && !slices.Equal(r.places(push), was)
}

// Said is what this user said of each remote.
func (r *Remotes) Said() (out []Shared) {
	for _, c := range r.agreements() {
		out = append(out, c.shared())
	}
	return out
}

// SaidOf is what this user said of a remote.
func (r *Remotes) SaidOf(name string) Shared { return r.agreed(name).shared() }

func (c agreement) shared() Shared { return Shared{c.Name, c.Push, c.Lines, c.Since, c.Joined} }

// ErrUnshared says that nobody said that the memory may go to a remote.
var ErrUnshared error = unsharedError{}

type unsharedError struct{}

func (unsharedError) Error() string {
	return "nothing is sent: nobody shared the memory with that remote"
}
func (unsharedError) Unwrap() error { return repo.ErrNothing }
