// Package markdown reads and writes knowledge as other tools keep it in Markdown: instructions
// for agents, decision records, vaults of Obsidian and notes of Basic Memory. What it writes it
// reads back with all that the form can say.
package markdown
