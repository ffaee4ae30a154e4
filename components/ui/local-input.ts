/** Formats a UTC time for the local time field; empty if it is not a time. */
export function toLocalInput(iso: string): string {
  const date = new Date(iso);
  if (iso === "" || Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Converts a typed local time to UTC, which means the same in every zone. Null if not a time. */
export function fromLocalInput(text: string): string | null {
  const date = new Date(text);
  return text === "" || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
