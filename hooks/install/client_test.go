package install

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// tomls are files of Codex's, as people and programs write them.
var tomls = map[string]string{
	"empty":         "",
	"blank":         "\n\n",
	"bom":           "\ufeff",
	"no-end":        "model = \"o5\"",
	"plain":         "model = \"o5\"\n\n[projects.\"/home/ada/app\"]\ntrust_level = \"trusted\"\n",
	"crlf":          "\ufeffmodel = \"o5\"\r\n\r\n[tui]\r\nnotifications = true\r\n",
	"others":        "# mine\n[mcp_servers.docs] # the docs\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n  'docs',\n]\nenv = { \"A\" = \"b\" }\n\n[mcp_servers.docs.tools.search]\napproval_mode = \"approve\"\n# end\n",
	"header-alone":  "[mcp_servers]\n",
	"dotted":        "mcp_servers.docs.command = \"npx\"\n",
	"texts":         "a = \"\"\"\n[mcp_servers.sage]\n\\\"\"\"\"\"\nb = '''\n[mcp_servers]'''\nc = '#'\nd = \"\\\"#\" # \"\n\"a b\".'c' . d = [[1, 2.5], [], [{x = 1979-05-27 07:32:00Z, y = +inf}]]\n",
	"list-of":       "[[profiles]]\nname = \"a\"\n[[profiles]]\nname = \"a\"\n",
	"blank-end":     "model = \"o5\"\n\n\n\n",
	"comment-end":   "model = \"o5\"\n# bye",
	"one-more-sage": "[mcp_servers.sages]\ncommand = \"x\"\n[sage]\ncommand = \"y\"\n",
}

// clientFiles are files of a client, with its own key for the servers.
func clientFiles(k place.Kind) map[string]string {
	if k.TOML {
		return tomls
	}
	own := map[string]string{} // the rest of samples is tried with Claude Code
	for _, name := range []string{"empty", "client", "crlf", "comments", "trailing-comma", "tight", "others"} {
		own[name] = strings.ReplaceAll(samples[name], `"mcpServers"`, `"`+k.Servers[0]+`"`)
	}
	return own
}

func eachClient(t *testing.T, f func(t *testing.T, k place.Kind, s Scope)) {
	for _, k := range place.Kinds {
		for _, s := range []Scope{User, Project} {
			t.Run(string(k.Name)+"/"+string(s), func(t *testing.T) { f(t, k, s) })
		}
	}
}

func clientPlace(t testing.TB, c Client) Place {
	p := newPlace(t)
	p.Client = c
	return p
}

// For every client, scope and file: installing twice is installing once, nothing of the
// owner's changes, and uninstalling brings back bytes and mode; without the record what
// is left is valid, and has nothing of ours.
func TestClientsRoundTrip(t *testing.T) {
	eachClient(t, func(t *testing.T, k place.Kind, s Scope) {
		for name, before := range clientFiles(k) {
			p := clientPlace(t, k.Name)
			path := p.mustPath(t, MCP, s)
			put(t, path, before)
			want := tree(t, p.Root)
			do(t, p.Install, MCP, s)
			once := get(t, path)
			if r := do(t, p.Install, MCP, s); len(r.Changes) != 0 || get(t, path) != once {
				t.Errorf("%s: the second time changed %q:\n%s", name, r.Changes, get(t, path))
			}
			if st := p.editor().State(MCP, s); !st.Installed || st.Err != nil || len(st.Stale) > 0 {
				t.Errorf("%s: status %+v", name, st)
			}
			if k.TOML && !strings.HasPrefix(once, before) {
				t.Errorf("%s: not added behind all there is:\n%s", name, once)
			}
			do(t, p.Uninstall, MCP, s)
			if d := cmp.Diff(want, tree(t, p.Root)); d != "" || get(t, path) != before {
				t.Errorf("%s: %q, want %q\n%s", name, get(t, path), before, d)
			}
			p.Records = ""
			put(t, path, once)
			do(t, p.Uninstall, MCP, s)
			if d, err := p.editor().Read([]byte(get(t, path))); err != nil || len(p.editor().All(d)) != 0 {
				t.Errorf("%s: without the record %v:\n%s", name, err, get(t, path))
			}
		}
	})
}

// A file that was not there is made with its folders, and goes with them.
func TestClientsMissingFile(t *testing.T) {
	eachClient(t, func(t *testing.T, k place.Kind, s Scope) {
		p := clientPlace(t, k.Name)
		root, home := tree(t, p.Root), tree(t, p.Home)
		do(t, p.Install, MCP, s)
		do(t, p.Uninstall, MCP, s)
		if d := cmp.Diff(root, tree(t, p.Root)) + cmp.Diff(home, tree(t, p.Home), ignoreSage(p)); d != "" {
			t.Errorf("(-before +after):\n%s", d)
		}
	})
}

// What is written, for people to look at and to hold beside the clients' pages.
func TestClientsGolden(t *testing.T) {
	for _, k := range place.Kinds {
		name := map[bool]string{true: "plain", false: "client"}[k.TOML]
		for file, before := range map[string]string{"empty": "", name: clientFiles(k)[name], "others": clientFiles(k)["others"]} {
			p := clientPlace(t, k.Name)
			path := p.mustPath(t, MCP, Project)
			put(t, path, before)
			do(t, p.Install, MCP, Project)
			golden := filepath.Join("testdata", "clients", string(k.Name)+"."+file+".golden")
			got := get(t, path)
			if *update {
				put(t, golden, got)
			}
			if d := cmp.Diff(get(t, golden), got); d != "" {
				t.Errorf("%s (-want +got):\n%s", golden, d)
			}
		}
	}
}

// A stale path is mended in place, and what its owner added to the entry stays.
func TestClientsStale(t *testing.T) {
	eachClient(t, func(t *testing.T, k place.Kind, s Scope) {
		p := clientPlace(t, k.Name)
		path := p.mustPath(t, MCP, s)
		do(t, p.Install, MCP, s)
		whole := get(t, path)
		old := strings.ReplaceAll(whole, `git-sage"`, `old/git-sage"`)
		own := strings.Replace(old, "[mcp_servers.sage]\n", "[mcp_servers.sage] # mine\nstartup_timeout_sec = 5\n", 1)
		own = strings.Replace(own, `"sage": {`, `"sage": { // mine`, 1)
		put(t, path, own)
		if st := p.editor().State(MCP, s); len(st.Stale) != 1 {
			t.Errorf("status %+v", st)
		}
		if r := do(t, p.Install, MCP, s); len(r.Changes) != 1 || !strings.Contains(r.Changes[0], "now runs") {
			t.Errorf("changes %q", r.Changes)
		}
		if got := get(t, path); got != strings.ReplaceAll(own, `old/git-sage"`, `git-sage"`) {
			t.Errorf("mended to:\n%s", got)
		}
	})
}

// What cannot be edited is refused, and not touched.
func TestClientsRefuse(t *testing.T) {
	for _, tt := range []struct{ client, text, want string }{
		{"codex", "mcp_servers = { docs = { command = \"x\" } }\n", "inline table, to which nothing can be added"},
		{"codex", "[mcp_servers]\nsage = { command = \"/old/git-sage\", args = [\"mcp\", \"serve\"] }\n", "line 2 without a table header, where it cannot be edited"},
		{"codex", "mcp_servers.sage.command = \"/old/git-sage\"\nmcp_servers.sage.args = [\"mcp\"]\n", "without a table header"},
		{"codex", "[mcp_servers.sage]\ncommand = \"sage-mcp\"\n", "a server 'sage' exists already and runs 'sage-mcp'"},
		{"codex", "[mcp_servers.sage]\nurl = \"https://example.org\"\n", "a server 'sage' exists already"},
		{"codex", "[mcp_servers.sage]\ncommand = \"x\"\n[mcp_servers.\"sage\"]\n", "is there twice, again at line 3"},
		{"codex", "[[mcp_servers]]\n", "line 1 is not a table"},
		{"codex", "mcp_servers = 1\n", "is not a table"},
		{"codex", "[[mcp_servers.sage]]\n", "is a list of tables"},
		{"codex", "a = \"\"\"\n", "not valid TOML at line 1: a text without an end"},
		{"codex", "a = 1\nb = \n", "not valid TOML at line 2: a value expected"},
		{"codex", "a = 1 2\n", "not valid TOML at line 1: a value expected"},
		{"codex", "{\"mcpServers\": {}}\n", "not valid TOML at line 1: a key expected"},
		{"codex", "a = \"\\q\"\n", "bad escape"},
		{"codex", "a = 1\rb = 2\n", "not valid TOML at line 1"},
		{"codex", "\xff", "not UTF-8"},
		{"codex", "[a\n", "']' expected"},
		{"codex", "a = [1 2]\n", "a value expected"},
		{"codex", "a = [\"1\" \"2\"]\n", "',' or ']' expected"},
		{"codex", "a = " + strings.Repeat("[", 600), "nested too deep"},
		{"gemini", "{\"mcpServers\": []}", "'mcpServers' is not an object"},
		{"cursor", "{\"mcpServers\": {\"sage\": {\"url\": \"x\"}}}", "a server 'sage' exists already"},
		{"vscode", "[]", "not valid JSON at line 1, column 1: an object must begin here"},
		{"opencode", "{\"mcp\": {\"sage\": {\"type\": \"local\", \"command\": [\"uvx\", \"sage\"]}}}", "runs 'uvx'"},
	} {
		p := clientPlace(t, Client(tt.client))
		path := p.mustPath(t, MCP, User)
		put(t, path, tt.text)
		_, err := p.Install(MCP, User)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
		if get(t, path) != tt.text {
			t.Errorf("%q became %q", tt.text, get(t, path))
		}
	}
}

// What stands inline and is as it should be needs nothing; it is never taken out.
func TestInlineServer(t *testing.T) {
	p := clientPlace(t, "codex")
	path := p.mustPath(t, MCP, User)
	for _, text := range []string{
		"mcp_servers = { sage = { command = '" + bin + "', args = ['mcp', 'serve'] } }\n",
		"[mcp_servers]\nsage.command = \"" + bin + "\"\nsage.args = [ \"mcp\", \"serve\", ]\n",
	} {
		put(t, path, text)
		if r := do(t, p.Install, MCP, User); len(r.Changes) > 0 {
			t.Errorf("%q: %q", text, r.Changes)
		}
		if st := p.editor().State(MCP, User); !st.Installed {
			t.Errorf("%q: %+v", text, st)
		}
		if _, err := p.Uninstall(MCP, User); err == nil || !strings.Contains(err.Error(), "remove it by hand") || get(t, path) != text {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Others write into the file, and into our table: what is theirs stays where it means
// what it meant, and nothing of the server is left.
func TestTableWrittenByOthers(t *testing.T) {
	for name, tt := range map[string]struct{ change, with, want string }{
		"behind":        {"\x00", "\n[tui]\nx = 1\n", "model = \"o5\"\n\n[tui]\nx = 1\n"},
		"key at end":    {"\x00", "enabled = false\n", "model = \"o5\"\n"},
		"key between":   {"args", "cwd = \"/\"\nargs", "model = \"o5\"\n"},
		"table in it":   {"\x00", "\n[mcp_servers.sage.env]\nA = \"b\"\n# mine\n[tui]\n", "model = \"o5\"\n# mine\n[tui]\n"},
		"before":        {"model", "x = 1\nmodel", "x = 1\nmodel = \"o5\"\n"},
		"comment in it": {"args", "# why\nargs", "model = \"o5\"\n"},
	} {
		p := clientPlace(t, "codex")
		path := p.mustPath(t, MCP, User)
		put(t, path, "model = \"o5\"\n")
		do(t, p.Install, MCP, User)
		put(t, path, strings.Replace(get(t, path)+"\x00", tt.change, tt.with, 1))
		put(t, path, strings.TrimSuffix(get(t, path), "\x00"))
		was := get(t, path)
		do(t, p.Uninstall, MCP, User)
		if d := cmp.Diff(tt.want, get(t, path)); d != "" {
			t.Errorf("%s: was\n%s(-want +got):\n%s", name, was, d)
		}
	}
}

// Scopes and parts that a client has not are refused with one line.
func TestClientsScopes(t *testing.T) {
	p := clientPlace(t, "vscode")
	for want, try := range map[string]func() error{
		"VS Code has no scope 'local', only user and project": func() error { _, err := p.Install(MCP, Local); return err },
		"VS Code has no hooks of git-sage":                    func() error { _, err := p.Install(Hooks, User); return err },
		"not in a project": func() error {
			q := p
			q.Root = ""
			_, err := q.Install(MCP, Project)
			return err
		},
	} {
		if err := try(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := ParseClient("emacs"); err == nil || err.Error() != "unknown client 'emacs', expected claude, codex, cursor, gemini, vscode or opencode" {
		t.Error(err)
	}
	if c, err := ParseClient("codex"); c.Title() != "Codex" || err != nil {
		t.Error(c, err)
	}
}

// Where the files are, by the variables that the clients obey.
func TestClientsFolders(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders of Linux")
	}
	p := newPlace(t)
	env := map[string]string{}
	p.Getenv = func(name string) string { return env[name] }
	want := map[Client]string{
		"codex": ".codex/config.toml", "cursor": ".cursor/mcp.json", "gemini": ".gemini/settings.json",
		"vscode": ".config/Code/User/mcp.json", "opencode": ".config/opencode/opencode.json",
	}
	for c, file := range want {
		p.Client = c
		if path := p.mustPath(t, MCP, User); path != filepath.Join(p.Home, file) {
			t.Errorf("%s: %s", c, path)
		}
	}
	maps.Copy(env, map[string]string{"CODEX_HOME": "/c", "XDG_CONFIG_HOME": "/x"})
	for c, file := range map[Client]string{"codex": "/c/config.toml", "vscode": "/x/Code/User/mcp.json", "opencode": "/x/opencode/opencode.json"} {
		p.Client = c
		if path := p.mustPath(t, MCP, User); path != file {
			t.Errorf("%s: %s", c, path)
		}
	}
	p.Client, env["CODEX_HOME"] = "codex", "here"
	if _, err := p.Install(MCP, User); err == nil {
		t.Error("a relative folder was taken")
	}
}

// opencode's file may have comments in its name, and its servers one level deeper.
func TestOpencode(t *testing.T) {
	p := clientPlace(t, "opencode")
	other := filepath.Join(p.Root, "opencode.jsonc")
	put(t, other, "{ // mine\n  \"mcp\": {\"servers\": {}, \"timeout\": 5}\n}\n")
	do(t, p.Install, MCP, Project)
	if d, err := p.editor().Read([]byte(get(t, other))); err != nil || d.Root.Get("mcp").Get("servers").Get("sage") == nil {
		t.Errorf("%v: %s", err, get(t, other))
	}
	put(t, other, "{\"mcp\": {\"servers\": {\"type\": \"local\", \"command\": [\"x\"]}}}")
	do(t, p.Install, MCP, Project)
	if d, err := p.editor().Read([]byte(get(t, other))); err != nil || d.Root.Get("mcp").Get("sage") == nil {
		t.Errorf("a server of that name: %v: %s", err, get(t, other))
	}
	if disk.Exists(filepath.Join(p.Root, "opencode.json")) {
		t.Error("a second file was made")
	}
}

// A link is followed at home, and not in a project.
func TestClientsLinks(t *testing.T) {
	eachClient(t, func(t *testing.T, k place.Kind, s Scope) {
		p := clientPlace(t, k.Name)
		path := p.mustPath(t, MCP, s)
		real := filepath.Join(p.Home, "dotfiles", "config")
		put(t, real, "")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(real, path); err != nil {
			t.Skip(err)
		}
		_, err := p.Install(MCP, s)
		if linked := err == nil && strings.Contains(get(t, real), "git-sage"); linked != (s == User) {
			t.Errorf("%v: %q", err, get(t, real))
		}
		if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v", err)
		}
	})
}

// A folder that cannot be written: an error, and nothing half.
func TestClientsReadOnly(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is read-only to this user")
	}
	eachClient(t, func(t *testing.T, k place.Kind, s Scope) {
		p := clientPlace(t, k.Name)
		path := p.mustPath(t, MCP, s)
		put(t, path, "")
		dir := filepath.Dir(path)
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o755)
		if _, err := p.Install(MCP, s); err == nil || get(t, path) != "" {
			t.Errorf("%v: %q", err, get(t, path))
		}
	})
}

// Many at once make one entry, and the record by which it goes again.
func TestClientsAtOnce(t *testing.T) {
	eachClient(t, func(t *testing.T, k place.Kind, s Scope) {
		p := clientPlace(t, k.Name)
		path := p.mustPath(t, MCP, s)
		before := clientFiles(k)["others"]
		put(t, path, before)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { _, _ = p.Install(MCP, s) }) // who finds it written meanwhile may give up
		}
		all.Wait()
		if n := bytes.Count([]byte(get(t, path)), []byte("git-sage")); n != 1 {
			t.Fatalf("%d entries:\n%s", n, get(t, path))
		}
		do(t, p.Uninstall, MCP, s)
		if get(t, path) != before {
			t.Errorf("left:\n%s", get(t, path))
		}
	})
}

// Whatever the file: refused and untouched, or installed once, still TOML, and taken
// out again to the same bytes.
func FuzzTOML(f *testing.F) {
	for _, s := range tomls {
		f.Add([]byte(s))
	}
	f.Add([]byte("[mcp_servers.sage]\ncommand='git-sage'\nargs=['mcp']\nx=1\n#c\n\n[mcp_servers.sage.env]\n[b]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := clientPlace(t, "codex")
		path := p.mustPath(t, MCP, User)
		put(t, path, string(data))
		owners, err := p.editor().Read(data)
		clean := err == nil && len(p.editor().All(owners)) == 0
		if _, err := p.Install(MCP, User); err != nil {
			if get(t, path) != string(data) {
				t.Fatalf("refused (%v), and yet written", err)
			}
			return
		}
		once := get(t, path)
		if r := do(t, p.Install, MCP, User); len(r.Changes) != 0 || get(t, path) != once {
			t.Fatalf("the second time changed %q: %q", r.Changes, once)
		}
		if _, err := p.Uninstall(MCP, User); err != nil && clean {
			t.Fatal(err)
		}
		if got := get(t, path); clean && got != string(data) {
			t.Fatalf("%q, want %q, was %q", got, data, once)
		}
		p.Records = ""
		put(t, path, once)
		if _, err := p.Uninstall(MCP, User); err != nil {
			return // it stands inline
		}
		left, err := p.editor().Read([]byte(get(t, path)))
		if err != nil || len(p.editor().All(left)) != 0 || clean && !mend.KeepsMeaning(owners.Statements, left.Statements) {
			t.Fatalf("%v: %q, was %q", err, get(t, path), once)
		}
	})
}

func TestClientOf(t *testing.T) {
	for name, want := range map[string]Client{
		"codex-mcp-client": "codex", "cursor-vscode": "cursor", "Cursor": "cursor", "gemini-cli-mcp-client-sage": "gemini",
		"Visual Studio Code": "vscode", "Visual-Studio-Code - Insiders": "vscode", "opencode": "opencode",
		"claude-code": Claude, "": Claude, "cursory": Claude, "x": Claude,
	} {
		if got := ClientOf(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
}
