export type DiffLine = { kind: "same" | "removed" | "added"; text: string };
export type DiffRow = DiffLine | { kind: "folded"; count: number };

/** Above this many pairs of lines, the middle part is shown as replaced, since an exact diff would take too long. */
const mostPairs = 2_000_000;

/** Computes a unified diff of two texts' lines with the fewest lines removed and added. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split("\n");
  const now = after.split("\n");
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...mark("same", old.slice(0, start)),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...mark("same", end === 0 ? [] : old.slice(-end)),
  ];
}

function mark(kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}

function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length === 0 || now.length === 0 || old.length * now.length > mostPairs)
    return [...mark("removed", old), ...mark("added", now)];
  const width = now.length + 1;
  // common[i * width + j]: length of the longest common subsequence of the lines from i and from j on.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const removed = old[i];
    const added = now[j];
    if (removed !== undefined && removed === added) {
      lines.push({ kind: "same", text: removed });
      i += 1;
      j += 1;
    } else if (removed !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: removed });
      i += 1;
    } else if (added !== undefined) {
      lines.push({ kind: "added", text: added });
      j += 1;
    }
  }
  return lines;
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
