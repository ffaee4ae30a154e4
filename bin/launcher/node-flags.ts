// Web and recorder keep few objects alive and allocate much that soon becomes garbage. A hard limit would end the
// process, so there is none. The Dockerfile has the same flags and settings.

/** The heap may grow to one and a half times its live data before garbage collection, instead of V8's four times. */
export const heapGrowth = "--heap-growing-percent=50";

/** On a large machine, Node lets the young generation grow to 128 MiB. Here it is 16 MiB, twice the flag. */
export const nodeFlags = ["--max-semi-space-size=8", heapGrowth];

/** With an arena for each thread, the C library keeps 40 MiB more. */
export const mallocSettings = { MALLOC_ARENA_MAX: "2" };
