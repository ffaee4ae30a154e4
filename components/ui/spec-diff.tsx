"use client";

import { Text } from "@mantine/core";
import { useMemo } from "react";
import { type DiffRow, diffLines, foldSame } from "#components/ui/diff-lines.ts";
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
