/** Parses JSON; returns undefined if the text is not JSON: servers answer some errors with plain text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
