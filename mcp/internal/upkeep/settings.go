package upkeep

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
)

var errNoSettings = errors.New("this server was started without settings")

func runGetConfig(ctx context.Context, c *tool.Call) (string, error) {
	if c.Client.Settings == nil {
		return "", errNoSettings
	}
	list, warnings, err := c.Client.Settings(ctx, strings.TrimSpace(c.Text("key")))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s: %s (%s", s.Key, texts.OneLine(s.Value, 200), texts.OneLine(s.Source, 200))
		if s.Value != s.Default {
			fmt.Fprintf(&b, "; default %s", s.Default)
		}
		fmt.Fprintf(&b, "): %s\n", s.Doc)
	}
	warn(&b, warnings)
	return texts.Fit(b.String(), texts.MaxChars, "give a key"), nil
}

func warn(b *strings.Builder, warnings []string) {
	for _, w := range warnings {
		fmt.Fprintf(b, "Warning: %s\n", texts.OneLine(w, 300))
	}
}

func runSetConfig(ctx context.Context, c *tool.Call) (string, error) {
	if c.Client.SetSetting == nil {
		return "", errNoSettings
	}
	key, asked := strings.TrimSpace(c.Text("key")), strings.TrimSpace(c.Text("value"))
	if c.Flag("project_level") {
		return "", fmt.Errorf("project_level: only a person can change a setting of the project: git sage config set --project %s %s",
			gitstore.InShell(texts.OneLine(key, 60)), gitstore.InShell(texts.OneLine(asked, 200)))
	}
	s, err := c.Client.SetSetting(ctx, key, asked)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%s is %s now (%s), from the next call on.", s.Key, texts.OneLine(s.Value, 200), texts.OneLine(s.Source, 200))
	if s.Key == "modules" {
		text += " Tools appear and disappear after sage_reload_config, and when the client lists the tools again."
	}
	return text, nil
}

// runReloadConfig reads what is not read anew with every call: the modules.
func runReloadConfig(ctx context.Context, c *tool.Call) (string, error) {
	before, after := c.Client.Reload(ctx)
	var b strings.Builder
	b.WriteString("Settings reloaded; recall and saves read theirs with every call.\n")
	if was, is := strings.Join(before, ", "), strings.Join(after, ", "); was != is {
		fmt.Fprintf(&b, "Modules were %s and are now %s: the client sees this when it lists the tools again.\n", was, is)
	}
	if c.Client.Settings == nil {
		return b.String(), nil
	}
	_, warnings, err := c.Client.Settings(ctx, "")
	warn(&b, warnings)
	return b.String(), err
}
