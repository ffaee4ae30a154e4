/**
 * A field that a person saw, with its present value; `text` is the change as a sentence. `field` is its path in the
 * object.
 */
export type ViewChange = { field: string; seen: unknown; now: unknown; text: string };

/** The view that a person saw. `revisionKey` is the run key of the wanted revision. */
export type SeenView = { viewDigest: string; uid?: string; revisionKey?: string };
