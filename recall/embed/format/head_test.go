package format

import (
	"os"
	"strings"
	"testing"
)

// head is the begin of a file of weights that is there.
func head(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("../weights/all-MiniLM-L6-v2.bin")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestHeadPrintsItself(t *testing.T) {
	file := head(t)
	h, err := Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	if h.String() != file[:Size] {
		t.Errorf("%q\nis printed as\n%q", file[:Size], h)
	}
	h.QueryPrefix, h.DocumentPrefix = " \"Query\":\n ", "→ "
	again, err := Parse(h.String() + file[Size:])
	if err != nil || again != h {
		t.Errorf("%+v, %v, want %+v", again, err, h)
	}
}

func TestSectionsFillTheFile(t *testing.T) {
	h, err := Parse(head(t))
	if err != nil {
		t.Fatal(err)
	}
	end := Size
	for _, s := range h.Sections() {
		if s.Offset < end || s.Offset >= end+align || s.Offset%align != 0 {
			t.Errorf("%s of layer %d begins at %d, after %d", s.Name, s.Layer, s.Offset, end)
		}
		end = s.Offset + s.Bytes
	}
	if end != h.FileSize() {
		t.Errorf("the sections end at %d of %d", end, h.FileSize())
	}
}

// FuzzParse: a head that is taken says only what the encoder can live with.
func FuzzParse(f *testing.F) {
	file := head(f)
	f.Add(file[:Size])
	f.Add(strings.Replace(file[:Size], "Slots: 65536", "Slots: 99999999999999999999", 1))
	f.Fuzz(func(t *testing.T, head string) {
		if len(head) > Size {
			head = head[:Size]
		}
		h, err := Parse(head + file[min(len(head), len(file)):])
		if err == nil && (h.FileSize() != len(file) || h.MaxTokens > h.Positions || h.Start >= h.Vocab || h.Hidden/h.Heads*h.Heads != h.Hidden) {
			t.Errorf("%+v is taken", h)
		}
	})
}
