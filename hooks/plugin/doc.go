// Package plugin decides what is done about what the watcher sees: an [Event] goes to
// the built-in plugins, one after the other, and each answers with [Action]s.
//
// A plugin does nothing itself. What it may ask for is a fixed list, and whatever else it
// answers is left out and said so. One that panics answers nothing; one that takes too
// long answers nothing either, and is not asked again: the others go on.
package plugin
