package files

import "github.com/git-sage/git-sage/hooks/transcript/internal/scan"

// A shown is the client's note of a read.
type shown struct {
	content    []byte
	from       int // the first line
	lines, all int // that are shown, and that the file has; what follows the last newline is one
}

func readShown(file []byte) (s shown) {
	for key, v := range scan.Fields(file) {
		switch string(key) {
		case "content":
			s.content = v
		case "startLine":
			s.from = scan.Number(v)
		case "numLines":
			s.lines = scan.Number(v)
		case "totalLines":
			s.all = scan.Number(v)
		}
	}
	return s
}
