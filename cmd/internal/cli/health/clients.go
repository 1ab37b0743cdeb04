package health

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall"
)

// clientsWell says whether Claude Code's sessions are connected, by programs that are
// there, and which other clients have the server.
func clientsWell(ctx context.Context, a *app.App, s *gitstore.Store) (all []gitstore.Diagnosis) {
	p, err := connect.Place(ctx, a)
	if err != nil {
		return []gitstore.Diagnosis{{Name: "hooks", State: gitstore.StateWarning, Detail: exit.Message(err)}}
	}
	all, in := statesWell(p)
	for _, f := range p.Findings() {
		all = append(all, gitstore.Diagnosis{Name: "client", State: gitstore.StateWarning, Detail: f.Detail, Cure: hint.Typed(f.Cure)})
	}
	if p.HasPlugin() {
		beside := ""
		if len(in) > 0 {
			beside = ", whose hooks stay silent beside these"
		}
		in = append(in, "plugin "+install.PluginID+beside)
	}
	switch {
	case len(in) > 0:
		all = append(all, gitstore.Diagnosis{Name: "hooks", State: gitstore.StateOK, Detail: "installed: " + strings.Join(in, ", ")}, callsWell(a, s))
	case len(all) == 0:
		verb := "git sage init --claude"
		if p.Root == "" { // of no project
			verb += " --scope user"
		}
		all = append(all, gitstore.Diagnosis{Name: "hooks", State: gitstore.StateOK, Unused: true, Detail: "none installed; '" + verb + "' connects Claude Code"})
	}
	var others []string
	for _, p.Client = range install.Clients()[1:] {
		wrong, has := statesWell(p)
		all, others = append(all, wrong...), append(others, has...)
	}
	if len(others) > 0 {
		all = append(all, gitstore.Diagnosis{Name: "clients", State: gitstore.StateOK, Detail: "the server is installed for " + strings.Join(others, ", ")})
	}
	return all
}

// earlierWell says whether the tool before this one kept a memory that was not brought in.
func earlierWell(ctx context.Context, a *app.App, m *recall.Memory) []gitstore.Diagnosis {
	list := connect.LeftBehind(ctx, a, m)
	if len(list) == 0 {
		return nil
	}
	return []gitstore.Diagnosis{{Name: "claude-sage", State: gitstore.StateWarning, Detail: "its memory in " + strings.Join(list, " and ") + " was not imported", Cure: hint.Typed(connect.ImportClaudeSage)}}
}

// clientWell says which files of a client beside Claude Code name the server, by a program
// that is there.
func clientWell(ctx context.Context, a *app.App, client install.Client) []gitstore.Diagnosis {
	p, err := connect.PlaceOf(ctx, a, string(client))
	if err != nil {
		return []gitstore.Diagnosis{{Name: "client", State: gitstore.StateWarning, Detail: exit.Message(err)}}
	}
	wrong, _ := statesWell(p)
	var files []string
	for _, st := range p.Status() {
		if st.Installed {
			files = append(files, fmt.Sprintf("%s (%s)", st.Path, st.Scope))
		}
	}
	detail := client.Title() + ": none of its files names the server; 'git sage mcp install --client " + string(client) + "' adds it"
	if len(files) > 0 {
		detail = client.Title() + ": the server is named in " + strings.Join(files, ", ")
	}
	return append(wrong, gitstore.Diagnosis{Name: "client", State: gitstore.StateOK, Detail: detail, Unused: len(files) == 0})
}

// statesWell says what is wrong with what is installed for a client, and what is installed
// as it should be.
func statesWell(p install.Place) (wrong []gitstore.Diagnosis, in []string) {
	what := map[install.Part]string{install.Hooks: "hooks", install.MCP: "server"}
	other := p.Client != install.Claude && p.Client != ""
	if other {
		what[install.MCP] = p.Client.Title()
	}
	for _, st := range p.Status() {
		d := gitstore.Diagnosis{Name: string(st.Part), State: gitstore.StateWarning, Cure: hint.Typed(connect.CureOf(p, st))}
		switch {
		case st.Err != nil && (!other || hasSage(st.Path)):
			d.Detail, d.Cure = exit.Message(st.Err), hint.Typed("look at "+st.Path)
		case len(st.Missing) > 0:
			d.State = gitstore.StateError
			d.Detail = fmt.Sprintf("%s runs '%s', which does not exist: sessions get no memory", st.Path, st.Missing[0])
		case st.Unheard:
			d.State = gitstore.StateError
			d.Detail = st.Path + " has hooks that ask the server, which is not installed: they are not answered"
		case len(st.Lacks) > 0:
			d.Detail = "installed in part in " + st.Path + ": " + strings.Join(st.Lacks, ", ") + " came later"
		case len(st.Stale) > 0:
			d.Detail = fmt.Sprintf("%s runs '%s', which is not this git-sage", st.Path, st.Stale[0])
		case st.Installed:
			in = append(in, fmt.Sprintf("%s (%s)", what[st.Part], st.Scope))
			continue
		default:
			continue
		}
		wrong = append(wrong, d)
	}
	return wrong, in
}

// hasSage says whether a file that cannot be read as it should might have something of
// ours: of another client's broken file we say nothing else.
func hasSage(path string) bool {
	b, err := os.ReadFile(path)
	return err == nil && bytes.Contains(b, []byte("git-sage"))
}

// callsWell says when a session last called a hook here.
func callsWell(a *app.App, s *gitstore.Store) gitstore.Diagnosis {
	d := gitstore.Diagnosis{Name: "calls", State: gitstore.StateOK, Unused: true, Detail: "no session has called a hook here yet"}
	if last := lastCall(a, hooks.Calls(s.Repo.Folder())); last != "" {
		d.Detail, d.Unused = last, false
	}
	return d
}

// programWell says which git-sage a command finds: none, or another one than this, is
// what people wonder about.
func programWell(a *app.App) gitstore.Diagnosis {
	d := gitstore.Diagnosis{Name: "program", State: gitstore.StateOK}
	version, _ := a.Version()
	all := onPath(filepath.SplitList(a.Getenv("PATH")))
	self := app.Program()
	switch {
	case len(all) == 0:
		d.State = gitstore.StateWarning
		d.Detail = "git-sage is not on the PATH: 'git sage' and shared settings of projects cannot find it"
		d.Cure = hint.Typed("mkdir -p ~/.local/bin && ln -s " + term.ShellWord(self) + " ~/.local/bin/git-sage")
	case len(all) > 1:
		d.State = gitstore.StateWarning
		d.Detail = fmt.Sprintf("two are on the PATH, and the first is used: %s, %s", all[0], all[1])
		d.Cure = hint.Typed("keep one: " + plainfile.Removal(all[1]))
		if sameProgram(all[1], self) {
			d.Cure = hint.Typed("keep one: " + plainfile.Removal(all[0]))
		}
	case !sameProgram(all[0], self):
		d.State = gitstore.StateWarning
		d.Detail = fmt.Sprintf("%s is on the PATH, and this one is %s", all[0], self)
		d.Cure = hint.Typed("keep only one")
	default:
		d.Detail = version + " at " + all[0]
	}
	return d
}

// onPath are the programs of our name in folders, those that are the same once.
func onPath(dirs []string) (all []string) {
	name := "git-sage"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil || !filepath.IsAbs(path) || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			continue
		}
		if !slices.ContainsFunc(all, func(other string) bool { return sameProgram(other, path) }) {
			all = append(all, path)
		}
	}
	return all
}

// sameProgram says whether two files are one, or hold the same.
func sameProgram(x, y string) bool {
	a, errA := os.Stat(x)
	b, errB := os.Stat(y)
	if errA != nil || errB != nil {
		return false
	}
	return os.SameFile(a, b) || a.Size() == b.Size() && sameBytes(x, y)
}

func sameBytes(x, y string) bool {
	a, err := os.Open(x)
	if err != nil {
		return false
	}
	defer a.Close()
	b, err := os.Open(y)
	if err != nil {
		return false
	}
	defer b.Close()
	bufA, bufB := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errA := io.ReadFull(a, bufA)
		m, errB := io.ReadFull(b, bufB)
		if !bytes.Equal(bufA[:n], bufB[:m]) {
			return false
		}
		if errA != nil || errB != nil {
			return errA == errB || errA == io.ErrUnexpectedEOF && errB == io.ErrUnexpectedEOF
		}
	}
}
