package install

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
)

// root is that of the repository.
var root = filepath.Join("..", "..")

const launcher = "${CLAUDE_PLUGIN_ROOT}/bin/git-sage"

// TestPluginHooksAreInStep: the plugin has the hooks that installing writes, but that
// they call its launcher. -update writes them.
func TestPluginHooksAreInStep(t *testing.T) {
	d, err := draft.Read(nil, false)
	for _, e := range entry.Events(false) {
		hook := jsonc.Object{
			{Key: "type", Value: "command"}, {Key: "command", Value: "sh"}, {Key: "args", Value: []any{launcher, "hook", e.Arg, "--plugin"}}, {Key: "timeout", Value: e.Timeout},
		}
		if err == nil {
			err = mend.AddGroup(d, e.Name, entry.Group(e.Matcher, hook))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "plugin", "hooks", "hooks.json")
	if *update {
		if err := os.WriteFile(file, d.Src, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(d.Src), get(t, file)); diff != "" {
		t.Errorf("%s; -update writes it (-want +got):\n%s", file, diff)
	}
}

func readJSON(t *testing.T, into any, elem ...string) {
	t.Helper()
	if err := json.Unmarshal([]byte(get(t, filepath.Join(append([]string{root}, elem...)...))), into); err != nil {
		t.Fatalf("%v: %v", elem, err)
	}
}

// TestPluginNamesAreInStep: what the client will call the plugin is what settings are
// searched for, its server has our name, and its version is that of a release.
func TestPluginNamesAreInStep(t *testing.T) {
	var plugin struct{ Name, Version, License string }
	var market struct {
		Name    string
		Plugins []struct{ Name, Source, Version string }
	}
	var servers struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	readJSON(t, &plugin, "plugin", ".claude-plugin", "plugin.json")
	readJSON(t, &market, ".claude-plugin", "marketplace.json")
	readJSON(t, &servers, "plugin", ".mcp.json")
	if len(market.Plugins) != 1 || market.Plugins[0].Name != plugin.Name || plugin.Name+"@"+market.Name != PluginID {
		t.Errorf("%+v %+v, want %s", market, plugin, PluginID)
	}
	if market.Plugins[0].Source != "./plugin" || market.Plugins[0].Version != "" || plugin.License != "Apache-2.0" {
		t.Errorf("%+v %+v", market, plugin)
	}
	s := servers.MCPServers[entry.Server]
	if diff := cmp.Diff([]string{"sh", launcher, "mcp", "serve", "--plugin"}, append([]string{s.Command}, s.Args...)); diff != "" || len(servers.MCPServers) != 1 {
		t.Errorf("server (-want +got):\n%s", diff)
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(plugin.Version) {
		t.Errorf("version %q", plugin.Version)
	}
	list := exec.Command("git", "tag", "--points-at", "HEAD", "v*")
	list.Env = storetest.Env(t.TempDir())
	tags, err := list.Output()
	if released := strings.Fields(string(tags)); err == nil && len(released) > 0 && released[0] != "v"+plugin.Version {
		t.Errorf("the plugin says %s, the release %s", plugin.Version, released[0])
	}
}

// launch runs the plugin's launcher in a world with these variables alone.
func launch(t *testing.T, script string, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	if len(env) == 0 { // exec would give it the tester's own, and it would find what is installed there
		t.Fatal("the launcher has no world of its own")
	}
	c := exec.Command("/bin/sh", append([]string{script}, args...)...)
	var out, errs strings.Builder
	c.Env, c.Stdout, c.Stderr = env, &out, &errs
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

func TestLauncherFindsTheProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no /bin/sh")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "clone", "plugin", "bin", "git-sage")
	put(t, script, get(t, filepath.Join(root, "plugin", "bin", "git-sage")))
	fake := func(elem ...string) string {
		file := filepath.Join(append([]string{dir}, elem...)...)
		put(t, file, "#!/bin/sh\necho \"$0:$*\"\nexit 3\n")
		if err := os.Chmod(file, 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	run := func(want string, env ...string) {
		t.Helper()
		env = append([]string{"HOME=" + dir + "/home"}, env...)
		if out, _, status := launch(t, script, env, "mcp", "serve"); out != want+":mcp serve\n" || status != 3 {
			t.Errorf("%q, status %d, want %s", out, status, want)
		}
		if out, _, status := launch(t, script, env, "hook", "pre-compact", "--plugin"); out != want+":hook pre-compact --plugin\n" || status != 0 {
			t.Errorf("%q, status %d", out, status)
		}
	}
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	path := "PATH=" + filepath.Dir(script) + ":" + dir + "/an empty one:" + dir + "/bin"
	if out, errs, status := launch(t, script, []string{path}, "mcp", "serve"); out != "" || status != 127 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "make install") {
		t.Errorf("%q %q, status %d", out, errs, status)
	}
	if out, errs, status := launch(t, script, []string{path}, "hook", "user-prompt"); out+errs != "" || status != 0 {
		t.Errorf("%q %q, status %d", out, errs, status)
	}
	out, errs, status := launch(t, script, []string{path, "HOME=" + dir + "/home"}, "hook", "session-start", "--plugin")
	var said struct{ SystemMessage string }
	if err := json.Unmarshal([]byte(out), &said); err != nil || !strings.Contains(said.SystemMessage, "make install") || errs != "" || status != 0 {
		t.Errorf("%q %q, status %d (%v)", out, errs, status, err)
	}

	run(filepath.Dir(script)+"/../../bin/git-sage", path, "X="+fake("clone", "bin", "git-sage"))
	run(fake("home", "go", "bin", "git-sage"), path)
	run(fake("gopath", "bin", "git-sage"), path, "GOPATH="+dir+"/gopath")
	run(fake("home", ".local", "bin", "git-sage"), path)
	run(fake("bin", "git-sage"), path)
	second := filepath.Join(dir, "other plugin", "git-sage") // a launcher of another version
	put(t, second, get(t, script))
	if err := os.Chmod(second, 0o755); err != nil {
		t.Fatal(err)
	}
	run(dir+"/bin/git-sage", "PATH="+filepath.Dir(second)+":"+filepath.Dir(script)+":"+dir+"/bin:/usr/bin:/bin")
}
