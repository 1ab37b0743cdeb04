// Package transcript reads what Claude Code keeps of its conversations: files of one
// JSON object a line, whose form is nobody's promise.
//
// The form that is read here was seen in files of the clients 2.1.197 and 2.1.329;
// samples of both are in testdata. Records and fields that neither wrote are passed
// over and counted, and so are lines that cannot be read: nothing in a file is an error,
// only what happens to the file itself. What else is to know about the form:
//
//   - A file only grows. A line may be the half of one that is being written.
//   - An answer of the model is one record for each block of its content, with the
//     same message id and the same usage in each.
//   - Whether a tool did its work says a later record, of type user.
//   - What a subagent does stands in a file of its own (Subagents of package sessions).
//   - Most of a file is of no use here: 2.1.329 writes thirteen times what 2.1.197 did.
//
// A Reader gives the records from some offset on. A Digest adds them up to what a
// session did, keeps its place in the file, and fits into a small file of its own,
// so that a process for each event reads only what is new. All text that it gives out
// went through the redactor.
package transcript
