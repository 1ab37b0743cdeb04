package codec

import "slices"

// HeadLineage is the heading that an export into a folder puts at the end of a
// file, above links to the files before and after it. It is no part of the
// checkpoint, whose lineage is git's.
const HeadLineage = "## Lineage"

// withoutLineage cuts the lines of an exported body at its lineage. Text that
// was saved cannot begin a line like that heading, so nothing else is cut.
func withoutLineage(lines []string) []string {
	if i := slices.Index(lines, HeadLineage); i >= 0 {
		return lines[:i]
	}
	return lines
}
