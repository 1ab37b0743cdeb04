package transcript

// What was done to a file.
const (
	didRead   = "read"
	didSee    = "see" // another version of it, or that it holds something
	didChange = "change"
)

// A touch is what a call of a tool does to a file, once it succeeds.
type touch struct {
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

// A Search is a question to the web or to the code.
type Search struct {
	Kind   string `json:"kind"` // web, page (one was fetched), code, or names (of files)
	Query  string `json:"query"`
	Where  string `json:"where,omitempty"` // the folder or file that was named, by its path as of a File; "" is all
	Offset int64  `json:"offset"`
}
