package cli

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/mcp"
)

// knobs are the settings of the folder that an agent works in, as its tools see them.
// They are read anew each time: a server lives for days.
type knobs struct {
	a   *app
	dir func() string
}

// load reads the settings, and returns the tuning file of the repository, "" if none.
func (k knobs) load(ctx context.Context) (c *config.Config, project string, err error) {
	m, err := k.a.openGuest(ctx, k.dir(), k.a.session)
	if err != nil {
		return nil, "", err
	}
	defer m.Close()
	c, err = k.a.config(m.Store)
	return c, projectTuning(m.Store), err
}

func (k knobs) modules(ctx context.Context) ([]string, error) {
	c, _, err := k.load(ctx)
	if err != nil {
		return nil, err
	}
	return c.List("modules"), nil
}

func (k knobs) list(ctx context.Context, key string) (list []mcp.Setting, warnings []string, err error) {
	c, _, err := k.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	if key != "" {
		names = append(names, key)
	}
	keys, err := chosenKeys(names)
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

// set changes a setting, but none that keeps the memory away from an agent, or the
// conversation from others: what an agent reads may ask it to.
func (k knobs) set(ctx context.Context, name, value string, project bool) (mcp.Setting, error) {
	key, err := config.Lookup(name)
	if err != nil {
		return mcp.Setting{}, err
	}
	if key.UserOnly || key.Name == "enabled" || key.Name == "durable" || key.Name == "sign" {
		return mcp.Setting{}, fmt.Errorf("%s is for the user to change: git sage config set %s <value>", key.Name, key.Name)
	}
	_, file, err := k.load(ctx)
	if err != nil {
		return mcp.Setting{}, err
	}
	f := config.File{Path: k.a.userTuning()}
	if project {
		f = config.File{Path: file, Project: true}
	}
	if f.Path == "" {
		return mcp.Setting{}, fmt.Errorf("no work tree here that could hold .sage/tuning.yaml")
	}
	if err := f.Set(key.Name, value); err != nil {
		return mcp.Setting{}, err
	}
	c, _, err := k.load(ctx)
	if err != nil {
		return mcp.Setting{}, err
	}
	return setting(c, key), nil
}
