// Package githistory proposes as items what a repository's own history decided: in messages of
// commits, in decision records, and in what CHANGELOG and CONTRIBUTING lay down.
package githistory
