package embed

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestAnyInput embeds what nobody means to.
func TestAnyInput(t *testing.T) {
	texts := []string{
		"", " ", "\x00", "\xff\xfe", "a\xc3", "\xed\xa0\x80", "\u200d", strings.Repeat("\x01", 1<<20), strings.Repeat("x", 1<<20),
		strings.Repeat("long text ", 1<<17), strings.Repeat("長", 1<<18), strings.Repeat("🎉", 1<<18), strings.Repeat("\u0301", 1<<19),
		"[CLS] [SEP] [MASK] [PAD]", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "가힣", "Å",
	}
	for _, name := range files {
		b := open(t, name)
		v, err := b.Documents(t.Context(), texts)
		if err != nil || len(v) != len(texts) {
			t.Fatalf("%d vectors, %v", len(v), err)
		}
		for i := range v {
			if n := dot(v[i], v[i]); math.Abs(n-1) > 1e-5 {
				t.Errorf("%s: %.20q has length %v", name, texts[i], n)
			}
		}
		if n := len(b.tokens.encode("", texts[9], b.head.MaxTokens)); n != b.head.MaxTokens {
			t.Errorf("%s: cut at %d tokens", name, n)
		}
	}
}

// TestNobodySpeaksForTheModel: special tokens are the encoder's own.
func TestNobodySpeaksForTheModel(t *testing.T) {
	ids := open(t, files[0]).tokens.encode("", "[CLS] x [SEP] [MASK] [UNK] [PAD]", 100)
	for _, id := range ids[1 : len(ids)-1] {
		if id <= 103 {
			t.Errorf("a text made the token %d: %v", id, ids)
		}
	}
}

// TestCompanyDoesNotMatter: a text has the same vector, bit for bit, alone or among
// others, and by one goroutine or two.
func TestCompanyDoesNotMatter(t *testing.T) {
	b := open(t, files[1])
	text := "the quick brown fox jumps over the lazy dog, and the hook must not wait until it has come down on the other side"
	alone := b.net.run(b.with, [][]int32{b.tokens.encode("", text, 256)}, false)[0]
	many := make([]string, 60)
	for i := range many {
		many[i] = text[:len(text)*i/len(many)]
	}
	many[17], many[44] = text, text
	for range 20 {
		two := b.net.run(b.with, [][]int32{b.tokens.encode("", text, 256)}, true)[0]
		all, err := b.Documents(t.Context(), many)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(two, alone) || !slices.Equal(all[17], alone) || !slices.Equal(all[44], alone) {
			t.Fatal("the vector differs")
		}
	}
}

func TestPrefixes(t *testing.T) {
	b := open(t, files[0])
	q, err := b.Queries(t.Context(), []string{"token"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.Documents(t.Context(), []string{"token"})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(q[0], d[0]) {
		t.Error("queries are embedded as documents")
	}
	plain := b.net.run(b.with, [][]int32{b.tokens.encode("", b.head.QueryPrefix+"token", 512)}, false)[0]
	if !slices.Equal(q[0], plain) {
		t.Error("the prefix is not what stands before the text")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	v, err := open(t, files[1]).Documents(ctx, make([]string, 5000))
	if v != nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d vectors, %v", len(v), err)
	}
}

func TestKernelsByName(t *testing.T) {
	b := open(t, files[1])
	names := Kernels()
	if b.Kernel() != names[0] || names[len(names)-1] != "go" {
		t.Errorf("%s of %v", b.Kernel(), names)
	}
	if other, err := b.WithKernel("go"); err != nil || other.Kernel() != "go" || b.Kernel() != names[0] {
		t.Errorf("go: %v", err)
	}
	if _, err := b.WithKernel("abacus"); err == nil {
		t.Error("there is an abacus")
	}
}

// FuzzTokens holds the tokenizer to what any text has to give: ids of the vocabulary
// between the special ones, as many as Count says, and cut where it is told.
func FuzzTokens(f *testing.F) {
	b := open(f, files[0])
	f.Add("don't panic: naïve 東京 🎉", 8)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = 3 + int(uint(limit)%512)
		all := b.tokens.encode("", text, math.MaxInt)
		if n := b.Count(text); n != len(all)-2 {
			t.Errorf("Count is %d, there are %d ids", n, len(all)-2)
		}
		for i, id := range all {
			if id < 0 || int(id) >= b.head.Vocab || (id == b.tokens.start) != (i == 0) || (id == b.tokens.end) != (i == len(all)-1) {
				t.Errorf("id %d at %d of %d", id, i, len(all))
			}
		}
		cut := b.tokens.encode("", text, limit)
		if len(cut) > limit || !slices.Equal(cut[:len(cut)-1], all[:len(cut)-1]) || len(all) <= limit && len(cut) != len(all) {
			t.Errorf("cut at %d: %v of %v", limit, cut, all)
		}
	})
}
