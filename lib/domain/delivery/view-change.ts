/**
 * One thing that a person saw, and its present value; `text` says it in a sentence. `field` is its path in the object.
 */
export type ViewChange = { field: string; seen: unknown; now: unknown; text: string };

/** What a person saw. `revisionKey` is the run key of the wanted revision. */
export type SeenView = { viewDigest: string; uid?: string; revisionKey?: string };
