// Package plugin is the plugin for Claude Code that this folder is: manifest, hooks,
// server, commands and skills, which a marketplace file at the root of the repository
// offers. The program has its skills in it, to put them where those look for them who
// do without the plugin.
package plugin

import (
	"embed"
	"io/fs"
)

//go:embed skills
var files embed.FS

// Skills are the skills, <name>/SKILL.md each.
func Skills() fs.FS {
	list, err := fs.Sub(files, "skills")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return list
}
