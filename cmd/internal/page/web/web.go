// Package web has the page as a browser gets it, which cmd/internal/lab/page makes of ui.
package web

import "embed"

// Page are the files that are served.
//
//go:embed app.css app.js icon.svg index.html preact-license.txt
var Page embed.FS

// Style is how both the page and a file look.
//
//go:embed app.css
var Style string

// File is the script of an exported file.
//
//go:embed file.js
var File string
