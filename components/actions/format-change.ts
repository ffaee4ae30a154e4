/** A value of the decision-relevant view as a person reads it. Null is what is not there, which is not zero. */
export function formatViewValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(formatViewValue).join(", ");
  return JSON.stringify(value);
}
