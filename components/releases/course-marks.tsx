"use client";

import { Tooltip } from "@mantine/core";
import classes from "#components/releases/course.module.css";
import { type Place, percent } from "#components/releases/course-lanes.tsx";
import type { CourseMark } from "#components/releases/prepare-course.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { IconAlertTriangle, IconFlag, IconUserCheck, IconUserQuestion } from "#components/ui/icons.tsx";

type MarksProps = {
  name: string;
  marks: readonly CourseMark[];
  place: Place;
  /** Of the axis, in px; 0 if it is not known yet. */
  width: number;
  /** The moment that is replayed; undefined if none is. */
  atMs: number | undefined;
  onAt: (atMs: number) => void;
};

/** Shows what happened at single moments. Marks that would cover each other are one, with their number. */
export function CourseMarks({ name, marks, place, width, atMs, onAt }: MarksProps) {
  if (marks.length === 0) return null;
  return (
    <>
      <span className={classes.laneName}>{name}</span>
      <div className={classes.lane}>
        {groupMarks(marks, place, width).map((group) => (
          <Mark key={group[0].key} group={group} place={place} atMs={atMs} onAt={onAt} />
        ))}
      </div>
    </>
  );
}

const icons = {
  person: IconUserCheck,
  outside: IconUserQuestion,
  finding: IconFlag,
  warning: IconAlertTriangle,
} satisfies Record<CourseMark["kind"], typeof IconFlag>;

const shownInTooltip = 6;

type MarkProps = Omit<MarksProps, "name" | "marks" | "width"> & { group: readonly [CourseMark, ...CourseMark[]] };

/** Leads to its moment; further clicks lead to the next moments of the same mark. */
function Mark({ group, place, atMs, onAt }: MarkProps) {
  const [first] = group;
  const kind = group.find((mark) => mark.kind === "finding")?.kind ?? first.kind;
  const Icon = icons[kind];
  const count = group.length;
  const next = group.find((mark) => atMs !== undefined && atMs >= first.atMs && mark.atMs > atMs) ?? first;
  const texts = group.map(({ text }) => text).join("; ");
  return (
    <Tooltip label={<Lines group={group} />} multiline maw={420}>
      <button
        type="button"
        className={classes.mark}
        data-kind={kind}
        style={{ left: `clamp(12px, ${percent(place(first.atMs))}, calc(100% - 12px))` }}
        aria-label={count === 1 ? `${texts}. Show this moment` : `${count} events: ${texts}. Show the moments`}
        onClick={() => onAt(next.atMs)}
      >
        <Icon size={16} stroke={1.8} aria-hidden="true" />
        {count > 1 && (
          <span className={classes.markCount} aria-hidden="true">
            {count}
          </span>
        )}
      </button>
    </Tooltip>
  );
}

function Lines({ group }: { group: readonly CourseMark[] }) {
  return (
    <>
      {group.slice(0, shownInTooltip).map(({ key, atMs, text }) => (
        <div key={key}>{`${formatExact(new Date(atMs).toISOString())}: ${text}`}</div>
      ))}
      {group.length > shownInTooltip && <div>and {group.length - shownInTooltip} more</div>}
    </>
  );
}

/** Width of a mark in px, which is also the smallest target for a finger (WCAG 2.2, 2.5.8). */
const markPx = 24;
/** Before the axis was measured. */
const usualPx = 800;

type Group = [CourseMark, ...CourseMark[]];

/**
 * Groups marks that would cover each other on an axis of this width, in the order of time.
 *
 * @param place - gives the share of the axis of a time, from 0 to 1
 * @param width - of the axis, in px; 0 if not known yet
 */
export function groupMarks(marks: readonly CourseMark[], place: (atMs: number) => number, width: number): Group[] {
  const axis = width > 0 ? width : usualPx;
  // No mark stands nearer to an end than half its width.
  const leftOf = (mark: CourseMark) => Math.min(axis - markPx / 2, Math.max(markPx / 2, place(mark.atMs) * axis));
  const groups: Group[] = [];
  for (const mark of marks.toSorted((a, b) => a.atMs - b.atMs)) {
    const last = groups.at(-1);
    if (last !== undefined && leftOf(mark) - leftOf(last[0]) < markPx) last.push(mark);
    else groups.push([mark]);
  }
  return groups;
}
