package digest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Said has all that was said where a digest keeps the end alone, and begins behind an
// offset.
func TestSaidIsWhole(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.jsonl")
	var b strings.Builder
	half := int64(0)
	for i := range 100 {
		if i == 50 {
			half = int64(b.Len())
		}
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","message":{"content":"asked %d"}}`+"\n", i, i)
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%d","message":{"model":"m","content":[{"type":"text","text":"answered %d"},{"type":"tool_use","id":"t","name":"Read","input":{}}]}}`+"\n", i, i)
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%d","message":{"model":"m","content":[{"type":"text","text":"again"}]}}`+"\n", i)
		b.WriteString(`{"type":"assistant","uuid":"e","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}}` + "\n")
		b.WriteString(`{"type":"user","isSidechain":true,"message":{"content":"to a subagent"}}` + "\n")
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := Said(t.Context(), file, 0, Options{})
	if err != nil || len(all) != 200 || all[0].Text != "asked 0" || !all[0].Person || all[199].Text != "answered 99" || all[199].Person {
		t.Fatalf("%d texts, %v: %+v", len(all), err, all[:min(3, len(all))])
	}
	rest, err := Said(t.Context(), file, half, Options{})
	if err != nil || len(rest) != 100 || rest[0].Text != "asked 50" || rest[0].Offset != half {
		t.Errorf("%d texts, %v", len(rest), err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if some, err := Said(over, file, 0, Options{}); err == nil || len(some) != 0 {
		t.Errorf("%d texts, %v", len(some), err)
	}
	if _, err := Said(t.Context(), file+".gone", 0, Options{}); err == nil {
		t.Error("what is not there was read")
	}
	if none, err := Said(t.Context(), file, int64(b.Len())+100, Options{}); err != nil || len(none) != 0 {
		t.Errorf("behind the end: %d texts, %v", len(none), err)
	}
}
