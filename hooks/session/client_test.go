package session_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/runs"
	"github.com/git-sage/git-sage/hooks/session"
)

// finder is a server that looks for the client that started it.
func finder(home string) int {
	c, ok := session.FindClient(home, os.Getenv("SESSIONTEST_SESSION"))
	fmt.Printf("%v %s %s\n", ok, c.Session, c.Worktree)
	return 0
}

// TestMain is a server that looks for its client, where a test starts it as one.
func TestMain(m *testing.M) {
	if home := os.Getenv("SESSIONTEST_CLIENT"); home != "" {
		os.Exit(finder(home))
	}
	os.Exit(m.Run())
}

// found is what a server finds that this process starts, with the command in between.
func found(t *testing.T, home, id string, wrapper ...string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append(wrapper, exe)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "SESSIONTEST_CLIENT="+home, "SESSIONTEST_SESSION="+id)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func noted(t *testing.T, home, id, worktree, common string) {
	t.Helper()
	must(t, session.NoteClient(home, os.Getpid(), id, worktree, common))
}

func clientFiles(t *testing.T, home string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "run", "clients", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A server is told which session its client has now, whatever its environment says.
func TestClient(t *testing.T) {
	home := filepath.Join(t.TempDir(), ".sage")
	if got := found(t, home, "one"); got != "false" {
		t.Errorf("nobody noted it: %q", got)
	}
	noted(t, home, "one", "/r", "/r/.git")
	files := clientFiles(t, home)
	if len(files) == 0 && runtime.GOOS != "linux" {
		t.Skip("the system does not tell when a process began")
	}
	st, err := os.Stat(files[0])
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
	if got := found(t, home, "one"); got != "true one /r" {
		t.Errorf("at first: %q", got)
	}
	noted(t, home, "two", "/r-linked", "/r/.git") // behind /clear, in a linked work tree
	if got := found(t, home, "one"); got != "true two /r-linked" {
		t.Errorf("behind a change: %q", got)
	}
	noted(t, home, "two", "/elsewhere", "/elsewhere/.git")
	noted(t, home, "three", "", "")
	if got := found(t, home, ""); got != "true three /r-linked" {
		t.Errorf("a look at another repository is no move there: %q", got)
	}
}

// Above a wrapper there may be another conversation, in whose shell this one's client
// was started: the session tells.
func TestClientAboveAWrapper(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells of what started a process")
	}
	home := t.TempDir()
	noted(t, home, "one", "/r", "/r/.git")
	noted(t, home, "two", "/r", "/r/.git")
	wrapper := []string{"sh", "-c", `"$0"; exit $?`}
	for id, want := range map[string]string{"one": "true two /r", "two": "true two /r", "of another": "false", "": "false"} {
		if got := found(t, home, id, wrapper...); got != want {
			t.Errorf("session %q: %q", id, got)
		}
	}
}

// A process that has the id of one that ended is not that one, and what was noted of
// those goes when another client is noted.
func TestClientsThatEnded(t *testing.T) {
	home := t.TempDir()
	noted(t, home, "one", "/r", "/r/.git")
	files := clientFiles(t, home)
	if len(files) == 0 {
		t.Skip("the system does not tell when a process began")
	}
	_, started, _ := strings.Cut(filepath.Base(files[0]), "-")
	dead := filepath.Join(filepath.Dir(files[0]), strconv.Itoa(os.Getpid())+"-1"+started)
	must(t, os.Rename(files[0], dead))
	if got := found(t, home, "one"); got != "false" {
		t.Errorf("another process of that id: %q", got)
	}
	other := filepath.Join(filepath.Dir(files[0]), "4242-17-abcdef01") // of another machine
	old := filepath.Join(filepath.Dir(files[0]), "4243-17-abcdef01")
	for _, f := range []string{other, old} {
		must(t, os.WriteFile(f, []byte("{}"), 0o600))
	}
	must(t, os.Chtimes(old, time.Time{}, time.Now().AddDate(-1, 0, 0)))
	noted(t, home, "two", "", "")
	want := []string{files[0], other}
	if runtime.GOOS != "linux" { // there a start is a moment, and no other machine has that id and that moment
		want = want[:1]
	}
	if got := clientFiles(t, home); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("left: %q", got)
	}
}

// What cannot be noted is not, and keeps nobody from anything.
func TestClientUnknown(t *testing.T) {
	home := t.TempDir()
	for _, pid := range []int{-1, 0, 1, 1 << 30} {
		if err := session.NoteClient(home, pid, "one", "/r", "/r/.git"); err != nil {
			t.Error(err)
		}
	}
	noted(t, home, "", "/r", "/r/.git")
	if files := clientFiles(t, home); len(files) > 0 {
		t.Errorf("noted %q", files)
	}
}

// A session lives for as long as a client or a server that has it.
func TestLiveSessions(t *testing.T) {
	home := t.TempDir()
	live := func() string {
		t.Helper()
		m, err := session.Live(home)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(slices.Sorted(maps.Keys(m)), " ")
	}
	if got := live(); got != "" {
		t.Errorf("nobody was noted: %q", got)
	}
	noted(t, home, "of a client", "/r", "/r/.git")
	if len(clientFiles(t, home)) == 0 {
		t.Skip("the system does not tell when a process began")
	}
	forget, err := session.NoteServer(home, "of a server")
	if err != nil {
		t.Fatal(err)
	}
	if got := live(); got != "of a client of a server" {
		t.Errorf("got %q", got)
	}
	forget()
	if got := live(); got != "of a client" {
		t.Errorf("behind the server: %q", got)
	}
	if forget, err = session.NoteServer(home, ""); err != nil || live() != "of a client" {
		t.Errorf("without a session: %q %v", live(), err)
	}
	forget()
	file := clientFiles(t, home)[0]
	_, run, _ := strings.Cut(filepath.Base(file), "-")
	must(t, os.Rename(file, filepath.Join(filepath.Dir(file), fmt.Sprintf("%d-1%s", os.Getpid(), run))))
	if got := live(); got != "" {
		t.Errorf("of another process: %q", got)
	}
	if run := runs.Name(os.Getpid()); run == "" || runs.Ended(os.Getpid(), run) || runs.Name(1<<30) != "" {
		t.Errorf("this process is %q", run)
	}
}
