// Package converge decides what a clone does with the tips that other clones have of
// one of its refs, so that all of them meet at one commit.
//
// Refs only move forward, and everybody merges on their own. A merge that a clone
// makes of fetched tips, a join, is a function of its parents, so whoever joins the
// same tips makes the same commit. That alone does not make clones meet. Three of
// them, each of which fetches from the next, join a with b, b with c and c with a,
// then those three with each other, and so on for ever: each join is news to
// somebody, although after the second round there is nothing new in any of them.
//
// So two kinds of difference are told apart. The heads of a tip are the newest
// commits of people that it holds; joins are seen through. Where two tips have
// different heads, they are joined at once: somebody thought something. Where they
// have the same heads, all that differs is how they came together, nobody is in a
// hurry, and one of the clones settles it for all:
//
//   - Every tip has a rank, which all clones see alike: a list of ids. A join none
//     of whose parents has all its heads begins a list with its own id. A join of
//     which some parent had them all already has the list of the greatest of these
//     parents, and its own id behind. Lists are compared like words, so that a list
//     is smaller than any that continues it.
//   - The clone that made the greatest tip it knows of joins what others have into
//     it; the result is again the greatest there is.
//   - Any other clone stays where it is until that join reaches it, and follows.
//
// A clone with one remote does it the other way round: it joins where that remote's
// tip is greater, and waits where its own is. A ring, or a chain of servers, has
// nobody who could fetch from all.
//
// Why that ends. Joins of tips with the same heads continue a list that was there, so
// the greatest list of all, L, never loses its place to another; it only grows.
//
//   - Where everybody fetches from everybody, one pair after another in any order: the
//     first such round gives all the same heads. After the second everybody knows a
//     tip of L, and no longer moves but forward to one of L's. In the third the clone
//     that made L joins all that is left, in the fourth all follow. Where fetching and
//     merging are apart, so that tips are old when they are joined, it may take one
//     round more. Where all are joined at a time, two do.
//   - Elsewhere that clone may not see all others, or nobody may see its tip. So
//     patience ends: after [Step.Patience] looks that brought nothing a clone that
//     waits joins what it knows. Whatever it joins, there is then a greatest tip that
//     contains it. That others wait longer the longer their lists are keeps two who
//     joined too early from taking turns: sooner or later one joins while the other
//     waits, and is followed. Each such step leaves one tip less that others do not
//     contain. That is an argument and no proof for every schedule. Measured: 60
//     schedules of rings of 15 clones took 73 rounds at worst, of random graphs of 15
//     clones with two or three remotes each 117; the tests bound smaller ones.
//
// Nothing that anybody thought waits for any of that: tips with different heads are
// joined at once. [Decide] remembers nothing; whoever calls it keeps which tips were
// made here, and how often it looked in vain.
package converge
