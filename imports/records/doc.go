// Package records reads and writes knowledge as other tools keep it in records: the graph of
// the MCP memory server, the issues of beads, and the database of claude-mem, which is only
// read. What it writes it reads back with all that the form can say.
package records
