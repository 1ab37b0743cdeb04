package cli

import (
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A month is what a team does with a home and a clone for each, code and memory on origin, and
// memory on a host that can read none of it. Each command is a process of its own, a minute
// after the one before.
type month struct {
	*testing.T
	w      *storetest.World
	people []*member
	now    time.Time
	theses []said
	items  map[string]said // by id

	forgotten map[string]string // by whom, by id
}

type member struct {
	name, dir string   // dir is their clone
	remotes   []string // that they share with
	env       []string
}

// said is what was acknowledged to a member.
type said struct {
	by, text string
	merged   bool // it says for several what they said
}

// private are words that neither remote may have: of a private line, of files that were not
// committed or are in a stash, of a branch that was not pushed, of a preference, and of a
// conversation.
var private = []string{"quagga", "walrus", "narwhal", "pangolin", "axolotl", "capybara"}

// newMonth makes a clone for each name, and all of them readers of what is encrypted.
func newMonth(t *testing.T, names ...string) *month {
	mo := &month{T: t, w: storetest.New(t), now: time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC), items: map[string]said{}, forgotten: map[string]string{}}
	mo.w.Git("", "init", "-q", "--bare", "-b", "main", "hub.git")
	mo.w.Git("", "init", "-q", "--bare", "-b", "main", "safe.git")
	for i, name := range names {
		email := strings.ToLower(name) + "@example.org"
		m := &member{name: name, dir: mo.w.Path(name, "repo"), env: append(storetest.Env(mo.w.Path(name, "home")), "TZ=UTC", "TERM=dumb")}
		mo.people = append(mo.people, m)
		mo.w.Write(name+"/home/.gitconfig", "[user]\n\tname = "+name+"\n\temail = "+email+"\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[sage]\n\tdurable = false\n")
		mo.must(m, mo.w.Path(name), "git", "clone", "-q", "../hub.git", "repo")
		if i == 0 {
			mo.commit(m, "begin")
		}
		mo.sage(m, "remote add --encrypt safe ../../safe.git")
		key := mo.sage(m, "remote keygen")
		mo.sage(m, "remote recipients add "+strings.Fields(key)[0]+" "+name)
		mo.commit(m, "readers")
	}
	for _, m := range mo.people {
		mo.git(m, "pull -q origin main")
		mo.sage(m, "remote recipients accept --yes")
	}
	return mo
}

// run runs a program as a member does, and returns its status and what it prints.
func (mo *month) run(m *member, dir, program string, args ...string) (int, string) {
	mo.Helper()
	mo.now = mo.now.Add(time.Minute)
	at := mo.now.Format(time.RFC3339)
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(m.env), "SAGE_TEST_CLOCK="+at, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		mo.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), strings.TrimRight(string(out), "\n")
}

func (mo *month) must(m *member, dir, program string, args ...string) string {
	mo.Helper()
	status, out := mo.run(m, dir, program, args...)
	if status != 0 {
		mo.Fatalf("%s: %s %q: status %d\n%s", m.name, program, args, status, out)
	}
	return out
}

func (mo *month) git(m *member, args string) string {
	mo.Helper()
	return mo.must(m, m.dir, "git", strings.Fields(args)...)
}

// sage runs git-sage with the words of args, and more that may have blanks.
func (mo *month) sage(m *member, args string, more ...string) string {
	mo.Helper()
	return mo.must(m, m.dir, "git-sage", append(strings.Fields(args), more...)...)
}

// commit puts what the work tree has on origin's main.
func (mo *month) commit(m *member, message string) {
	mo.Helper()
	mo.git(m, "add -A")
	mo.git(m, "commit -q --allow-empty -m "+message)
	if mo.w.Git("hub.git", "for-each-ref", "refs/heads/main") != "" {
		mo.git(m, "pull -q --rebase origin main")
	}
	mo.git(m, "push -q origin HEAD:main")
}

// save concludes something on the line of the branch that the member is on.
func (mo *month) save(m *member, text string) {
	mo.Helper()
	mo.sage(m, "save -c 0.7 -m", text)
	mo.theses = append(mo.theses, said{by: m.name, text: text})
}

// remember keeps an item, or says one anew.
func (mo *month) remember(m *member, id, text string) {
	mo.Helper()
	if _, ok := mo.items[id]; ok {
		mo.w.Write(m.name+"/item", text+"\n")
		mo.sage(m, "knowledge edit -F ../item "+id)
	} else {
		mo.sage(m, "remember --id "+id, text)
	}
	mo.items[id] = said{by: m.name, text: text}
}

// sync is all that a member types to be together with the others; where theses disagree, one
// for both as well.
func (mo *month) sync(m *member) (out string) {
	mo.Helper()
	for _, remote := range m.remotes {
		status, said := mo.run(m, m.dir, "git-sage", "sync", remote)
		if status == 1 && strings.Contains(said, "disagree") {
			mo.settle(m)
			status, said = mo.run(m, m.dir, "git-sage", "sync", remote)
		}
		if status != 0 {
			mo.Fatalf("%s: sync %s on day %d: status %d\n%s", m.name, remote, mo.now.Day(), status, said)
		}
		out += said + "\n"
	}
	return out
}

// settle says one thesis for those that disagree.
func (mo *month) settle(m *member) {
	mo.Helper()
	text := fmt.Sprintf("%s settles it on day %d at %s", m.name, mo.now.Day(), mo.now.Format("15:04"))
	mo.sage(m, "switch -q main")
	mo.sage(m, "merge -c 0.8 --thesis", text)
	mo.theses = append(mo.theses, said{m.name, text, true})
}

// A month of three people who type nothing for one another but 'git sage sync' ends with one
// memory: nobody lost what they were told was saved, and nothing private went anywhere.
func TestMonthOfATeam(t *testing.T) {
	t.Parallel()
	days := 30
	if testing.Short() {
		days = 5
	}
	mo := newMonth(t, "Annika", "Bertram", "Cordula")
	for i, remotes := range [][]string{{"origin", "safe"}, {"origin"}, {"safe"}} { // Annika goes between
		m := mo.people[i]
		m.remotes = remotes
		mo.secrets(m)
		for _, remote := range remotes {
			mo.sage(m, "share --yes "+remote)
		}
	}
	for day := 1; day <= days; day++ {
		mo.now = time.Date(2026, 11, 1+day, 9, 0, 0, 0, time.UTC)
		for i := range mo.people {
			m := mo.people[(day+i)%3]
			if (day+i)%3 != 0 { // now and then somebody begins where they stopped
				mo.sync(m)
			}
			mo.work(m, day, i)
			if (day+i)%4 != 0 { // or leaves without a word
				mo.sync(m)
			}
		}
		switch day {
		case days / 3:
			mo.save(mo.people[1], "We buy oryx incorporated")
			mo.sync(mo.people[1])
		case days * 2 / 3:
			mo.purge(mo.people[0], "oryx")
		}
	}
	mo.end()
}

// secrets gives a member what is theirs alone, wherever somebody could come upon it.
func (mo *month) secrets(m *member) {
	mo.write(m, "axes.go", "package narwhal\n")
	mo.git(m, "add axes.go")
	mo.git(m, "stash -q")
	mo.git(m, "switch -q -c mine")
	mo.git(m, "commit -q --allow-empty -m pangolin")
	mo.git(m, "switch -q main")
	mo.write(m, "walrus.go", "package walrus\n\n// Walrus is not committed.\nfunc Walrus() {}\n")
	mo.sage(m, "search-code walrus")
	mo.sage(m, "remember --global", "I like an axolotl")
	mo.sage(m, "config set transcripts local")
	mo.sage(m, "switch -q -c doubts-"+strings.ToLower(m.name))
	mo.sage(m, "save -m", "quagga, says "+m.name)
	mo.sage(m, "branch --private")
	mo.sage(m, "switch -q main")
}

func (mo *month) write(m *member, name, text string) {
	mo.Helper()
	mo.w.Write(m.name+"/repo/"+name, text)
}

// talk is a session of an agent's, whose conversation is kept beside the memory.
func (mo *month) talk(m *member, text string) {
	mo.Helper()
	session := "talk-" + m.name
	transcript := mo.w.Path(m.name, "talk.jsonl")
	mo.w.Write(m.name+"/talk.jsonl", `{"type":"user","uuid":"u1","timestamp":"2026-11-01T09:00:00Z","message":{"content":"Does a capybara swim?"}}
{"type":"assistant","uuid":"u2","timestamp":"2026-11-01T09:00:01Z","message":{"id":"m1","content":[{"type":"text","text":"A capybara does."}]}}
`)
	hook := func(event, more string) {
		mo.w.Write(m.name+"/payload", `{"session_id":"`+session+`"`+more+`}`)
		mo.must(m, m.dir, "sh", "-c", "git-sage hook "+event+" <../payload")
	}
	hook("session-start", `,"source":"startup","transcript_path":"`+transcript+`"`)
	mo.sage(m, "--session "+session+" save -c 0.7 -m", text)
	mo.theses = append(mo.theses, said{by: m.name, text: text})
	hook("keeping", "")
	if out := mo.sage(m, "--session "+session+" show --conversation @"); !strings.Contains(out, "capybara") {
		mo.Fatalf("%s: no conversation was kept: %s", m.name, out)
	}
}

// work is what a member does on a day, as the i-th of them.
func (mo *month) work(m *member, day, i int) {
	mo.Helper()
	text := fmt.Sprintf("%s concludes something on day %d", m.name, day)
	switch (day + i) % 5 {
	case 0: // a branch with a line of its own, which comes back in the evening
		topic := fmt.Sprintf("topic-%d-%s", day, strings.ToLower(m.name))
		mo.git(m, "switch -q -c "+topic)
		mo.save(m, text+" of "+topic)
		mo.git(m, "commit -q --allow-empty -m "+topic)
		mo.sage(m, "notes record") // as a hook of git's does
		mo.git(m, "switch -q main")
		mo.git(m, "merge -q "+topic)
		if day%2 == 0 {
			mo.sage(m, "merge -c 0.8 "+topic+" --thesis", text+" of both")
			mo.theses = append(mo.theses, said{m.name, text + " of both", true})
		}
	case 1: // says something by mistake
		mo.sage(m, "save -m", text+", which is a slip")
		mo.sage(m, "checkpoint rm @")
	case 2:
		mo.talk(m, text)
	default:
		mo.save(m, text)
	}
	mo.remember(m, fmt.Sprintf("%s-%d", strings.ToLower(m.name), day), fmt.Sprintf("What %s knows of topic %d.", m.name, day))
	if i > 0 {
		return
	}
	mo.sync(m)
	list := mo.sage(m, "knowledge list")
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(mo.items)), func(id string) bool { return !strings.Contains(list, id+"\t") })
	switch id := ids[day*7%len(ids)]; day % 3 { // of whoever said it
	case 0:
		mo.remember(m, id, fmt.Sprintf("%s knows better on day %d.", m.name, day))
	case 1:
		mo.sage(m, "forget "+id)
		delete(mo.items, id)
		mo.forgotten[id] = m.name
	}
}

// purge removes a word from the memory of all.
func (mo *month) purge(m *member, word string) {
	mo.Helper()
	mo.reachable("hub.git")
	mo.sync(m)
	mo.sage(m, "purge --yes --push --match "+word)
	mo.theses = slices.DeleteFunc(mo.theses, func(s said) bool { return strings.Contains(s.text, word) })
}

// reachable holds that a remote has no object that none of its refs leads to, and no ref that
// is not to be there.
func (mo *month) reachable(remote string) {
	mo.Helper()
	reached := map[string]bool{}
	for line := range strings.Lines(mo.w.Git(remote, "rev-list", "--objects", "--glob=refs/sage", "--glob=refs/notes", "--glob=refs/heads")) {
		reached[strings.Fields(line)[0]] = true
	}
	for line := range strings.Lines(mo.w.Git(remote, "cat-file", "--batch-all-objects", "--batch-check")) {
		if id := strings.Fields(line)[0]; !reached[id] {
			mo.Errorf("%s has %s, to which no ref leads:\n%s", remote, strings.TrimSpace(line), mo.w.Git(remote, "cat-file", "-p", id))
		}
	}
}

// lacks holds that no object, ref or file of a remote has one of the words.
func (mo *month) lacks(remote string, words ...string) {
	mo.Helper()
	all := strings.ToLower(mo.w.Git(remote, "for-each-ref") + mo.w.Git(remote, "cat-file", "--batch-all-objects", "--batch"))
	for _, word := range words {
		if at := strings.Index(all, strings.ToLower(word)); at >= 0 {
			mo.Errorf("%s has %q: %q", remote, word, all[max(0, at-300):min(len(all), at+100)])
		}
	}
}

// memory is what the memory of a repository is at, but for private lines.
func (mo *month) memory(dir string) string {
	refs := mo.w.Git(dir, "for-each-ref", "--format=%(refname) %(objectname)", "refs/sage/heads", "refs/sage/forks", "refs/sage/tags", "refs/sage/knowledge", "refs/notes/sage")
	return strings.Join(slices.DeleteFunc(strings.Split(refs, "\n"), func(l string) bool { return strings.Contains(l, "/doubts-") }), "\n")
}

// end holds what must hold when all are together.
func (mo *month) end() {
	mo.Helper()
	for _, i := range []int{1, 2, 0, 0, 1, 2} {
		mo.sync(mo.people[i])
	}
	mo.w.Git("hub.git", "gc", "-q", "--prune=now") // as the host does with what was purged
	mo.reachable("hub.git")
	mo.lacks("hub.git", append(private, "oryx")...)
	mo.lacks("safe.git", append(private, "oryx", "Annika", "Bertram", "Cordula", "concludes", "settles", "topic", "knowledge")...)
	if refs := mo.w.Git("safe.git", "for-each-ref", "--format=%(refname)"); refs != "refs/sage/vault" {
		mo.Errorf("the encrypted remote has %s", refs)
	}
	for _, remote := range []string{"hub.git", "safe.git"} {
		if out := mo.w.Git(remote, "fsck", "--full", "--strict", "--no-dangling"); strings.Contains(out, "error") {
			mo.Errorf("%s: %s", remote, out)
		}
	}
	for _, m := range mo.people {
		mo.whole(m)
	}
}

// whole holds that a member has all that anybody was told is saved, and knows by whom it is,
// and that their own is where it was.
func (mo *month) whole(m *member) {
	mo.Helper()
	if out := mo.sync(m); strings.Contains(out, "main") || strings.Contains(out, "knowledge") {
		mo.Errorf("%s: more to sync: %s", m.name, out)
	}
	if here, there := mo.memory(m.name+"/repo"), mo.memory("hub.git"); here != there {
		mo.Errorf("%s has\n%s\norigin has\n%s", m.name, here, there)
	}
	mo.sage(m, "fsck")
	log := strings.Split(mo.sage(m, "log --all --oneline"), "\n")
	slices.Reverse(log) // who said it comes before merges that say it too
	for n, s := range mo.theses {
		i := slices.IndexFunc(log, func(line string) bool { return strings.HasSuffix(line, s.text) })
		if i < 0 {
			mo.Errorf("%s lost what %s said: %s", m.name, s.by, s.text)
			continue
		}
		mo.named(m, s, log[i])
		if n%4 == 0 {
			mo.named(m, s, mo.sage(m, "show "+strings.Fields(log[i])[0]))
		}
	}
	list := mo.sage(m, "knowledge list")
	for id, s := range mo.items {
		i := strings.Index(list, id+"\t")
		if i < 0 {
			mo.Errorf("%s lost %s of %s", m.name, id, s.by)
			continue
		}
		line, _, _ := strings.Cut(list[i:], "\n")
		if !strings.HasSuffix(line, s.text) {
			mo.Errorf("%s has %s, not %s", m.name, line, s.text)
		}
		mo.named(m, s, line)
		if strings.HasSuffix(id, "3") {
			mo.named(m, s, mo.sage(m, "knowledge show "+id))
		}
	}
	for id, by := range mo.forgotten { // to whoever stands for it it waits for a review
		_, line, has := strings.Cut(list, id+"\t")
		if line, _, _ = strings.Cut(line, "\n"); has && !(by != m.name && strings.Contains(line, "removed by "+by)) {
			mo.Errorf("%s still has %s, which %s removed: %s", m.name, id, by, line)
		}
	}
	for line := range strings.Lines(mo.sage(m, "recall", "What does Annika know of topics?")) {
		for _, other := range mo.people {
			if strings.Contains(line, other.name+" knows") && !strings.Contains(line, "removed by") {
				mo.named(m, said{by: other.name}, line)
			}
		}
	}
	if got, want := mo.git(m, "status --porcelain"), "?? walrus.go"; got != want {
		mo.Errorf("%s has changes %q", m.name, got)
	}
	if out := mo.git(m, "log --format=%s -1 mine"); out != "pangolin" || mo.git(m, "stash list") == "" {
		mo.Errorf("%s: branch or stash is gone: %s", m.name, out)
	}
	if out := mo.sage(m, "log --oneline doubts-"+strings.ToLower(m.name)); !strings.Contains(out, "quagga, says "+m.name) {
		mo.Errorf("%s lost a private line: %s", m.name, out)
	}
}

// named holds that a text shows whose it is, if it is not of the one who looks.
func (mo *month) named(m *member, s said, text string) {
	mo.Helper()
	marked := strings.Contains(text, "unconfirmed") && strings.Contains(text, s.by)
	if s.merged && s.by == m.name { // which carries what others said, and so may be marked
		return
	}
	if marked == (s.by == m.name) {
		mo.Errorf("to %s what %s said shows as: %s", m.name, s.by, text)
	}
}
