// Package threeway merges files of the knowledge tree: any number of versions of one
// file over the version that they come from, field by field. The result does not
// depend on the order of the versions.
//
// Files of YAML and files of Markdown with YAML front matter are taken apart:
//
//   - A field that only one version changed, or all changed alike, is what that
//     made of it. An edit beats a removal.
//   - Mappings are merged key by key; keys that nobody knows too.
//   - Lists are sets: what somebody took out is gone, what anybody put in is there,
//     behind what was there before, sorted.
//   - `added` is the earliest, `updated` the latest; a status is the one that comes
//     first in [statuses]; true beats false; of min_reader and min_writer the larger.
//   - Anything else, and the text of a Markdown file, is one value or several that
//     disagree: in YAML a mapping with the one key "variants" and a sorted list, in
//     Markdown as package versions writes it. A person keeps one of them, and the next merge
//     knows that the others are gone.
//   - A file that somebody edited and somebody else removed stays. If it has front
//     matter, deleted_by names the tips that had removed it. Who changed nothing but
//     `updated` did not edit it.
//
// Three kinds of file are other than that. Files of purged/ are sets of lines. What
// lines/ says has to be one value: the smallest. Templates stay usable: where
// versions of one do not fit together, all are kept, beside one another.
//
// Checkpoints are merged by package merge, which is another engine: it takes two values, joins
// the parts of their texts and lets no rule break the laws of a join; this one takes any
// number of files, and keeps the order, comments and style of what people wrote. Both take
// lists as sets, by [merge.Set]. Both order values by a code of their own, and clones meet only
// if all of them make the same commit of the same tips: with one coding for both, a clone of
// an older version would make another.
package threeway
