package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fill writes a transcript of at least so many MB: the samples again and again, with
// ids of their own.
func fill(b *testing.B, file string, mb int) {
	b.Helper()
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	list := samples(b)
	for i, n := 0, 0; n < mb<<20; i++ {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			s := list[name]
			s = bytes.ReplaceAll(s, []byte(`_fake_`), fmt.Appendf(nil, `_%d_`, i))
			s = bytes.ReplaceAll(s, []byte(`"uuid":"`), fmt.Appendf(nil, `"uuid":"%d-`, i))
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

// BenchmarkRead is the first look at a long transcript: 100 MB.
func BenchmarkRead(b *testing.B) {
	file := filepath.Join(b.TempDir(), "s.jsonl")
	fill(b, file, 100)
	st, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"reader": func() error {
			r, err := Open(file, Position{})
			if err != nil {
				return err
			}
			defer r.Close()
			for err == nil {
				_, err = r.Next()
			}
			return nil
		},
		"digest": func() error { return New(Options{Root: "/home/ada/shop"}).Update(file) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(st.Size())
			b.ReportAllocs()
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkResume is what a hook pays at the end of a turn, behind 300 MB: its digest
// is read from JSON, reads the turn, and is written again.
func BenchmarkResume(b *testing.B) {
	file := filepath.Join(b.TempDir(), "s.jsonl")
	fill(b, file, 300)
	o := Options{Root: "/home/ada/shop"}
	d := New(o)
	if err := d.Update(file); err != nil {
		b.Fatal(err)
	}
	kept, err := json.Marshal(d)
	if err != nil {
		b.Fatal(err)
	}
	turn, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer turn.Close()
	if _, err := turn.Write(samples(b)["tools-2.1.329.jsonl"]); err != nil {
		b.Fatal(err)
	}
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
}
