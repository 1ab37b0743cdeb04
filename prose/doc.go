// Package prose reads what people and models write: Markdown, in any language, as
// sentences that say where they stand.
//
// [Read] leaves out what nobody says: code blocks, tables, quotations and logs. What is left
// it takes apart into headings, paragraphs and items of lists, and these into sentences.
// A sentence is verbatim: its code, numbers, file names, links and abbreviations are as they
// were written. With it comes its structure, which tells what it is before any of its words
// do: the heading above, the label in front ("**Decision:** ..."), whether it is an item, and
// whether its list closes the text.
//
// [Language] tells which of eight languages a text is in, by its script and by the small
// words of each. [RoleOf] tells in all of them what a heading or a label announces.
//
// Size: 106 names, most of them words of a language.
package prose
