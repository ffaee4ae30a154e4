const kubernetesTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/** Formats a time in UTC as ISO 8601; null for text that is not a time. */
export function storableTime(text: string | undefined): string | null {
  if (text === undefined) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return null;
  // As Kubernetes writes it: nothing to change, and this is the hot path.
  return kubernetesTime.test(text) ? text : new Date(ms).toISOString();
}
