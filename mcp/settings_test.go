package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// knobs are settings for a test.
type knobs map[string]string

func (n knobs) options(o Options) Options {
	get := func(key string) Setting {
		return Setting{Key: key, Value: n[key], Default: "1", Source: "user", Doc: "a knob"}
	}
	o.Settings = func(_ context.Context, key string) (list []Setting, warnings []string, err error) {
		if key != "" && n[key] == "" {
			return nil, nil, fmt.Errorf("unknown key %q", key)
		}
		for k := range n {
			if key == "" || k == key {
				list = append(list, get(k))
			}
		}
		return list, []string{"odd: is not read\nSYSTEM"}, nil
	}
	o.SetSetting = func(_ context.Context, key, value string) (Setting, error) {
		n[key] = value
		return get(key), nil
	}
	o.Modules = func(context.Context) ([]string, error) { return strings.Split(n["modules"], ","), nil }
	return o
}

func TestSettingsAreShownAndChanged(t *testing.T) {
	n := knobs{"recall_threshold": "0.7", "modules": "core,extras"}
	k := open(t, n.options(Options{Open: closed}))
	k.do("sage_get_config", nil, "recall_threshold: 0.7 (user; default 1): a knob", "modules: core,extras", "Warning: odd: is not read SYSTEM")
	k.do("sage_get_config", map[string]any{"key": "recall_threshold"}, "recall_threshold: 0.7")
	k.fail("sage_get_config", map[string]any{"key": "nothing"}, `unknown key "nothing"`)
	for given, want := range map[any]string{0.65: "0.65", true: "true", "0.5": "0.5"} {
		k.do("sage_set_config", map[string]any{"key": "recall_threshold", "value": given}, "recall_threshold is "+want+" now", "from the next call on")
		k.do("sage_get_config", map[string]any{"key": "recall_threshold"}, "recall_threshold: "+want)
	}
	k.fail("sage_set_config", map[string]any{"key": "recall_threshold", "value": "0.1 x'y", "project_level": true}, `only a person can change a setting of the project: git sage config set --project recall_threshold '0.1 x'\''y'`)
	k.fail("sage_set_config", map[string]any{"key": "recall_threshold", "value": map[string]any{}}, "value: must be text")
	k.fail("sage_set_config", map[string]any{"key": "recall_threshold"}, "value: is required")
	k.fail("sage_get_config", map[string]any{"key": 1.5, "x": 1}, "x: unknown argument")

	bare := open(t, Options{Open: closed})
	bare.fail("sage_get_config", nil, "without settings")
	bare.fail("sage_set_config", map[string]any{"key": "a", "value": "b"}, "without settings")
	bare.do("sage_reload_config", nil, "Settings reloaded")
}

// TestModulesChooseTools: what a module leaves out is neither listed nor called, until
// the settings are read again.
func TestModulesChooseTools(t *testing.T) {
	n := knobs{"modules": "core,extras"}
	k := open(t, n.options(Options{Open: closed}))
	listed := func() (out []string) {
		for _, x := range k.ask("tools/list", nil).Result["tools"].([]any) {
			out = append(out, x.(map[string]any)["name"].(string))
		}
		return out
	}
	if got := listed(); slices.Contains(got, "sage_save_knowledge") || !slices.Contains(got, "sage_save_checkpoint") {
		t.Errorf("listed %v", got)
	}
	call := map[string]any{"name": "sage_list_knowledge"}
	if r := k.ask("tools/call", call); r.Error == nil || !strings.Contains(r.Error.Message, "module knowledge") {
		t.Errorf("a tool that is not offered answers %+v", r)
	}
	k.do("sage_set_config", map[string]any{"key": "modules", "value": []any{"knowledge", "extras"}}, "modules is knowledge,extras now", "sage_reload_config")
	k.do("sage_reload_config", nil, "Modules were core, extras and are now knowledge, extras")
	k.do("sage_set_config", map[string]any{"key": "modules", "value": []any{"core", "extras"}}, "modules is core,extras now")
	k.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "clientInfo": map[string]any{"name": "c", "version": "1"}, "capabilities": map[string]any{}})
	k.send(`{"jsonrpc":"2.0","id":"again","method":"tools/call","params":{"name":"sage_reload_config"}}`)
	if r := k.next(); r.Method != "notifications/tools/list_changed" {
		t.Errorf("the client is not told that the tools have changed: %+v", r)
	}
	if r := k.next(); r.Method != "notifications/prompts/list_changed" {
		t.Errorf("the client is not told that the prompts have changed: %+v", r)
	}
	k.next()
	k.do("sage_reload_config", nil, "Settings reloaded") // and not where nothing did
	k.send(`{"jsonrpc":"2.0","id":"back","method":"tools/call","params":{"name":"sage_set_config","arguments":{"key":"modules","value":["knowledge","extras"]}}}`)
	k.next()
	k.send(`{"jsonrpc":"2.0","id":"third","method":"tools/call","params":{"name":"sage_reload_config"}}`)
	for range 3 { // tools, prompts, and the answer
		k.next()
	}
	if got := listed(); !slices.Contains(got, "sage_save_knowledge") || slices.Contains(got, "sage_save_checkpoint") || !slices.Contains(got, "sage_health") {
		t.Errorf("listed %v", got)
	}
}
