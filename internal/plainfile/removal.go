package plainfile

import "runtime"

// Removal is what a person types to remove a file by hand. On Windows it works in both shells that
// come with the system.
func Removal(path string) string { return removal(runtime.GOOS, path) }

func removal(system, path string) string {
	if system == "windows" { // where no path holds a quotation mark
		return `del "` + path + `"`
	}
	return "rm " + quoted(path)
}
