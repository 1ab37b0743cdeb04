// Package meet decides what a clone does with the tips that other clones have of
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
// Why that ends. Where everybody fetches from everybody, in any order: after one
// such round all have the same heads. Joins that are made from then on continue a
// list that was there, so that the clone that has the greatest tip, L, keeps it
// whoever else joins something. After a second round everybody knows of a tip of L,
// and no longer moves but forward to one of L's; in the third L joins all that is
// left; in the fourth all follow. Where clones join what all others have at a time,
// one or two rounds do. [Decide] needs no memory for that, but for which tips this
// clone made.
//
// Where L cannot fetch from some clone (a ring, or a server that fetches from
// nobody) that clone would wait for ever. So patience is bounded, by [Patience]:
// after two rounds over all remotes that brought nothing it joins what it knows.
// If the greatest known tip is among that, the result continues its list, L follows,
// and there is one tip less to be joined; else it is among what another clone
// knows. Fetching that goes both ways, if by detours, thus ends, in at most as many
// rounds as there are clones, times the length of the detour.
package meet
