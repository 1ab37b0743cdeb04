// Package watch is a daemon that reads along in the transcripts of Claude Code, for
// clients whose hooks are off: it sees that a conversation was compacted, that a session
// began, and that one ended, and has done what plugins ask for (package plugin). Where
// hooks are on it finds that they were there first, and does nothing.
//
// There is one daemon for each user. That one runs is a lock which the kernel gives up
// with the process, whatever files say; who holds it is asked from the kernel, too, and is
// sent a signal only if the status that it wrote says the same process, start and boot.
// On Windows, where the kernel names no holder, the status does.
//
// It learns of changes from fsnotify, or polls where that is deaf, as on network file
// systems. What it is told are hints and no counts: it reads each file from where it
// stopped, and looks at all of them every 30 s, and when hints were lost. Its work is done
// in processes of their own, so that it stays small: it never holds a model, nor a
// conversation.
//
// A session whose client nobody noted is taken for ended when nothing was written for
// 15 minutes: saving what nobody saved of one that goes on after all does no harm.
package watch
