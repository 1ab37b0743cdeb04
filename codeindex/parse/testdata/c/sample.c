#include <stdio.h>
#include "sample.h"

#define LIMIT 10
/* The larger one. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef unsigned int word;

/** A list. */
struct list {
	int value;
	struct list *next;
};

typedef struct {
	double x, y;
} point;

typedef int (*compare)(const void *, const void *);

enum color { RED, GREEN = 2 };

union number {
	int i;
	float f;
};

static const char *names[] = {"a", "b"};
extern int count;
int first = 1, *second;

// Declared here, defined elsewhere.
struct list *list_new(int value);

/*
 * Adds a value.
 */
static struct list *list_add(struct list *l,
			     int value)
{
	struct list *n = list_new(value);
	int local = MAX(1, value);
	n->next = l;
	l->free(n);
	(*l->hook)(local);
	return n;
}

#ifdef DEBUG
void debug(void) { printf("%d\n", first); }
#endif

int main(int argc, char **argv)
{
	return list_add(NULL, LIMIT)->value;
}
