import type { LogLineRecord } from "#lib/contract/log.ts";

export type ShownLine = {
  /** Unique in its buffer; a later line of a pod has a higher one. */
  key: number;
  pod: string;
  /** As the container runtime wrote it; null if the line has no time of its own. */
  at: string | null;
  /** Milliseconds since 1970, with the nanoseconds below them: a line without a time has its predecessor's. */
  ms: number;
  ns: number;
  text: string;
  droppedBytes: number;
};

/** The lines of a column, by time. `dropped`: how many were too many, and left out from the beginning. */
export type LogBuffer = { lines: readonly ShownLine[]; dropped: number; nextKey: number };

export const emptyBuffer: LogBuffer = { lines: [], dropped: 0, nextKey: 0 };

/**
 * Adds lines in the order of their times: those of several pods arrive mixed. Lines of the same time, and those without
 * one, keep the order in which they came. Keeps the newest `maxLines`.
 */
export function addLines(buffer: LogBuffer, records: readonly LogLineRecord[], maxLines: number): LogBuffer {
  if (records.length === 0) return buffer;
  let { nextKey } = buffer;
  const lastOf = new Map<string, { ms: number; ns: number }>();
  const added = records.map(({ pod, at, text, droppedBytes = 0 }): ShownLine => {
    const time = at === null ? (lastOf.get(pod) ?? timeOfLast(buffer, pod)) : parseTime(at);
    lastOf.set(pod, time);
    return { key: nextKey++, pod, at, ...time, text: cleanLogText(text), droppedBytes };
  });
  const batch = isSorted(added) ? added : added.toSorted(compareLines);
  const merged = merge(buffer.lines, batch);
  const tooMany = Math.max(0, merged.length - maxLines);
  return { lines: tooMany === 0 ? merged : merged.slice(tooMany), dropped: buffer.dropped + tooMany, nextKey };
}

/** Drops lines that the buffer already has: a resumed answer begins with whole seconds that were read before. */
export function leaveOutKnown(
  { lines }: LogBuffer,
  records: readonly LogLineRecord[],
  sinceMs: number,
): LogLineRecord[] {
  const known = new Set<string>();
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index];
    if (line === undefined || line.ms < sinceMs) break;
    known.add(keyOf(line.pod, line.at, line.text));
  }
  return records.filter(({ pod, at, text }) => !known.has(keyOf(pod, at, cleanLogText(text))));
}

function keyOf(pod: string, at: string | null, text: string): string {
  return `${pod}\n${at}\n${text}`;
}

function merge(lines: readonly ShownLine[], batch: readonly ShownLine[]): ShownLine[] {
  const [first] = batch;
  if (first === undefined) return [...lines];
  let from = lines.length;
  while (from > 0 && compareLines(lines[from - 1] ?? first, first) > 0) from -= 1;
  if (from === lines.length) return [...lines, ...batch];
  return [...lines.slice(0, from), ...[...lines.slice(from), ...batch].toSorted(compareLines)];
}

function compareLines(one: ShownLine, other: ShownLine): number {
  return one.ms - other.ms || one.ns - other.ns || one.key - other.key;
}

function isSorted(lines: readonly ShownLine[]): boolean {
  return lines.every((line, index) => {
    const before = lines[index - 1];
    return before === undefined || compareLines(before, line) <= 0;
  });
}

function timeOfLast({ lines }: LogBuffer, pod: string): { ms: number; ns: number } {
  const last = lines.findLast((line) => line.pod === pod);
  return last === undefined ? { ms: 0, ns: 0 } : { ms: last.ms, ns: last.ns };
}

function parseTime(at: string): { ms: number; ns: number } {
  const digits = /\.(\d+)/.exec(at)?.[1] ?? "";
  return { ms: Date.parse(at), ns: Number(digits.slice(3).padEnd(6, "0").slice(0, 6)) };
}

const esc = "\u001b";
/** Colours, cursor movements and titles: CSI, OSC (ended by BEL or ST) and the short sequences. */
const sequences = new RegExp(
  `${esc}\\[[0-?]*[ -/]*[@-~]|${esc}[\\]PX^_][^\\u0007${esc}]*(?:\\u0007|${esc}\\\\)?|${esc}[ -/]*[0-~]|\\u009b[0-?]*[ -/]*[@-~]`,
  "g",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Makes a line of a log safe to look at: without the sequences that a terminal obeys, and with every other control
 * character visible, those that turn the direction of the text included. Tabs stay.
 */
export function cleanLogText(text: string): string {
  return text.replaceAll(sequences, "").replaceAll(controls, showControl);
}

function showControl(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // The pictures that Unicode has for them.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
