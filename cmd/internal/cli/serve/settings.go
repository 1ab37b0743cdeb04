package serve

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/settings"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/mcp"
)

// knobs are the settings of the folder that an agent works in, as its tools see them.
// They are read anew each time: a server lives for days.
type knobs struct {
	a   *app.App
	dir func() string
}

// load reads the settings.
func (k knobs) load(ctx context.Context) (*config.Config, error) {
	m, err := k.a.OpenGuest(ctx, k.dir(), k.a.Session)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return k.a.Config(m.Store)
}

func (k knobs) modules(ctx context.Context) ([]string, error) {
	c, err := k.load(ctx)
	if err != nil {
		return nil, err
	}
	return c.List("modules"), nil
}

func (k knobs) list(ctx context.Context, key string) (list []mcp.Setting, warnings []string, err error) {
	c, err := k.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	if key != "" {
		names = append(names, key)
	}
	keys, err := settings.ChosenKeys(names)
	for _, key := range keys {
		list = append(list, setting(c, key))
	}
	return list, c.Warnings(), err
}

func setting(c *config.Config, k config.Key) mcp.Setting {
	e := c.Entry(k.Name)
	byDefault := config.Entry{Value: k.Default}
	return mcp.Setting{Key: e.Key, Value: e.Text(), Default: byDefault.Text(), Source: e.Source, Doc: k.Doc}
}

// set changes a setting for the user in this repository, but none that keeps the memory
// away from an agent, or the conversation from others: what an agent reads may ask it to.
// What all who work on the project share is for a person to change, for the same reason.
func (k knobs) set(ctx context.Context, name, value string) (mcp.Setting, error) {
	key, err := config.Lookup(name)
	if err != nil {
		return mcp.Setting{}, err
	}
	if key.UserOnly || key.Name == "enabled" || key.Name == "durable" || key.Name == "sign" {
		return mcp.Setting{}, fmt.Errorf("only the user can change %s: git sage config set %s <value>", key.Name, key.Name)
	}
	v, err := key.Parse(value)
	if err != nil {
		return mcp.Setting{}, err
	}
	m, err := k.a.OpenGuest(ctx, k.dir(), k.a.Session)
	if err != nil {
		return mcp.Setting{}, err
	}
	defer m.Close()
	wanted := config.Entry{Value: v}
	if err := m.Store.Repo.SetConfig(ctx, key.GitName(), wanted.Text()); err != nil {
		return mcp.Setting{}, err
	}
	c, err := k.load(ctx)
	if err != nil {
		return mcp.Setting{}, err
	}
	now := setting(c, key)
	if now.Value != wanted.Text() {
		return now, fmt.Errorf("%s was set to %s for you in this repository, but is %s: %s takes precedence", key.Name, wanted.Text(), now.Value, now.Source)
	}
	return now, nil
}
