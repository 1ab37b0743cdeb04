//go:build linux

package procs

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// everybody lets each of them do its work again and again, all at once, and returns
// what was acknowledged.
func everybody(each map[string]func(k int) (id string, err error), t *testing.T) (ids []string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	rounds, began := map[string]int{}, time.Now()
	for who, act := range each {
		wg.Go(func() {
			for k := 0; k < 4 || time.Since(began) < together; k++ {
				id, err := act(k)
				if err != nil {
					t.Errorf("%s, for the %d. time: %v", who, k+1, err)
					return
				}
				mu.Lock()
				if rounds[who]++; id != "" {
					ids = append(ids, id)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("at once: %v", rounds)
	return ids
}

// Case C40: servers and commands that save, hooks and commands that look, upkeep and
// git's own all work in one repository at once, and make one history.
func TestEverybody(t *testing.T) {
	t.Parallel()
	p := started(t, built)
	p.saved("known to all")
	one, two := greet(t, p.cmd("mcp", "serve")), greet(t, p.cmd("mcp", "serve"))
	onMain := func(k int) (string, error) { return p.save(fmt.Sprint("typed ", k), "--line", "main") }
	looks := [][]string{{"status"}, {"log", "--all"}, {"fsck"}, {"doctor"}, {"show", "main"}, {"merge", "--fetched"}}
	ids := everybody(map[string]func(int) (string, error){
		"a server":       func(k int) (string, error) { return one.save(t, fmt.Sprint("served ", k)), nil },
		"another server": func(k int) (string, error) { return two.save(t, fmt.Sprint("served too ", k)), nil },
		"a person":       onMain,
		"another person": onMain,
		"who looks":      func(k int) (string, error) { _, err := p.try(looks[k%len(looks)]...); return "", err },
		"upkeep":         func(int) (string, error) { _, err := p.try("admin", "maintenance", "--quiet"); return "", err },
		"a hook": func(int) (string, error) {
			cmd := p.cmd("hook", "session-start")
			cmd.Stdin = strings.NewReader(`{"session_id":"5e55104e-0000-4000-8000-000000000000","hook_event_name":"SessionStart","source":"startup"}`)
			out, err := outcome(cmd)
			if err == nil && !strings.Contains(out, "known to all") && !strings.Contains(out, "typed") && !strings.Contains(out, "served") {
				err = fmt.Errorf("it shows nothing: %q", out)
			}
			return "", err
		},
		"git": func(k int) (string, error) {
			if k%3 > 0 {
				p.git("pack-refs", "--all")
			} else {
				p.git("gc", "-q")
			}
			return "", nil
		},
	}, t)
	one.bye(t)
	two.bye(t)
	for i, id := range ids {
		ids[i] = p.git("rev-parse", id)
	}
	p.holds(ids...)
	if out, err := p.try("fsck"); err != nil {
		t.Errorf("fsck: %v\n%s", err, out)
	}
	typed := func(args ...string) int {
		return strings.Count(p.git(append([]string{"log", "--format=%s"}, args...)...), "typed")
	}
	if on, all := typed("--first-parent", "refs/sage/heads/main"), typed("--glob=refs/sage"); on != all || all == 0 {
		t.Errorf("%d of %d that were typed are in the chain", on, all)
	}
}
