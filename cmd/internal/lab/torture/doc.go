// Command torture takes git-sage down in every way a machine can, and looks
// whether anything that was acknowledged is lost.
//
//	sweep    the program, a git that it started, or both are killed at each
//	         system call that writes, in every act that writes
//	errors   each call that writes fails: no space, no permission, read-only, I/O
//	random   they are killed at any time, again and again in one repository, while
//	         another process saves
//	disk     there is no space, there are no inodes, it is read-only, or another's
//	code     code is indexed while it is hostile, rewritten, killed, or there is no space
//	power    the power fails at each call that writes, on ext4 and xfs
//
// After every point the same is looked at (oracle.go): what was acknowledged is
// there byte for byte and reachable, the next save works without help, git's own
// fsck and ours find nothing, the user's own things are as they were, and no lock
// of ours is left. After acts of knowledge (acts_items.go) every item is whole, the next
// one can be saved, and recall finds, with the same scores, what it finds when all that
// search made is made anew.
//
// It prints how many points were planned, run, hit and acknowledged, and what was
// lost. Fewer points than planned are a failure, and so is a tool that is missing.
package main
