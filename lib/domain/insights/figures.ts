/**
 * Which releases a figure counts, besides those of one state. Lists take them as a filter, so that a figure leads to
 * its rows. `decided` releases are promoted or aborted; all rates are of these.
 */
export const releaseFigures = {
  decided: "promoted or aborted",
  open: "under way",
  inconclusive: "with an Inconclusive analysis",
  undone: "undone within 24 h",
  failed: "aborted or undone",
  recovered: "failed and recovered",
  unrecovered: "failed and not recovered",
  ended: "ended",
  waited: "waited for a person",
  waitUnknown: "wait time unknown",
  committed: "with a known commit time",
  uncommitted: "promoted without a commit time",
} as const;
export type ReleaseFigure = keyof typeof releaseFigures;
export const releaseFigureNames = Object.keys(releaseFigures) as [ReleaseFigure, ...ReleaseFigure[]];

/**
 * Which runs a figure counts, besides those of one phase. With a metric or a template, the first five are about the
 * metric's own phase; those that are not counted yet are known by neither.
 */
export const runFigures = {
  measured: "ended",
  successful: "metric Successful",
  failed: "metric Failed",
  inconclusive: "metric Inconclusive",
  error: "metric in Error",
  nan: "with NaN values",
  nanUnknown: "not known whether NaN",
  margin: "with a margin",
  waited: "a person was waited for",
  overridden: "overridden by a person",
  overrideStayed: "overridden, and it stayed",
  overrideUndone: "overridden, undone within 24 h",
  overrideAborted: "overridden, aborted later",
  overrideOther: "overridden, superseded or not known",
  pending: "ended, not counted yet",
} as const;
export type RunFigure = keyof typeof runFigures;
export const runFigureNames = Object.keys(runFigures) as [RunFigure, ...RunFigure[]];

/** A release that is undone sooner than this after its promotion counts as failed. */
export const undoneWithinHours = 24;
