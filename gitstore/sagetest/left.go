package sagetest

// Left is an item as merges may leave it, wherever versions can stand.
const Left = `---
id: x
type:
  variants:
  - knowledge
  - reference
keywords:
- a
scope:
  variants:
  - everywhere
  - skills:
    - privacy
source:
  variants:
  - a book
  - a talk
added: "2026-01-02T00:00:00Z"
updated: "2026-01-03T00:00:00Z"
status: active
links:
  related:
  - other
  supersedes:
    variants:
    - - z
    - "1"
deleted_by:
- "8d1f0a6b2c3e4f5061728394a5b6c7d8e9f00112"
mood:
  deep:
    variants:
    - 1
    - 2
---
<!-- sage: 2 versions disagree; keep one, and delete these lines -->

One.
\<!-- sage: or -->
<!-- sage: or -->

Two.
<!-- sage: end -->
`
