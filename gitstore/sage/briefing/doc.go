// Package briefing writes a checkpoint as a brief for whoever goes on from it, within a number of
// tokens, and reads a brief back.
package briefing
