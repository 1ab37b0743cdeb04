// Package compare tells how two statements stand to one another, as far as words tell:
// whether each says what the other says, or they are the same but for a number, a date, a
// denial, an opposite, a name or an order. Where in doubt it says nothing.
package compare
