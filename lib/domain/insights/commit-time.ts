/** The annotation that says when the released commit was made, in RFC 3339. */
export const commitTimeAnnotation = "gatehouse.dev/commit-time";

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Returns when a release's commit was made: by the first of these texts that is there. Undefined if it is none, is not
 * a time, or lies after the beginning of the release: a lead time would be a guess.
 */
export function readCommitTime(texts: readonly (string | null)[], startedAt: Date): Date | undefined {
  const text = texts.find((each) => each !== null)?.trim() ?? "";
  if (!rfc3339.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || time > startedAt ? undefined : time;
}
