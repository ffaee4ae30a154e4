import type pg from "pg";
import { type PastCluster, stateOf } from "./past-cluster.ts";
import type { PlannedService } from "./plan-history.ts";
import { pause, type SimulatedClock } from "./simulated-clock.ts";
import type { World } from "./world.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** The clock jumps at most this far at once: less while something waits, so that the recorder's rules look at it. */
const longestJumpMs = { waiting: 20 * minuteMs, idle: 6 * 60 * minuteMs };
/** How long the recorder gets after a jump over idle time, and after a shorter one. */
const restMs = { long: 150, short: 4 };

export type Play = {
  /** Lets time pass until then; `during` runs meanwhile, and must end by then. */
  until(timeMs: number, during: () => Promise<void>): Promise<void>;
  /** The clock does not jump while `work` runs. */
  live<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Within `live`: lets time pass, as the clock jumps. */
  pass(ms: number): Promise<void>;
  /** Resolves once `isSo`, which is asked whenever the controllers did something. */
  when(isSo: () => boolean): Promise<void>;
};

/** The loop of the history: runs what is due, waits until it is recorded, and jumps to what is due next. */
export function createPlay({
  clock,
  world,
  services,
}: {
  clock: SimulatedClock;
  world: World;
  services: readonly PlannedService[];
}): Play {
  const recorded = createRecordedCheck(world);
  const waiting = new Set<{ isSo: () => boolean; resolve: () => void }>();
  let busy = 0;

  function wake(): boolean {
    const due = [...waiting].filter(({ isSo }) => isSo());
    for (const one of due) {
      waiting.delete(one);
      one.resolve();
    }
    return due.length > 0;
  }

  async function step(untilMs: number): Promise<void> {
    const ran = clock.runDue();
    // What a resolved promise continues runs before the clock jumps.
    await pause(0);
    if (busy > 0) {
      await pause(3);
      wake();
      return;
    }
    if (ran > 0) {
      await recorded.settle();
      if (wake()) await pause(0);
      if (busy > 0) return;
    }
    const nowMs = Date.now();
    const nextMs = Math.min(clock.nextDueMs() ?? untilMs, untilMs);
    const isWaiting = services.some(({ past }) => stateOf(world.cluster.store, past)?.waiting === true);
    const aheadMs = Math.min(nextMs - nowMs, isWaiting ? longestJumpMs.waiting : longestJumpMs.idle);
    if (aheadMs <= 0) return;
    clock.jumpTo(nowMs + aheadMs);
    if (aheadMs > 5000) await pause(aheadMs > 5 * minuteMs ? restMs.long : restMs.short);
  }

  return {
    async until(timeMs, during) {
      let isDone = false;
      let failure: unknown;
      const told = during().then(
        () => {
          isDone = true;
        },
        (error: unknown) => {
          failure = error;
        },
      );
      while (failure === undefined && (Date.now() < timeMs || !isDone))
        await step(isDone || Date.now() < timeMs ? timeMs : Date.now() + dayMs);
      await told;
      if (failure !== undefined) throw failure;
    },
    async live(work) {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
      }
    },
    async pass(ms) {
      busy -= 1;
      await clock.sleepUntil(Date.now() + ms);
      busy += 1;
    },
    when: (isSo) => (isSo() ? Promise.resolve() : new Promise((resolve) => waiting.add({ isSo, resolve }))),
  };
}

/** The recorded kinds whose every change counts, and their tables. */
const tableOf: Readonly<Record<string, string>> = {
  rollouts: "rollout",
  analysisruns: "analysis_run",
  analysistemplates: "analysis_template",
};
const giveUpAfterMs = 60_000;

/** Knows which changes of the cluster are not in the database yet. */
function createRecordedCheck({ cluster, database }: { cluster: PastCluster; database: pg.Client }) {
  const due = new Map<string, { table: string; version: number }>();
  cluster.store.subscribe(({ type, resource, object }) => {
    const table = tableOf[resource];
    const { uid, resourceVersion } = object.metadata;
    if (table === undefined) return;
    if (type === "DELETED") due.delete(uid);
    else due.set(uid, { table, version: Number(resourceVersion) });
  });

  async function dropRecorded(): Promise<void> {
    for (const table of new Set([...due.values()].map((one) => one.table))) {
      const uids = [...due].filter(([, one]) => one.table === table).map(([uid]) => uid);
      const { rows } = await database.query<{ uid: string; version: string }>(
        `SELECT uid::text, resource_version AS version FROM ${table} WHERE uid::text = ANY($1)`,
        [uids],
      );
      for (const { uid, version } of rows) if (Number(version) >= (due.get(uid)?.version ?? 0)) due.delete(uid);
    }
  }

  return {
    /** Waits until the recorder has stored the newest version of each object. */
    async settle(): Promise<void> {
      const until = performance.now() + giveUpAfterMs;
      while (due.size > 0) {
        await dropRecorded();
        if (due.size === 0) return;
        if (performance.now() > until) {
          process.stderr.write(`history: not recorded: ${JSON.stringify([...due])}\n`);
          due.clear();
          return;
        }
        await pause(3);
      }
    },
  };
}
