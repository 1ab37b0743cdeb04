package files

// What was done to a file.
const (
	Read    = "read"
	Saw     = "see" // another version of it, or that it holds something
	Changed = "change"
)

// A Touch is what a call of a tool does to a file, once it succeeds.
type Touch struct {
	File  string `json:"file"` // relative to the root with slashes, or absolute
	Out   bool   `json:"out,omitempty"`
	Did   string `json:"did"`
	Lines [2]int `json:"lines,omitzero"` // zero is all of it
	Part  bool   `json:"part,omitempty"` // of which nobody knows the lines

	// What only the answer tells.
	Blob  string `json:"-"` // of the whole content
	Count int    `json:"-"` // lines in it
	Hunks []hunk `json:"-"` // where it was changed
}
