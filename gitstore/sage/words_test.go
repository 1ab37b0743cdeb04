package sage

import (
	"strings"
	"testing"
)

func TestItemWords(t *testing.T) {
	for field, want := range map[string]string{
		"type": "knowledge preference todo reference failure", "status": "active pending done archived deprecated superseded",
		"links": "related supersedes contradicts extends", "source": "",
	} {
		if got := strings.Join(ItemWords(field), " "); got != want {
			t.Errorf("%s: %s", field, got)
		}
	}
}

func TestWords(t *testing.T) {
	got := Words("tensions.resolution")
	got[0] = "changed"
	if Words("tensions.resolution")[0] != "unresolved" {
		t.Error("Words gives its own slice away")
	}
	if Words("thesis") != nil {
		t.Error("thesis has no words")
	}
}
