/** Members of requests for many rollouts that act at one cluster at the same time. */
export const laneWidth = 4;

type Lane = { running: number; first: (() => void)[]; others: (() => void)[] };

// Next bundles each route apart, so the lanes hang on the one runtime of the process and not on this module.
const handle = Symbol.for("gatehouse.cluster-lanes");

/**
 * Runs the work when its cluster has room: a cluster that does not answer holds up nothing but its own members.
 * Protective work goes before all that waits, of whichever request.
 */
export async function inLane<Result>(
  runtime: object,
  { cluster, protective }: { cluster: string; protective: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const holder = runtime as { [handle]?: Map<string, Lane> };
  holder[handle] ??= new Map();
  const lanes = holder[handle];
  const lane = lanes.get(cluster) ?? { running: 0, first: [], others: [] };
  lanes.set(cluster, lane);
  if (lane.running >= laneWidth)
    await new Promise<void>((resolve) => (protective ? lane.first : lane.others).push(resolve));
  else lane.running += 1;
  try {
    return await work();
  } finally {
    // The place goes to the next one, or is given back.
    const next = lane.first.shift() ?? lane.others.shift();
    if (next !== undefined) next();
    else lane.running -= 1;
    if (lane.running === 0) lanes.delete(cluster);
  }
}

type Runs = { byKey: Map<string, number>; isStopping: boolean; onEnd?: () => void };

const runsHandle = Symbol.for("gatehouse.group-runs");

function runsOf(runtime: object): Runs {
  const holder = runtime as { [runsHandle]?: Runs };
  holder[runsHandle] ??= { byKey: new Map(), isStopping: false };
  return holder[runsHandle];
}

/** Requests for many rollouts of one person that run at the same time. */
export const mostRuns = 3;

/** Counts one more request that runs under this key. Returns what ends it, or undefined if too many run. */
export function beginRun(runtime: object, key: string): (() => void) | undefined {
  const { byKey } = runsOf(runtime);
  const before = byKey.get(key) ?? 0;
  if (before >= mostRuns) return undefined;
  byKey.set(key, before + 1);
  return () => {
    const left = (byKey.get(key) ?? 1) - 1;
    if (left === 0) byKey.delete(key);
    else byKey.set(key, left);
    if (byKey.size === 0) runsOf(runtime).onEnd?.();
  };
}

/** Whether the process stops: members that have not begun then do not begin any more. */
export function isStopping(runtime: object): boolean {
  return runsOf(runtime).isStopping;
}

/** Gives every waiting member its turn at once, to be refused. Resolves when all requests have ended, or after a while. */
export async function stopRuns(runtime: object, withinMs: number): Promise<void> {
  const runs = runsOf(runtime);
  runs.isStopping = true;
  if (runs.byKey.size === 0) return;
  const ended = Promise.withResolvers<void>();
  runs.onEnd = ended.resolve;
  const timer = setTimeout(ended.resolve, withinMs);
  for (const lane of (runtime as { [handle]?: Map<string, Lane> })[handle]?.values() ?? []) {
    const waiting = [...lane.first.splice(0), ...lane.others.splice(0)];
    lane.running += waiting.length;
    for (const begin of waiting) begin();
  }
  await ended.promise;
  clearTimeout(timer);
}

const silentAfterMs = 10_000;

/**
 * Counts the members in a row that each cluster left unanswered. A restart of its API server fails a few within moments,
 * so a cluster is silent only after a while; until then the next member waits a little.
 */
export function watchAnswers(now = () => performance.now()) {
  const failures = new Map<string, { count: number; since: number }>();
  return {
    noteAnswer: (cluster: string): void => void failures.delete(cluster),
    noteFailure: (cluster: string): void => {
      const { count, since } = failures.get(cluster) ?? { count: 0, since: now() };
      failures.set(cluster, { count: count + 1, since });
    },
    isSilent: (cluster: string): boolean => {
      const { count, since } = failures.get(cluster) ?? { count: 0, since: 0 };
      return count >= laneWidth && now() - since > silentAfterMs;
    },
    /** How long to wait before the next one is tried. */
    pauseMs: (cluster: string): number => Math.min(500 * (failures.get(cluster)?.count ?? 0), 2000),
  };
}
