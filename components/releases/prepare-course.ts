import type { CourseMoment, ReleaseCourse, ReleaseExperiment } from "#lib/contract/release-course.ts";
import { wordStep } from "#lib/domain/delivery/word-step.ts";

/** A stretch of time in one lane of the axis. */
export type Block = { key: string; fromMs: number; toMs: number; text: string; activity: CourseMoment["activity"] };

/** `isCut`: it goes on after the shown time. */
type Span = { fromMs: number; toMs: number; isCut?: boolean };
export type RunLane = ReleaseCourse["runs"][number] & Span;

/** An Experiment with the lanes of its analyses. */
export type ExperimentLane = Omit<ReleaseExperiment, "runs"> &
  Span & { lanes: (ReleaseExperiment["runs"][number] & Span)[] };

/** One run of a step plugin, with its outcome and its times. */
export type PluginLane = ReleaseCourse["steps"][number]["pluginStatuses"][number] & Span & { step: number };

export type CourseMark = {
  key: string;
  atMs: number;
  kind: "person" | "outside" | "finding" | "warning";
  text: string;
};

export type PreparedCourse = {
  fromMs: number;
  toMs: number;
  /** Steps of the weight, oldest first; empty for a strategy without weights. */
  weights: { atMs: number; weight: number }[];
  blocks: Block[];
  lanes: RunLane[];
  plugins: PluginLane[];
  experiments: ExperimentLane[];
  people: CourseMark[];
  cluster: CourseMark[];
  /** Times at which something changed, ascending: the stops of the arrow keys. */
  stops: number[];
};

const shortest = 1_000;

/** Prepares the time axis of a release; one that is under way lasts until now. */
export function prepareCourse(course: ReleaseCourse, nowMs: number): PreparedCourse {
  const fromMs = Date.parse(course.from);
  const toMs = Math.max(fromMs + shortest, course.to === null ? nowMs : Date.parse(course.to));
  const within = (at: string) => Math.min(toMs, Math.max(fromMs, Date.parse(at)));
  const laneOf = <Run extends { startedAt: string | null; completedAt: string | null }>(run: Run): (Run & Span)[] =>
    run.startedAt === null
      ? []
      : [{ ...run, fromMs: within(run.startedAt), toMs: run.completedAt === null ? toMs : within(run.completedAt) }];
  const lanes = course.runs.flatMap(laneOf);
  const plugins = course.steps.flatMap(({ index, pluginStatuses }) =>
    pluginStatuses.flatMap((status): PluginLane[] => {
      const { startedAt, finishedAt, updatedAt, phase } = status;
      const end = finishedAt ?? (phase === "Running" ? null : updatedAt);
      if (startedAt === null) return [];
      return [{ ...status, step: index, fromMs: within(startedAt), toMs: end === null ? toMs : within(end) }];
    }),
  );
  const experiments = course.experiments.map(({ runs, ...experiment }): ExperimentLane => {
    const end = experiment.completedAt ?? experiment.goneAt;
    return {
      ...experiment,
      fromMs: within(experiment.createdAt),
      toMs: end === null ? toMs : within(end),
      lanes: runs.flatMap(laneOf),
    };
  });
  const people = course.acts.map(
    (act): CourseMark => ({
      key: `act ${act.seq}`,
      atMs: within(act.time),
      kind: act.source === "cluster" ? "outside" : "person",
      text: `${act.who} ${act.did}`,
    }),
  );
  const cluster = [
    ...course.findings.map(
      ({ id, since, title }): CourseMark => ({
        key: `finding ${id}`,
        atMs: within(since),
        kind: "finding",
        text: title,
      }),
    ),
    ...course.warnings.map(
      ({ uid, firstAt, reason, involved, count }): CourseMark => ({
        key: `warning ${uid}`,
        atMs: within(firstAt),
        kind: "warning",
        text: `${reason} on ${involved.kind} ${involved.name}${count > 1 ? `, ${count} times` : ""}`,
      }),
    ),
  ];
  const times = [
    fromMs,
    toMs,
    ...course.moments.map(({ at }) => within(at)),
    ...[...lanes, ...plugins, ...experiments, ...experiments.flatMap((each) => each.lanes)].flatMap((lane) => [
      lane.fromMs,
      lane.toMs,
    ]),
    ...people.map(({ atMs }) => atMs),
    ...cluster.map(({ atMs }) => atMs),
  ];
  return {
    fromMs,
    toMs,
    weights: listWeights(course.moments, within),
    blocks: listBlocks(course.moments, { within, toMs }),
    lanes,
    plugins,
    experiments,
    people,
    cluster,
    stops: [...new Set(times)].toSorted((one, other) => one - other),
  };
}

/** Returns the part of a course that lies within a range of time. */
export function cutCourse(course: PreparedCourse, [fromMs, toMs]: readonly [number, number]): PreparedCourse {
  const cut = <Part extends Span>(parts: readonly Part[]): Part[] =>
    parts
      .filter((part) => part.fromMs < toMs && part.toMs > fromMs)
      .map((part) => ({
        ...part,
        fromMs: Math.max(fromMs, part.fromMs),
        toMs: Math.min(toMs, part.toMs),
        ...(part.toMs > toMs ? { isCut: true } : {}),
      }));
  const isShown = (atMs: number) => atMs >= fromMs && atMs <= toMs;
  const before = course.weights.findLast(({ atMs }) => atMs < fromMs);
  return {
    fromMs,
    toMs,
    weights: [
      ...(before === undefined ? [] : [{ ...before, atMs: fromMs }]),
      ...course.weights.filter(({ atMs }) => isShown(atMs)),
    ],
    blocks: cut(course.blocks),
    lanes: cut(course.lanes),
    plugins: cut(course.plugins),
    experiments: cut(course.experiments).map((lane) => ({ ...lane, lanes: cut(lane.lanes) })),
    people: course.people.filter(({ atMs }) => isShown(atMs)),
    cluster: course.cluster.filter(({ atMs }) => isShown(atMs)),
    stops: [...new Set([fromMs, ...course.stops.filter(isShown), toMs])],
  };
}

function listWeights(moments: readonly CourseMoment[], within: (at: string) => number): PreparedCourse["weights"] {
  const weights: PreparedCourse["weights"] = [];
  for (const { at, weight } of moments) {
    if (weight !== null && weights.at(-1)?.weight !== weight) weights.push({ atMs: within(at), weight });
  }
  return weights;
}

/** Returns one block for each step and activity: a step that first advances and then waits has two. */
function listBlocks(
  moments: readonly CourseMoment[],
  { within, toMs }: { within: (at: string) => number; toMs: number },
): Block[] {
  const blocks: Block[] = [];
  moments.forEach(({ at, step, stepText, activity }, index) => {
    const fromMs = within(at);
    const next = moments[index + 1];
    const end = next === undefined ? toMs : within(next.at);
    const key = `${step} ${activity}`;
    const last = blocks.at(-1);
    if (last?.key.startsWith(`${key} `)) last.toMs = end;
    else blocks.push({ key: `${key} ${fromMs}`, fromMs, toMs: end, text: wordStep(stepText ?? ""), activity });
  });
  return blocks.filter((block) => block.toMs > block.fromMs);
}

/** Returns the moment in force at a time; the first one before it. */
export function momentAt(moments: readonly CourseMoment[], atMs: number): CourseMoment | undefined {
  return moments.findLast(({ at }) => Date.parse(at) <= atMs) ?? moments[0];
}

/** Returns the next time to stop at in a direction. */
export function nextStop(stops: readonly number[], atMs: number, direction: 1 | -1): number {
  const found = direction === 1 ? stops.find((stop) => stop > atMs) : stops.findLast((stop) => stop < atMs);
  return found ?? (direction === 1 ? stops.at(-1) : stops[0]) ?? atMs;
}
