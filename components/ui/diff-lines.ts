import { diffArrays } from "diff";

export type DiffLine = { kind: "same" | "removed" | "added"; text: string };
export type DiffRow = DiffLine | { kind: "folded"; count: number };

/** Above this many changed lines, the middle part is shown as replaced, since an exact diff would take too long. */
const mostChanges = 1_000;

/** Computes a unified diff of two texts' lines with the fewest lines removed and added. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const parts = diffArrays(old, now, { maxEditLength: mostChanges });
  if (parts === undefined) return replaceMiddle(old, now);
  return parts.flatMap(({ added, removed, value }) => mark(added ? "added" : removed ? "removed" : "same", value));
}

function replaceMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...mark("same", old.slice(0, start)),
    ...mark("removed", old.slice(start, old.length - end)),
    ...mark("added", now.slice(start, now.length - end)),
    ...mark("same", old.slice(old.length - end)),
  ];
}

function mark(kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}

/** Folds unchanged lines more than `context` lines from a change; a single line is never folded. */
export function foldSame(lines: readonly DiffLine[], context = 3): DiffRow[] {
  const isNear = new Array<boolean>(lines.length).fill(false);
  lines.forEach(({ kind }, index) => {
    if (kind === "same") return;
    isNear.fill(true, Math.max(0, index - context), Math.min(lines.length, index + context + 1));
  });
  const rows: DiffRow[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    let next = index;
    while (next < lines.length && !isNear[next]) next += 1;
    if (next - index > 1) {
      rows.push({ kind: "folded", count: next - index });
      index = next;
    } else {
      rows.push(line);
      index += 1;
    }
  }
  return rows;
}
