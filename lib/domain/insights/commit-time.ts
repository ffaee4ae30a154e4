/** The annotation with the time of the released commit, in RFC 3339. */
export const commitTimeAnnotation = "gatehouse.dev/commit-time";

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Returns the commit time of a release, from the first text that is not null. Undefined if that text is missing, is not
 * a time, or lies after the beginning of the release: a lead time would be a guess.
 */
export function readCommitTime(texts: readonly (string | null)[], startedAt: Date): Date | undefined {
  const text = texts.find((each) => each !== null)?.trim() ?? "";
  if (!rfc3339.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || time > startedAt ? undefined : time;
}
