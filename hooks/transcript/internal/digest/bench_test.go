package digest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/hooks/transcript/internal/samples"
)

// junk stands for what the newer client writes beside the conversation, which is cut
// short in the samples: some twelve times as much.
var junk = `{"parentUuid":"x","isSidechain":false,"attachment":{"type":"prompt_snapshot","text":"` +
	strings.Repeat(`You are an agent.\nUse tools. `, 2000) + `"},"type":"attachment"}` + "\n"

// fill writes a transcript of at least so many MB: the samples again and again, with
// ids and files of their own, and with so much junk behind each.
func fill(b *testing.B, file string, mb, junks int) {
	b.Helper()
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	list := samples.All(b)
	for i, n := 0, 0; n < mb<<20; i++ {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			s := list[name]
			s = bytes.ReplaceAll(s, []byte(`_fake_`), fmt.Appendf(nil, `_%d_`, i))
			s = bytes.ReplaceAll(s, []byte(`"uuid":"`), fmt.Appendf(nil, `"uuid":"%d-`, i))
			s = bytes.ReplaceAll(s, []byte(`/shop/src/`), fmt.Appendf(nil, `/shop/src%d/`, i))
			s = append(s, bytes.Repeat([]byte(junk), junks)...)
			m, err := w.Write(s)
			if err != nil {
				b.Fatal(err)
			}
			n += m
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRead is the first look at a long transcript, 100 MB: of the older client,
// which wrote little else than the conversation, and of the newer.
func BenchmarkRead(b *testing.B) {
	for name, junks := range map[string]int{"2.1.197": 0, "2.1.329": 6} {
		file := filepath.Join(b.TempDir(), "s.jsonl")
		fill(b, file, 100, junks)
		b.Run(name+"/reader", func(b *testing.B) { reads(b, file, func() error { return readThrough(file) }) })
		b.Run(name+"/digest", func(b *testing.B) {
			reads(b, file, func() error { return New(Options{Root: shop}).Update(file) })
		})
	}
}

func reads(b *testing.B, file string, read func() error) {
	st, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(st.Size())
	b.ReportAllocs()
	for b.Loop() {
		if err := read(); err != nil {
			b.Fatal(err)
		}
	}
}

func readThrough(file string) error {
	r, err := record.Open(file, record.Position{})
	if err != nil {
		return err
	}
	defer r.Close()
	for err == nil {
		_, err = r.Next()
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// BenchmarkResume is what a hook pays at the end of a turn, behind 300 MB: its digest,
// which is full, is read from JSON, reads the turn, and is written again.
func BenchmarkResume(b *testing.B) {
	file := filepath.Join(b.TempDir(), "s.jsonl")
	fill(b, file, 300, 6)
	for i := range maxTexts {
		appendTo(b, file, line("assistant", fmt.Sprint(i, strings.Repeat(" word", 1000))))
	}
	o := Options{Root: shop}
	d := New(o)
	if err := d.Update(file); err != nil {
		b.Fatal(err)
	}
	kept, err := json.Marshal(d)
	if err != nil {
		b.Fatal(err)
	}
	appendTo(b, file, string(samples.All(b)["tools-2.1.329.jsonl"]))
	b.ReportAllocs()
	for b.Loop() {
		d, err := Load(kept, o)
		if err != nil {
			b.Fatal(err)
		}
		if err := d.Update(file); err != nil {
			b.Fatal(err)
		}
		if _, err := json.Marshal(d); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(kept)), "B/state")
	b.ReportMetric(float64(len(d.Files)), "files")
}

func appendTo(b *testing.B, file, text string) {
	b.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}
