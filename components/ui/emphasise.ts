export type EmphasisedPart = { text: string; isStrong: boolean; at: number };

/** A sentence names few things; more stay as they are. */
const maxNames = 20;

/** Splits a sentence at the first occurrence of each name. The names come from clusters: plain text only. */
export function emphasise(sentence: string, names: readonly (string | undefined)[]): EmphasisedPart[] {
  const spans: { start: number; end: number }[] = [];
  for (const name of names.slice(0, maxNames)) {
    if (name === undefined || name === "") continue;
    const start = sentence.indexOf(name);
    const end = start + name.length;
    if (start !== -1 && spans.every((span) => end <= span.start || start >= span.end)) spans.push({ start, end });
  }
  spans.sort((one, other) => one.start - other.start);
  const parts: EmphasisedPart[] = [];
  let position = 0;
  for (const { start, end } of spans) {
    if (start > position) parts.push({ text: sentence.slice(position, start), isStrong: false, at: position });
    parts.push({ text: sentence.slice(start, end), isStrong: true, at: start });
    position = end;
  }
  if (position < sentence.length) parts.push({ text: sentence.slice(position), isStrong: false, at: position });
  return parts;
}
