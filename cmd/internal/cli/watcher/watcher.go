package watcher

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/hooks/watch"
	"github.com/git-sage/git-sage/internal/hint"
)

func watcherPlace(a *app.App) watch.Place { return watch.Place{Home: a.Home()} }

func startWatcher(ctx context.Context, a *app.App) (watch.Status, bool, error) {
	if a.Self == "" {
		return watch.Status{}, false, errNoSelf
	}
	return watcherPlace(a).Start(ctx, watch.ThisProgram(a.Self), daemon(a))
}

var errNoSelf = errors.New("the path of git-sage itself cannot be found")

// daemon is the process of the daemon, in a session and folder of its own.
func daemon(a *app.App) *exec.Cmd {
	cmd := exec.Command(a.Self, "watcher", "run")
	cmd.Dir = filepath.VolumeName(a.Dir) + string(filepath.Separator)
	cmd.Env = watcherEnv(a.Env)
	background.Detach(cmd)
	return cmd
}

// watcherEnv leaves out what belongs to the session from which the watcher was started:
// it works for all, and outlives that by days.
// It runs in another folder, so that paths must not depend on that.
func watcherEnv(env []string) (out []string) {
	for _, kv := range background.Env(env, true) {
		name, value, _ := strings.Cut(kv, "=")
		switch {
		case (name == "CLAUDE_CONFIG_DIR" || name == "SAGE_HOME") && value != "":
			if abs, err := filepath.Abs(value); err == nil {
				kv = name + "=" + abs
			}
		case name == "SAGE_SESSION" || name == "CLAUDECODE" || strings.HasPrefix(name, "ANTHROPIC_") || strings.HasPrefix(name, "CLAUDE_"):
			continue
		}
		out = append(out, kv)
	}
	return out
}

// watcherRun is the daemon. If an upgrade replaced its program, the new one takes its place.
func watcherRun(ctx context.Context, a *app.App) error {
	if a.Self == "" {
		return errNoSelf
	}
	v, _ := a.Version()
	replaced, err := watcherPlace(a).Serve(ctx, watch.Options{
		Version: v, Folder: a.Transcripts(), Poll: polls(a), Program: watch.ThisProgram(a.Self), Act: watched(a), Clock: time.Now,
		Open: func(ctx context.Context, dir string) (*gitstore.Store, error) {
			return app.OpenStore(ctx, gitstore.Options{Dir: dir, Home: a.Home(), Env: a.Env, Now: a.Now, Guest: true})
		},
	})
	if replaced {
		return background.Start(daemon(a), nil)
	}
	if err != nil {
		fmt.Fprintln(a.Out, term.Visible(hint.Error(err))) // who started it says so
	}
	return err
}

// actWithin is above what the order itself may take.
const actWithin = 90 * time.Second

// watched carries out an order of the watcher's in a process of its own, which ends by
// itself also when the watcher does.
func watched(a *app.App) func(_ context.Context, o hooks.Order) ([]hooks.Done, error) {
	return func(_ context.Context, o hooks.Order) ([]hooks.Done, error) {
		in, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), actWithin)
		defer cancel()
		cmd := exec.CommandContext(ctx, a.Self, "hook", hooks.Watched)
		cmd.Dir = filepath.VolumeName(a.Dir) + string(filepath.Separator)
		cmd.Env, cmd.Stdin = a.Env, bytes.NewReader(in)
		cmd.WaitDelay = time.Second
		background.Detach(cmd)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("carry out what is to be done: %w", err)
		}
		var done []hooks.Done
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var one hooks.Done
			if err := d.Decode(&one); err == io.EOF {
				break
			} else if err != nil {
				return done, err
			}
			done = append(done, one)
		}
		if len(done) < len(o.Actions) {
			return done, fmt.Errorf("%d of %d actions failed; see hooks.log beside the memory", len(o.Actions)-len(done), len(o.Actions))
		}
		return done, nil
	}
}

// AutoStart starts the watcher with the server, where the settings that load reads say so.
func AutoStart(ctx context.Context, a *app.App, load func(context.Context) (*config.Config, error)) {
	c, err := load(ctx)
	if err != nil || !c.Bool("watcher_auto_start") {
		return
	}
	if _, _, err := startWatcher(ctx, a); err != nil && ctx.Err() == nil {
		fmt.Fprintf(a.Err, "watcher: %v\n", term.Visible(hint.Error(err)))
	}
}
