package format

// Section is one array of the body.
type Section struct {
	Name   string
	Layer  int // -1 outside the layers
	Offset int // from the begin of the file
	Bytes  int
}

// align is where sections begin: a cache line.
const align = 64

// Sections are the arrays of the body in order.
func (h Head) Sections() []Section {
	at := Size
	var all []Section
	add := func(name string, layer, bytes int) {
		at = (at + align - 1) / align * align
		all = append(all, Section{name, layer, at, bytes})
		at += bytes
	}
	linear := func(name string, layer, n, k int) {
		add(name+".scale", layer, 4*n)
		add(name+".bias", layer, 4*n)
		add(name+".w", layer, n*k)
	}
	norm := func(name string, layer int) {
		for _, part := range []string{".w", ".b", ".qw", ".qb"} {
			add(name+part, layer, 4*h.Hidden)
		}
	}
	add("slots", -1, 2*h.Slots)
	add("ends", -1, 4*(h.Vocab+1))
	add("text", -1, h.TextBytes)
	add("wscale", -1, 4*h.Vocab)
	add("word", -1, h.Vocab*h.Hidden)
	add("pos", -1, 4*h.Positions*h.Hidden)
	norm("ln", -1)
	for i := range h.Layers {
		linear("qkv", i, 3*h.Hidden, h.Hidden)
		linear("o", i, h.Hidden, h.Hidden)
		norm("ln1", i)
		linear("f1", i, h.Inner, h.Hidden)
		add("f2.in", i, 4*h.Inner)
		linear("f2", i, h.Hidden, h.Inner)
		norm("ln2", i)
	}
	return all
}

// FileSize is the length of the file.
func (h Head) FileSize() int {
	s := h.Sections()
	last := s[len(s)-1]
	return last.Offset + last.Bytes
}

// Hash is where the search for a token begins in the table of slots.
func Hash(h uint32, slots int) int { return int(h^h>>16) & (slots - 1) }

// FNV-1a, of 32 bits.
const (
	HashStart = 2166136261
	HashPrime = 16777619
)
