package segment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func fieldsOf(s string) int { return len(strings.Fields(s)) }

func TestChunks(t *testing.T) {
	o := Cutter{Count: fieldsOf}
	var long strings.Builder
	for i := range 100 {
		fmt.Fprintf(&long, "Sentence number %d says what it says here. ", i)
		if i%10 == 9 {
			long.WriteString("\n\n")
		}
	}
	for name, d := range map[string]Doc{
		"short":        {Body: "one line"},
		"sentences":    {Body: long.String()},
		"with a title": {Meta: Meta{Title: "What sentences say"}, Body: long.String()},
		"no sentences": {Body: strings.Repeat("word ", 3000)},
		"one word":     {Body: strings.Repeat("x", 5000)},
		"no spaces":    {Body: strings.Repeat("数据库很慢", 800)},
		"a long title": {Meta: Meta{Title: strings.Repeat("title ", 300)}, Body: long.String()},
	} {
		t.Run(name, func(t *testing.T) {
			at := 0
			spans := o.Chunks(&d)
			for i, s := range spans {
				piece := d.Body[s.From:s.To]
				if n := fieldsOf(ChunkText(d.Title, piece)); n > maxChunk || !utf8.ValidString(piece) {
					t.Errorf("chunk %d has %d tokens: %.40q", i, n, piece)
				}
				if s.From > at || s.To <= at || i > 0 && at-s.From > 40*overlap {
					t.Errorf("chunk %d is %v behind %d", i, s, at)
				}
				at = s.To
			}
			if at != len(d.Body) || len(spans) == 0 {
				t.Errorf("%d chunks end at %d of %d", len(spans), at, len(d.Body))
			}
		})
	}
	if spans := o.Chunks(&Doc{Body: " \n"}); len(spans) > 0 {
		t.Errorf("nothing has chunks: %v", spans)
	}
}

// A text without ends of sentences is halved and halved, and what is long is not
// counted each time: a megabyte took a second, which a prompt has not.
func TestLongTextsAreCountedFewTimes(t *testing.T) {
	counted := 0
	o := Cutter{Count: func(s string) int { counted += len(s); return fieldsOf(s) }}
	d := Doc{Body: strings.Repeat("word ", 200_000)}
	if spans := o.Chunks(&d); len(spans) < 1000 || counted > 6*len(d.Body) {
		t.Errorf("%d chunks of %d bytes took %d to be counted", len(spans), len(d.Body), counted)
	}
}

func TestUnits(t *testing.T) {
	var long strings.Builder
	for i := range 80 {
		fmt.Fprintf(&long, "line %d of a talk\n\n", i)
	}
	d := Doc{Body: long.String()}
	units := d.Units()
	if len(units) != 79 || !strings.Contains(units[3], "line 3 ") || !strings.Contains(units[3], "line 4 ") || strings.Contains(units[3], "line 5 ") {
		t.Errorf("%d units, %q", len(units), units[3])
	}
	if got := (&Doc{Body: "a\nb\nc"}).Units(); len(got) != 1 {
		t.Errorf("a short text has units %q", got)
	}
}

// FuzzPacked holds any text to pieces that cover it, go forward and are short enough.
func FuzzPacked(f *testing.F) {
	f.Add("One. Two! Three?\nfour 数据。库", 3)
	f.Add(strings.Repeat("a b. ", 50), 7)
	f.Add("\xff\xfe\n\n", 1)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 1 + most&0xff
		at := 0
		for i, s := range packed(text, most, fieldsOf) {
			if s.From > at || i > 0 && s.To <= at || s.To > len(text) {
				t.Fatalf("piece %d is %v behind %d of %d", i, s, at, len(text))
			}
			if n := fieldsOf(text[s.From:s.To]); n > most {
				t.Fatalf("piece %d has %d words of %d", i, n, most)
			}
			at = s.To
		}
		if at != len(text) {
			t.Fatalf("ends at %d of %d", at, len(text))
		}
	})
}

// What stands apart is a chunk by itself, without the title, and part of what words find.
func TestWhatStandsApartIsAChunkOfItsOwn(t *testing.T) {
	o := Cutter{}
	d := Doc{Meta: Meta{Key: "k", Title: "Staging"}, Body: "The database is emptied on Sundays.", Apart: []string{"my account is gone", "登录不了"}}
	text := d.Searched()
	var got []string
	for _, s := range o.Chunks(&d) {
		got = append(got, ChunkText(d.Title, text[s.From:s.To]))
	}
	if want := []string{"Staging\nThe database is emptied on Sundays.", "my account is gone", "登录不了"}; !slices.Equal(got, want) {
		t.Errorf("chunks %q, want %q", got, want)
	}
	if units := d.Units(); len(units) != 1 || !strings.Contains(units[0], "account") {
		t.Errorf("units %q", units)
	}
}
