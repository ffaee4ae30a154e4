/** Returns whether a text is the name of a time zone, as in `Europe/Berlin`; false for offsets such as `+02:00`. */
export function isZoneName(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
