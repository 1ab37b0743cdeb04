// Package ask holds the commands that answer questions from the memory and the code, with a
// model of the user's.
//
// What they send is what an agent may see: texts from elsewhere pass the gates of
// recall/provenance, private items and checkpoints of private lines stay here unless they are
// asked for, and all of it, the question too, goes through the redactor last.
package ask
