package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/hooks/install/skills"
	"github.com/git-sage/git-sage/plugin"
	"github.com/git-sage/git-sage/recall/save"
)

// pluginFolder is the plugin as it lies in the repository.
var pluginFolder = filepath.Join("..", "..", "..", "plugin")

func readPlugin(t *testing.T) (texts []skills.Skill, commands map[string]string) {
	t.Helper()
	texts, err := skills.Read(plugin.Skills())
	if err != nil || len(texts) != 7 {
		t.Fatalf("%d skills: %v", len(texts), err)
	}
	commands = map[string]string{}
	for _, name := range []string{"checkpoint", "recall", "restore", "handoff"} {
		b, err := os.ReadFile(filepath.Join(pluginFolder, "commands", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		commands[name] = string(b)
	}
	return texts, commands
}

// TestSkillsCostLittle: their descriptions are in every session, one of them in full
// when it is wanted.
func TestSkillsCostLittle(t *testing.T) {
	skills, _ := readPlugin(t)
	all := 0
	for _, k := range skills {
		if n := strings.Count(k.Text, "\n"); n >= 150 {
			t.Errorf("%s has %d lines", k.Name, n)
		}
		n := utf8.RuneCountInString(k.Description)
		if n > 130 || strings.Contains(k.Description, ": ") {
			t.Errorf("%s: a description of %d characters: %s", k.Name, n, k.Description)
		}
		all += n
	}
	if all > 800 { // 200 tokens
		t.Errorf("all descriptions have %d characters", all)
	}
}

// TestWhoAsksForACheckpointSaysOfWhat: the eight points stand in every text that asks
// for one.
func TestWhoAsksForACheckpointSaysOfWhat(t *testing.T) {
	skills, commands := readPlugin(t)
	for _, k := range skills {
		commands[k.Name] = k.Text
	}
	for _, name := range []string{"sage-checkpoint", "sage-save", "checkpoint", "handoff"} {
		if !strings.Contains(commands[name], save.Extraction) {
			t.Errorf("%s lacks save.Extraction, or has another version of it", name)
		}
	}
}

// publishedTools are the tools' names, and those of their arguments.
func publishedTools(t *testing.T) map[string]map[string]any {
	t.Helper()
	b, err := os.ReadFile(filepath.FromSlash("../../../testdata/mcp/tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Name        string
		InputSchema struct{ Properties map[string]any }
	}
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	tools := map[string]map[string]any{}
	for _, tool := range list {
		tools[tool.Name] = tool.InputSchema.Properties
	}
	return tools
}

var (
	toolName = regexp.MustCompile(`\bsage_[a-z_]+\b`)
	toolCall = regexp.MustCompile(`\b(sage_[a-z_]+)\(([^)]*)\)`)
	argName  = regexp.MustCompile(`\b([a-z_]+):`)
	command  = regexp.MustCompile("`git sage ([^.`][^`]*)`")
)

// TestTextsNameWhatThereIs: tools, their arguments and commands, in all that a model is
// shown of them.
func TestTextsNameWhatThereIs(t *testing.T) {
	tools := publishedTools(t)
	skills, texts := readPlugin(t)
	for _, k := range skills {
		texts[k.Name] = k.Text
	}
	named := 0
	for name, text := range texts {
		for _, tool := range toolName.FindAllString(text, -1) {
			named++
			if tools[tool] == nil {
				t.Errorf("%s: there is no tool %s", name, tool)
			}
		}
		for _, m := range toolCall.FindAllStringSubmatch(text, -1) {
			for _, arg := range argName.FindAllStringSubmatch(m[2], -1) {
				if tools[m[1]][arg[1]] == nil {
					t.Errorf("%s: %s takes no %s", name, m[1], arg[1])
				}
			}
		}
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(m[1])
			c, rest, err := newRoot(apptest.New(t.TempDir())).Find(words)
			if err != nil || !c.Runnable() || c.HasSubCommands() || len(rest) > 0 && rest[0][0] != '<' && rest[0] != "..." {
				t.Errorf("%s: `git sage %s`: %v", name, m[1], err)
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d tools are named", named)
	}
}

// A block is a fenced example.
type block struct{ lang, text string }

// blocks are the examples of a text, in their order.
func blocks(text string) (list []block) {
	fence, b := "", block{}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case fence == "" && strings.HasPrefix(line, "```"):
			fence = strings.Repeat("`", len(line)-len(strings.TrimLeft(line, "`")))
			b = block{lang: line[len(fence):]}
		case fence != "" && line == fence:
			list, fence = append(list, b), ""
		case fence != "":
			b.text += line + "\n"
		}
	}
	return list
}

// TestExamplesWork plays the examples of a skill, in their order, in a fresh
// repository, as a session does: those of the shell, and calls of tools.
func TestExamplesWork(t *testing.T) {
	skills, _ := readPlugin(t)
	for _, k := range skills {
		t.Run(k.Name, func(t *testing.T) {
			root := storetest.TempDir(t)
			for _, dir := range []string{"repo", "home"} {
				if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			sh(t, root, `git init -q -b main; git config user.name Ada; git config user.email ada@example.org; git commit -q --allow-empty -m one`)
			env := append(apptest.New(root).Env, "CLAUDE_CODE_SESSION_ID=5e55104e-0000-4000-8000-000000000000")
			all := blocks(k.Text)
			for _, b := range all {
				switch b.lang {
				case "sh":
					play(t, root, env, b.text)
				case "tool":
					callTools(t, root, env, b.text)
				default:
					t.Errorf("an example in %q", b.lang)
				}
			}
			if len(all) < 2 && k.Name != "sage-save" {
				t.Errorf("%d examples", len(all))
			}
		})
	}
}

func play(t *testing.T, root string, env []string, script string) {
	t.Helper()
	c := exec.Command("sh", "-e", "-c", script)
	c.Dir, c.Env = filepath.Join(root, "repo"), env
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, script, out)
	}
}

// callTools calls a tool for each line: its name, and its arguments as JSON.
func callTools(t *testing.T, root string, env []string, lines string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		name, args, _ := strings.Cut(line, " ")
		if text, failed := callTool(t, root, env, name, args); failed {
			t.Errorf("%s\n%s", line, text)
		}
	}
}

// callTool calls a tool of a server of its own.
func callTool(t *testing.T, root string, env []string, name, args string) (text string, failed bool) {
	t.Helper()
	c := exec.Command("git-sage", "mcp")
	c.Dir, c.Env = filepath.Join(root, "repo"), env
	c.Stdin = strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", name, args))
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Error  any
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal(out, &r); err != nil || r.Error != nil || len(r.Result.Content) != 1 {
		return string(out), true
	}
	return r.Result.Content[0].Text, r.Result.IsError
}

// TestSavingCostsLittle: what the answer of a save adds to a conversation is under 150
// tokens, also in its worst ordinary case, counted as the rest of the program counts.
func TestSavingCostsLittle(t *testing.T) {
	root := storetest.TempDir(t)
	for _, dir := range []string{"repo", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	sh(t, root, `git init -q -b main`)
	env := append(apptest.New(root).Env, "CLAUDE_CODE_SESSION_ID=5e55104e-0000-4000-8000-000000000000")
	play(t, root, env, `echo '{"source":"startup"}' | git-sage hook session-start`) // who has hooks is not greeted
	text := strings.Repeat("A long thesis has many words, of which an answer repeats few. ", 20)
	for i := range 2 { // the second has one to continue, and says so
		args := fmt.Sprintf(`{"core_question":%q,"thesis":%q,"confidence":0.5,"files_explored":["a","b"],"key_evidence":[%q]}`, text, fmt.Sprint(i, text), text)
		answer, failed := callTool(t, root, env, "sage_save_checkpoint", args)
		if tokens := (utf8.RuneCountInString(answer) + 3) / 4; failed || tokens >= 150 {
			t.Errorf("%d tokens: %s", tokens, answer)
		} else {
			t.Logf("%d tokens: %s", tokens, answer)
		}
	}
}

// TestPluginHasNoStrayFiles: what lies in the plugin is what the client knows.
func TestPluginHasNoStrayFiles(t *testing.T) {
	known := regexp.MustCompile(`^(\.claude-plugin/plugin\.json|\.mcp\.json|README\.md|bin/git-sage|commands/[a-z]+\.md|hooks/hooks\.json|plugin\.go|skills/[a-z-]+/SKILL\.md)$`)
	err := fs.WalkDir(os.DirFS(pluginFolder), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !known.MatchString(path) {
			t.Errorf("what is %s?", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
