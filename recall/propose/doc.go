// Package propose finds in what was said the statements that are worth keeping as items of
// knowledge, and the ids that such items get.
package propose
