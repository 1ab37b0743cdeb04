package walk

// A Search is a question to the web or to the code.
type Search struct {
	Kind   string `json:"kind"` // web, page (one was fetched), code, or names (of files)
	Query  string `json:"query"`
	Where  string `json:"where,omitempty"` // the folder or file that was named, by its path as of a File; "" is all
	Offset int64  `json:"offset"`
}
