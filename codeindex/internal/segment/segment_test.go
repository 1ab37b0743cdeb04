package segment_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/recall/index/disk"
)

var format = [32]byte{1}

func written(t *testing.T, b *segment.Builder) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := b.Write(&out, format); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func opened(t *testing.T, raw []byte) *segment.Segment {
	t.Helper()
	s, err := segment.Open(disk.Bytes(raw), format)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func count(word string, tf segment.TF) segment.Count {
	return segment.Count{Term: words.Hash(word), TF: tf}
}

// source is a file with two functions; n makes it another.
func source(n byte) segment.File {
	return segment.File{ID: segment.ID{n}, Language: "go", Lines: 20, Chunks: []segment.Chunk{
		{
			Kind: "function", Name: "Open", Signature: "func Open() error", Doc: "Open opens.", First: 3, Last: 9, Text: segment.ID{n, 1},
			Terms: []segment.Count{count("open", segment.TF{Body: 20, Name: 1, Signature: 1, Doc: 2}), count("error", segment.TF{Signature: 1})},
			Calls: []segment.Call{{Name: "close", Line: 4}},
		},
		{
			Kind: "method", Name: "close", Container: "File", First: 11, Last: 20, Text: segment.ID{n, 2},
			Terms: []segment.Count{count("error", segment.TF{Body: 1})},
			Calls: []segment.Call{{Name: "Open", Line: 12}, {Name: "close", Line: 13}},
		},
	}}
}

// look tells all that a segment has of the words and names of source.
func look(t *testing.T, s *segment.Segment) (out []any) {
	t.Helper()
	for i := range s.Files() {
		f := s.File(i)
		if at, ok := s.Find(f.ID); !ok || at != i {
			t.Errorf("file %d is found at %d, %v", i, at, ok)
		}
		for c := f.Chunk; c < f.Chunk+f.N; c++ {
			chunk, err := s.Chunk(uint32(c))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, f.ID[0], f.Language, chunk, s.Length(uint32(c)))
		}
	}
	place := func(c uint32) [2]byte {
		return [2]byte{s.File(s.FileOf(c)).ID[0], byte(int(c) - s.File(s.FileOf(c)).Chunk)}
	}
	for _, w := range []string{"open", "error", "none"} {
		var list []string
		if err := s.Postings(words.Hash(w), func(c uint32, tf segment.TF) { list = append(list, fmt.Sprint(place(c), tf)) }); err != nil {
			t.Fatal(err)
		}
		slices.Sort(list) // their order is that in which files were added
		out = append(out, w, s.Count(words.Hash(w)), list)
	}
	for _, name := range []string{"OPEN", "close", "other"} {
		var list []string
		for _, c := range s.Defining(name) {
			list = append(list, fmt.Sprint(place(c)))
		}
		if err := s.Calling(name, func(c uint32, line int) { list = append(list, fmt.Sprint(place(c), line)) }); err != nil {
			t.Fatal(err)
		}
		slices.Sort(list)
		out = append(out, name, list)
	}
	return out
}

func TestRoundTrip(t *testing.T) {
	b := segment.NewBuilder()
	b.Add(source(2))
	b.Add(segment.File{ID: segment.ID{1}, State: segment.Binary})
	s := opened(t, written(t, b))
	if s.Files() != 2 || s.Len() != 2 || s.File(0).State != segment.Binary {
		t.Fatalf("%d files, %d chunks", s.Files(), s.Len())
	}
	c, err := s.Chunk(1)
	if err != nil {
		t.Fatal(err)
	}
	want := source(2).Chunks[1]
	want.Terms, want.Calls, want.Text = nil, nil, segment.ID{}
	if d := cmp.Diff(want, c); d != "" {
		t.Errorf("-want +got: %s", d)
	}
	texts, err := s.Texts()
	if err != nil || !slices.Equal(texts, []segment.ID{{2, 1}, {2, 2}}) {
		t.Errorf("texts %v, %v", texts, err)
	}
	var tf segment.TF
	if err := s.Postings(words.Hash("open"), func(_ uint32, got segment.TF) { tf = got }); err != nil {
		t.Fatal(err)
	}
	if want := (segment.TF{Body: 15, Name: 1, Signature: 1, Doc: 2}); tf != want {
		t.Errorf("%v, want %v", tf, want)
	}
	if _, err := segment.Open(disk.Bytes(written(t, b)), [32]byte{2}); !errors.Is(err, segment.ErrDamaged) {
		t.Errorf("one of another repository: %v", err)
	}
}

// Two segments that are merged tell what one that was built of all files tells.
func TestTake(t *testing.T) {
	parts := [2]*segment.Builder{segment.NewBuilder(), segment.NewBuilder()}
	whole := segment.NewBuilder()
	for i, n := range []byte{7, 3, 9, 1, 5} {
		parts[i%2].Add(source(n))
		if n != 9 {
			whole.Add(source(n))
		}
	}
	merged := segment.NewBuilder()
	for _, p := range parts {
		s := opened(t, written(t, p))
		moved, err := merged.Take(s, func(file int) bool { return s.File(file).ID != segment.ID{9} })
		if err != nil {
			t.Fatal(err)
		}
		if at, ok := s.Find(segment.ID{9}); ok && moved[s.File(at).Chunk] != segment.Gone {
			t.Error("what was left out has a place")
		}
	}
	got, want := look(t, opened(t, written(t, merged))), look(t, opened(t, written(t, whole)))
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-whole +merged: %s", d)
	}
}

// Each damaged byte is found, when it is read at the latest.
func TestDamage(t *testing.T) {
	b := segment.NewBuilder()
	b.Add(source(1))
	b.Add(source(2))
	raw := written(t, b)
	for at := range raw {
		bad := slices.Clone(raw)
		bad[at] ^= 0x40
		s, err := segment.Open(disk.Bytes(bad), format)
		if err == nil {
			if s.Verify() == nil {
				continue // between two sections
			}
			err = errors.Join(reading(s)...)
		}
		if !errors.Is(err, segment.ErrDamaged) {
			t.Errorf("byte %d: %v", at, err)
		}
	}
}

func reading(s *segment.Segment) (errs []error) {
	for c := range uint32(s.Len()) {
		_, err := s.Chunk(c)
		errs = append(errs, err)
	}
	for _, w := range []string{"open", "error"} {
		errs = append(errs, s.Postings(words.Hash(w), func(uint32, segment.TF) {}))
	}
	_, err := s.Texts()
	return append(errs, err, s.Calling("x", func(uint32, int) {}))
}
