"use client";

import { Text } from "@mantine/core";
import { diffArrays } from "diff";
import { useMemo } from "react";
import { formatSpec } from "#components/ui/format-spec.ts";
import classes from "#components/ui/spec-diff.module.css";

type SpecDiffProps = { before: unknown; after: unknown; label: string };

/** Shows what changed between two specs, line by line; unchanged lines are folded. */
export function SpecDiff({ before, after, label }: SpecDiffProps) {
  const lines = useMemo(() => diffLines(formatSpec(before), formatSpec(after)), [before, after]);
  const rows = useMemo(() => foldSame(lines), [lines]);
  const added = lines.filter(({ kind }) => kind === "added").length;
  const removed = lines.filter(({ kind }) => kind === "removed").length;
  if (added + removed === 0) {
    return (
      <Text size="sm" c="dimmed" mt="xs">
        No differences in the recorded fields.
      </Text>
    );
  }
  return (
    <>
      <Text size="xs" c="dimmed">
        {countLines(removed)} removed, {countLines(added)} added
      </Text>
      <SpecLines rows={rows} label={label} />
    </>
  );
}

export function SpecText({ spec, label }: { spec: unknown; label: string }) {
  const rows = useMemo(
    () =>
      formatSpec(spec)
        .split("\n")
        .map((text) => ({ kind: "same" as const, text })),
    [spec],
  );
  return <SpecLines rows={rows} label={label} />;
}

const signs = { same: "", removed: "-", added: "+", folded: "" };
const words = { removed: "Removed: ", added: "Added: " };

function SpecLines({ rows, label }: { rows: readonly DiffRow[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.text} tabIndex={0} aria-label={label}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move.
        <div key={index} className={classes.line} data-kind={row.kind}>
          <span className={classes.sign} aria-hidden="true">
            {signs[row.kind]}
          </span>
          {row.kind === "folded" ? (
            <span>{countLines(row.count)} unchanged</span>
          ) : (
            <span style={hangBy(row.text)}>
              {row.kind !== "same" && <span className="visually-hidden">{words[row.kind]}</span>}
              {row.text}
            </span>
          )}
        </div>
      ))}
    </section>
  );
}

/** Returns a hanging indent: a line that is too long continues below its own start, not at the edge. */
function hangBy(text: string): React.CSSProperties {
  const indent = Math.min(text.length - text.trimStart().length + 2, 16);
  return { paddingLeft: `${indent}ch`, textIndent: `-${indent}ch` };
}

function countLines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

type DiffLine = { kind: "same" | "removed" | "added"; text: string };
type DiffRow = DiffLine | { kind: "folded"; count: number };

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
