// Package config finds the value of every setting.
//
// The cascade is walked key by key: a flag, then SAGE_<KEY> in the environment,
// then git's configuration, then the project's .sage/tuning.yaml, then the
// user's ~/.sage/tuning.yaml, then the default. A value that is wrong is warned
// of and skipped, so that a bad file never stops a hook; only a bad flag is an
// error, since somebody has just typed it.
//
// What comes with a repository is a stranger's: its tuning.yaml and its own git
// configuration may tune numbers, switches and choices among known words, but
// never the keys that are the user's alone.
package config
