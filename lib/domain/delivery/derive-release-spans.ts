import { type CourseMoment, type Span, spansOf } from "./derive-course.ts";
import type { Activity } from "./observation.ts";

/** A part of a release, for its trace. */
export type ReleaseSpan = Span & {
  /** The same for the same part, however often it is derived. */
  key: string;
  /** Of the step that it is a part of. */
  parentKey?: string | undefined;
  name: "step" | "pause" | "wait" | "hold" | "analysis";
  attributes: Readonly<Record<string, string | number | undefined>>;
};

export type SpanRun = { uid: string; name: string; type: string; phase: string } & Span;

const named = { pausing: "pause", waiting: "wait", held: "hold" } as const satisfies Partial<
  Record<Activity, ReleaseSpan["name"]>
>;

/**
 * Derives the parts of a release that ended at `toMs`: its steps, in each the pauses and the waits for a person, and its
 * analyses. Neighbouring moments of the same step or activity are one part. Moments without a step are in none.
 */
export function deriveReleaseSpans(
  moments: readonly CourseMoment[],
  { toMs, runs }: { toMs: number; runs: readonly SpanRun[] },
): ReleaseSpan[] {
  const steps: ReleaseSpan[] = [];
  const stops: ReleaseSpan[] = [];
  for (const [index, { fromMs, toMs: endMs, activity }] of spansOf(moments, toMs).entries()) {
    const moment = moments[index];
    if (moment === undefined || endMs <= fromMs) continue;
    const step = stepOf(moment, { fromMs, toMs: endMs });
    const parent = step === undefined ? undefined : extend(steps, step);
    if (activity !== "pausing" && activity !== "waiting" && activity !== "held") continue;
    const name = named[activity];
    extend(stops, { key: `${name}/${fromMs}`, parentKey: parent?.key, name, attributes: {}, fromMs, toMs: endMs });
  }
  return [...steps, ...stops, ...runs.map(toAnalysis)];
}

/** `step` counts the completed ones, and so is the index of the one under way. */
function stepOf({ step, stepCount, weight }: CourseMoment, span: Span): ReleaseSpan | undefined {
  if (step === null || step >= stepCount) return undefined;
  const attributes = {
    "gatehouse.step.number": step + 1,
    "gatehouse.step.count": stepCount,
    "gatehouse.step.weight": weight ?? undefined,
  };
  return { key: `step/${span.fromMs}`, name: "step", attributes, ...span };
}

/** Adds the part, or extends the last one if this is its continuation. Returns the part in the list. */
function extend(list: ReleaseSpan[], part: ReleaseSpan): ReleaseSpan {
  const last = list.at(-1);
  const continues =
    last?.toMs === part.fromMs &&
    last.name === part.name &&
    last.parentKey === part.parentKey &&
    last.attributes["gatehouse.step.number"] === part.attributes["gatehouse.step.number"];
  if (last === undefined || !continues) {
    list.push(part);
    return part;
  }
  last.toMs = part.toMs;
  last.attributes = { ...part.attributes };
  return last;
}

function toAnalysis({ uid, name, type, phase, ...span }: SpanRun): ReleaseSpan {
  const attributes = {
    "gatehouse.analysis.name": name,
    "gatehouse.analysis.type": type,
    "gatehouse.analysis.verdict": phase,
  };
  return { key: `analysis/${uid}`, name: "analysis", attributes, ...span };
}
