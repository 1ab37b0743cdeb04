// The part of every grammar module that is ours: it parses a source, walks its tree
// once and leaves what it found as arrays of words, so that a file costs the host one
// call. What to look for comes from the host as a table of rules; `codeindex/parse`
// says how it is written and encodes it.
//
// It is compiled as one unit with tree-sitter's runtime (lib.c), whose lexer it bounds,
// and linked with one grammar. A module imports nothing but host.stop.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A module has neither clock nor files: the host says when to stop, and the runtime's
// drawings of its trees are left out.
#define TREE_SITTER_CLOCK_H_
typedef uint64_t TSDuration, TSClock;
static inline TSDuration duration_from_micros(uint64_t micros) { return micros; }
static inline uint64_t duration_to_micros(TSDuration d) { return d; }
static inline TSClock clock_null(void) { return 0; }
static inline TSClock clock_now(void) { return 0; }
static inline TSClock clock_after(TSClock base, TSDuration d) { return base + d; }
static inline bool clock_is_null(TSClock t) { return !t; }
static inline bool clock_is_gt(TSClock a, TSClock b) { return a > b; }
#define dup(fd) (-1)
#define fdopen(fd, mode) NULL
#define fclose(file) 0
#define fprintf(...) 0
#define fputs(text, file) 0
#define fputc(c, file) 0
#include "lib.c"

extern const TSLanguage *grammar(void);

#define EXPORT(name) __attribute__((export_name(#name)))
typedef const uint32_t *words;

// stop reports whether parsing should end; the runtime asks every 100 operations.
__attribute__((import_module("host"), import_name("stop"))) int host_stop(void);

// Roles of a node. From DEFINITION on they are kinds of definition.
enum { NAME = 1, COMMENT, PREFIX, WRAP, SCOPE, CALL, IMPORT, EMBED, DEFINITION = 16 };
// Flags of a rule.
enum { TOP = 1, OPAQUE = 2, CONCEALS = 4 };
// What parse ended in.
enum { PARSED, STOPPED, RUNAWAY, CRASHED };
// What enter wants of a node.
enum { DESCEND, PASS_OVER, IGNORE };
// Steps of a path, each with a field or symbol: the child of a field, or the one that a
// chain of it ends in; the first child of a symbol; the first child of all, if it has it;
// the last child of a symbol. Of children named ones count, and symbol 0 is any.
enum { FIELD, FIELDS, CHILD, FIRST, LAST };
// Flags of a condition.
enum { NOT = 1, EACH = 2, TEXT = 4, PARENT = 8 };

typedef struct {
  uint32_t kind, parent, start, end, name, name_end, scope, scope_end;
  uint32_t signature, body, body_end, doc, doc_end;
} Definition;
typedef struct { uint32_t kind, from, start, end; } Reference;
typedef struct { uint32_t offset, depth; } Split;

// A Frame is an open node that matters to those in it.
typedef struct {
  uint32_t depth, role;
  uint32_t definition;             // of a definition its number; of a wrapper the last in it
  uint32_t end;                    // of a wrapper
  uint32_t start, signature, doc, doc_end; // what a wrapper hands to the first in it
  uint32_t inside;                 // whether it is in a function or scope
} Frame;

static TSParser *parser;
static TSTreeCursor cursor, finder;
static const char *source;
static uint32_t advances;          // that the lexer may still make
static bool stopped;
static uint32_t result[8];

static uint32_t *table;            // the rules
static uint32_t *rule_of;          // by symbol: offset of its first rule in table, plus 1
static uint32_t symbols;

static Array(Definition) definitions;
static Array(Reference) references;
static Array(Split) splits;
static Array(Frame) frames;
static Array(TSSymbol) path;       // symbols of the open nodes

static void (*advance)(TSLexer *, bool);
static uint32_t (*column)(TSLexer *);
static bool (*at_end)(const TSLexer *);

// A scanner that runs away does so by asking the lexer without end.
static void spend(void) {
  if (advances-- > 0) return;
  result[0] = RUNAWAY;
  __builtin_trap();
}
static void bounded_advance(TSLexer *lexer, bool skip) {
  spend();
  advance(lexer, skip);
}
static uint32_t bounded_column(TSLexer *lexer) {
  spend();
  return column(lexer);
}
static bool bounded_at_end(const TSLexer *lexer) {
  spend();
  return at_end(lexer);
}

static bool progress(TSParseState *state) {
  (void)state;
  return stopped = host_stop();
}

EXPORT(alloc) void *alloc(uint32_t size) { return malloc(size); }
EXPORT(release) void release(void *p) { free(p); }
EXPORT(symbol) uint32_t symbol(const char *name, uint32_t length) {
  return ts_language_symbol_for_name(grammar(), name, length, true);
}
EXPORT(field) uint32_t field(const char *name, uint32_t length) {
  return ts_language_field_id_for_name(grammar(), name, length);
}

// begin takes a table of rules, sorted by symbol: of each its length, symbol, role and
// flags, then the paths of name, body, scope and doc, then conditions. It returns where
// parse will leave its result, or NULL for a grammar that the runtime cannot run.
EXPORT(begin) uint32_t *begin(uint32_t *rules, uint32_t length) {
  parser = ts_parser_new();
  if (!ts_parser_set_language(parser, grammar())) return NULL;
  TSLexer *lexer = &parser->lexer.data;
  advance = lexer->advance, column = lexer->get_column, at_end = lexer->eof;
  lexer->advance = bounded_advance, lexer->get_column = bounded_column, lexer->eof = bounded_at_end;
  table = rules;
  symbols = ts_language_symbol_count(grammar());
  rule_of = calloc(symbols, sizeof *rule_of);
  for (uint32_t i = 0; i < length; i += table[i]) {
    if (table[i + 1] < symbols && !rule_of[table[i + 1]]) rule_of[table[i + 1]] = i + 1;
  }
  return result;
}

static bool has_symbol(words list, uint32_t n, TSSymbol symbol) {
  for (uint32_t i = 0; i < n; i++) {
    if (list[i] == symbol) return true;
  }
  return false;
}

// child finds a child of a node by one of the steps that name a symbol.
static TSNode child(TSNode node, uint32_t op, uint32_t symbol) {
  TSNode found = {0};
  ts_tree_cursor_reset(&finder, node);
  if (!ts_tree_cursor_goto_first_child(&finder)) return found;
  do {
    TSNode n = ts_tree_cursor_current_node(&finder);
    if (!ts_node_is_named(n) || ts_node_is_extra(n)) continue;
    if (op != FIRST && symbol != 0 && ts_node_symbol(n) != symbol) continue;
    found = n;
  } while ((op == LAST || ts_node_is_null(found)) && ts_tree_cursor_goto_next_sibling(&finder));
  bool other = !ts_node_is_null(found) && symbol != 0 && ts_node_symbol(found) != symbol;
  return other ? (TSNode){0} : found;
}

// follow goes a path of steps from a node; a null node if it leads nowhere. Among the
// nodes on the way, seen becomes true when one of them has a symbol of the list.
static TSNode follow(TSNode node, words steps, words list, uint32_t n, bool *seen) {
  for (uint32_t i = 0; i < steps[0] && !ts_node_is_null(node); i++) {
    uint32_t op = steps[1 + 2 * i], id = steps[2 + 2 * i];
    if (op != FIELDS) {
      node = op == FIELD ? ts_node_child_by_field_id(node, id) : child(node, op, id);
      continue;
    }
    for (TSNode next; next = ts_node_child_by_field_id(node, id), !ts_node_is_null(next);) {
      node = next;
      if (list && has_symbol(list, n, ts_node_symbol(node))) *seen = true;
    }
  }
  return node;
}

static bool has_text(TSNode node, words list, uint32_t n) {
  uint32_t start = ts_node_start_byte(node), length = ts_node_end_byte(node) - start;
  for (uint32_t i = 0; i < n; i++) {
    if (list[0] == length && memcmp(list + 1, source + start, length) == 0) return true;
    list += 1 + (list[0] + 3) / 4;
  }
  return false;
}

// holds reports whether the conditions of a rule do: each is its length, flags, a path,
// the number of alternatives, and these.
static bool holds(TSNode node, words condition, uint32_t n) {
  for (; n > 0; n--, condition += condition[0]) {
    uint32_t flags = condition[1];
    words steps = condition + 2, list = steps + 1 + 2 * steps[0];
    uint32_t count = *list++;
    bool yes = false;
    if (flags & PARENT) {
      yes = path.size > 0 && has_symbol(list, count, path.contents[path.size - 1]);
    } else {
      TSNode end = follow(node, steps, flags & EACH ? list : NULL, count, &yes);
      if (ts_node_is_null(end)) {
        yes = false;
      } else if (count == 0) {
        yes = true;
      } else if (flags & TEXT) {
        yes = has_text(end, list, count);
      } else if (has_symbol(list, count, ts_node_symbol(end))) {
        yes = true;
      }
    }
    if (yes == !!(flags & NOT)) return false;
  }
  return true;
}

typedef struct {
  uint32_t role, flags;
  words name, body, scope, doc;
} Rule;

// match finds the first rule for a node whose conditions hold and whose name is there: what
// the parser took to be missing is empty.
static bool match(TSNode node, bool naming, Rule *rule, TSNode *name) {
  TSSymbol symbol = ts_node_symbol(node);
  if (symbol >= symbols || !rule_of[symbol]) return false;
  for (words r = table + rule_of[symbol] - 1; r[1] == symbol; r += r[0]) {
    rule->role = r[2], rule->flags = r[3];
    if ((rule->role == NAME) != naming) continue;
    rule->name = r + 4;
    rule->body = rule->name + 1 + 2 * rule->name[0];
    rule->scope = rule->body + 1 + 2 * rule->body[0];
    rule->doc = rule->scope + 1 + 2 * rule->scope[0];
    words conditions = rule->doc + 1 + 2 * rule->doc[0];
    if (!holds(node, conditions + 1, conditions[0])) continue;
    *name = follow(node, rule->name, NULL, 0, NULL);
    if (!ts_node_is_null(*name) && ts_node_end_byte(*name) > ts_node_start_byte(*name)) return true;
  }
  return false;
}

static void widen(uint32_t *start, uint32_t *end, TSNode node) {
  if (ts_node_is_null(node)) return;
  if (*end == 0) *start = ts_node_start_byte(node);
  *end = ts_node_end_byte(node);
}

// resolve follows the rules of names from a node to the one whose text is the name, and
// collects what qualifies it.
static TSNode resolve(TSNode node, uint32_t *scope, uint32_t *scope_end) {
  Rule rule;
  TSNode next;
  for (int i = 0; i < 64 && match(node, true, &rule, &next); i++) {
    if (rule.scope[0]) widen(scope, scope_end, follow(node, rule.scope, NULL, 0, NULL));
    if (rule.name[0] == 0) break;
    node = next;
  }
  return node;
}

// What was read right before the node at hand: a run of comments and of what else
// belongs to the next definition.
static struct {
  uint32_t start, doc, doc_end, row;
  bool open;
} run;
static int64_t last_row; // where the last token ended that is no comment

static bool adjacent(TSNode node) {
  return run.open && ts_node_start_point(node).row <= run.row + 1;
}

static void extend_run(TSNode node, bool comment) {
  uint32_t start = ts_node_start_byte(node);
  if (comment && (int64_t)ts_node_start_point(node).row == last_row) return; // it trails
  if (!adjacent(node)) {
    run.open = true;
    run.start = start;
    run.doc = run.doc_end = 0;
  }
  if (comment) {
    if (run.doc_end == 0) run.doc = start;
    run.doc_end = ts_node_end_byte(node);
  }
  TSPoint end = ts_node_end_point(node);
  run.row = end.column == 0 && end.row > 0 ? end.row - 1 : end.row;
}

// signature_of is where a declaration begins after decorators.
static uint32_t signature_of(TSNode node) {
  uint32_t start = ts_node_start_byte(node);
  ts_tree_cursor_reset(&finder, node);
  if (!ts_tree_cursor_goto_first_child(&finder)) return start;
  do {
    TSNode n = ts_tree_cursor_current_node(&finder);
    TSSymbol symbol = ts_node_symbol(n);
    uint32_t r = symbol < symbols ? rule_of[symbol] : 0;
    if (r == 0 || (table[r + 1] != PREFIX && table[r + 1] != COMMENT)) return ts_node_start_byte(n);
  } while (ts_tree_cursor_goto_next_sibling(&finder));
  return start;
}

static Frame *top_frame(void) { return frames.size ? array_back(&frames) : NULL; }

static uint32_t enclosing(void) {
  for (uint32_t i = frames.size; i > 0; i--) {
    if (frames.contents[i - 1].role >= DEFINITION) return frames.contents[i - 1].definition;
  }
  return UINT32_MAX;
}

// open begins a frame for a node: its start is that of the run before it, or what a
// wrapper hands down.
static Frame *open_frame(TSNode node, uint32_t depth, const Rule *rule) {
  Frame *outer = top_frame();
  Frame f = {
      .depth = depth,
      .role = rule->role,
      .definition = UINT32_MAX,
      .end = ts_node_end_byte(node),
      .start = ts_node_start_byte(node),
      .signature = signature_of(node),
      .inside = outer && outer->inside,
  };
  if (outer && outer->role == WRAP && outer->definition == UINT32_MAX) {
    f.start = outer->start, f.signature = outer->signature;
    f.doc = outer->doc, f.doc_end = outer->doc_end;
  } else if (adjacent(node)) {
    f.start = run.start, f.doc = run.doc, f.doc_end = run.doc_end;
  }
  if (rule->role == SCOPE || rule->flags & CONCEALS) f.inside = true;
  array_push(&frames, f);
  return array_back(&frames);
}

static void define(TSNode node, uint32_t depth, const Rule *rule, TSNode name) {
  Definition d = {.kind = rule->role - DEFINITION, .parent = enclosing(), .end = ts_node_end_byte(node)};
  if (rule->scope[0]) widen(&d.scope, &d.scope_end, follow(node, rule->scope, NULL, 0, NULL));
  name = resolve(name, &d.scope, &d.scope_end);
  d.name = ts_node_start_byte(name), d.name_end = ts_node_end_byte(name);
  TSNode body = rule->body[0] ? follow(node, rule->body, NULL, 0, NULL) : (TSNode){0};
  if (!ts_node_is_null(body)) d.body = ts_node_start_byte(body), d.body_end = ts_node_end_byte(body);
  uint32_t index = definitions.size;
  Frame *outer = top_frame();
  if (outer && outer->role != WRAP) outer = NULL;
  Frame *f = open_frame(node, depth, rule);
  d.start = f->start, d.signature = f->signature, d.doc = f->doc, d.doc_end = f->doc_end;
  f->definition = index;
  if (rule->doc[0]) {
    TSNode doc = follow(node, rule->doc, NULL, 0, NULL);
    if (!ts_node_is_null(doc)) d.doc = ts_node_start_byte(doc), d.doc_end = ts_node_end_byte(doc);
  }
  for (uint32_t i = frames.size - 1; i > 0 && frames.contents[i - 1].role == WRAP; i--) {
    frames.contents[i - 1].definition = index;
  }
  array_push(&definitions, d);
}

// refer notes what is called or imported, or is a text of another language. A callee that is no name, such as what an
// expression in brackets yields, is left out.
static void refer(const Rule *rule, TSNode name) {
  uint32_t scope = 0, scope_end = 0;
  if (rule->role == CALL) {
    name = resolve(name, &scope, &scope_end);
    Rule terminal;
    TSNode same;
    if (ts_node_named_child_count(name) > 0 && !match(name, true, &terminal, &same)) return;
  }
  Reference r = {rule->role, enclosing(), ts_node_start_byte(name), ts_node_end_byte(name)};
  if (r.from != UINT32_MAX && definitions.contents[r.from].name == r.start) return; // its own name
  array_push(&references, r);
}

// enter does what the rules say of a node.
static int enter(TSNode node, uint32_t depth) {
  Rule rule = {0};
  TSNode name;
  uint32_t start = ts_node_start_byte(node);
  bool named = ts_node_is_named(node);
  if (named && depth > 0 && (int64_t)ts_node_start_point(node).row > last_row && !adjacent(node) &&
      (splits.size == 0 || array_back(&splits)->offset < start)) {
    Split s = {start, depth};
    array_push(&splits, s);
  }
  if (!named || !match(node, false, &rule, &name)) return DESCEND;
  switch (rule.role) {
    case COMMENT:
    case PREFIX:
      extend_run(node, rule.role == COMMENT);
      return IGNORE;
    case WRAP:
    case SCOPE:
      open_frame(node, depth, &rule);
      break;
    case CALL:
    case IMPORT:
    case EMBED:
      refer(&rule, name);
      break;
    default:
      if (!(rule.flags & TOP) || !top_frame() || !top_frame()->inside) define(node, depth, &rule, name);
  }
  return rule.flags & OPAQUE ? PASS_OVER : DESCEND;
}

// token ends a run at a leaf, unless that is an empty one or a line break.
static void token(TSNode node) {
  uint32_t start = ts_node_start_byte(node);
  if (ts_node_end_byte(node) == start || (unsigned char)source[start] <= ' ') return;
  run.open = false;
  last_row = ts_node_end_point(node).row;
}

// close ends the frames of nodes that are left.
static void close_frames(uint32_t depth) {
  for (; frames.size && array_back(&frames)->depth >= depth; frames.size--) {
    Frame *f = array_back(&frames);
    if (f->role != WRAP || f->definition == UINT32_MAX) continue;
    Definition *d = &definitions.contents[f->definition];
    if (d->end < f->end) d->end = f->end;
  }
}

static void walk(TSTree *tree) {
  TSNode root = ts_tree_root_node(tree);
  ts_tree_cursor_reset(&cursor, root);
  bool broken = ts_node_has_error(root);
  uint32_t error_end = 0;
  last_row = -1;
  run.open = false;
  for (uint32_t depth = 0, nodes = 0;; nodes++) {
    if (nodes % 4096 == 4095 && (stopped = host_stop())) return;
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (broken && ts_node_start_byte(node) >= error_end) {
      if (ts_node_is_error(node)) {
        error_end = ts_node_end_byte(node);
        result[1] += error_end - ts_node_start_byte(node);
      } else if (ts_node_is_missing(node)) {
        result[1]++;
      }
    }
    int wanted = enter(node, depth);
    if (wanted == DESCEND && ts_tree_cursor_goto_first_child(&cursor)) {
      array_push(&path, ts_node_symbol(node));
      depth++;
      continue;
    }
    if (wanted != IGNORE) token(node);
    for (close_frames(depth); !ts_tree_cursor_goto_next_sibling(&cursor); close_frames(depth)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) return;
      array_pop(&path);
      depth--;
    }
  }
}

static const char *read(void *payload, uint32_t offset, TSPoint position, uint32_t *length) {
  (void)position;
  uint32_t size = *(uint32_t *)payload;
  *length = offset < size ? size - offset : 0;
  return source + (offset < size ? offset : size);
}

// parse leaves in result: how it ended, the bytes that are no syntax, and of
// definitions, references and splits where they are and how many.
EXPORT(parse) void parse(const char *text, uint32_t length, uint32_t most_advances) {
  source = text;
  advances = most_advances;
  stopped = false;
  memset(result, 0, sizeof result);
  result[0] = CRASHED; // until it is otherwise
  array_clear(&definitions);
  array_clear(&references);
  array_clear(&splits);
  array_clear(&frames);
  array_clear(&path);
  TSInput input = {&length, read, TSInputEncodingUTF8, NULL};
  TSParseOptions options = {NULL, progress};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
  if (tree) {
    walk(tree);
    ts_tree_delete(tree);
  }
  ts_parser_reset(parser);
  result[0] = stopped || !tree ? STOPPED : PARSED;
  result[2] = (uint32_t)(uintptr_t)definitions.contents, result[3] = definitions.size;
  result[4] = (uint32_t)(uintptr_t)references.contents, result[5] = references.size;
  result[6] = (uint32_t)(uintptr_t)splits.contents, result[7] = splits.size;
}
