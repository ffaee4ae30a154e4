import type { CourseMark } from "#components/releases/prepare-course.ts";

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
