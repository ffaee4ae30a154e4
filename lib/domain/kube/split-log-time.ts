const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) ?/;

/**
 * Splits a line of a pod's log, asked for with `timestamps`, into the container runtime's time (RFC 3339, nanoseconds)
 * and the text. `at` is null for a line without one: the kubelet's own remarks have none.
 */
export function splitLogTime(line: string): { at: string | null; text: string } {
  const found = stamp.exec(line);
  const at = found?.[1];
  if (found === null || at === undefined || Number.isNaN(Date.parse(at))) return { at: null, text: line };
  return { at, text: line.slice(found[0].length) };
}
