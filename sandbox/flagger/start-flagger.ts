import { isSame } from "#lib/util/diff-merge.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import type { Clock } from "#sandbox/controllers/clock.ts";
import { createEventRecorder } from "#sandbox/controllers/event-recorder.ts";
import { advanceCanary } from "./advance-canary.ts";
import { createHookClient } from "./call-hook.ts";
import { setInitializing } from "./canary-status.ts";
import { intervalMsOf, viewCanary } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { FLAGGER_MANAGER } from "./flagger-context.ts";

export type FlaggerOptions = {
  store: Store;
  clock: Clock;
  /** Intervals and deadlines are divided by it. */
  speed: number;
  /** Intervals, and only they, are divided by it as well: 10 makes a pass each second of the shortest interval. */
  pace?: number;
  ask: FlaggerContext["ask"];
  log: (line: string) => void;
  isFrozenNamespace?: (namespace: string) => boolean;
  /** Hears how long each pass over a Canary took. */
  onPass?: (seconds: number) => void;
};

export type Flagger = {
  stop(): void;
  /** Resolves when no pass is in progress. */
  idle(): Promise<void>;
};

/** How often new Canaries are taken up (-control-loop-interval). */
const WINDOW_MS = 10_000;

type Job = { intervalMs: number; stop(): void };

/**
 * Starts the sandbox's Flagger on `store`: one job for each Canary, which makes a pass at each interval of its analysis
 * (pkg/controller/controller.go and job.go of flagger 1.44.0). All state but the intervals' phase is in the objects.
 */
export function startFlagger(options: FlaggerOptions): Flagger {
  const { store, clock, speed, pace = 1, ask, log, isFrozenNamespace = () => false } = options;
  const sleep = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, delayMs);
    });
  const events = createEventRecorder({ store, clock, isFrozenNamespace, component: FLAGGER_MANAGER, combines: true });
  const logged = new Set<string>();
  const hooks = createHookClient(sleep);
  const context: FlaggerContext = { store, clock, speed, log: logOnce, events, hooks, ask };
  const intervals = new Map<string, number>();
  const jobs = new Map<string, Job>();
  const passes = new Set<Promise<void>>();
  let cancelWindow = (): void => {};
  let isStopped = false;

  /** Logs a line only once, as an unanswered hook fails at each pass. */
  function logOnce(line: string): void {
    if (!logged.has(line)) {
      logged.add(line);
      log(line);
    }
  }

  function takeUp(object: KubeObject): void {
    const canary = viewCanary(object);
    if (canary === undefined || isFrozenNamespace(canary.metadata.namespace)) {
      return;
    }
    intervals.set(keyOf(object), intervalMsOf(canary) / speed / pace);
    if (canary.status.conditions === undefined) {
      setInitializing(context, canary);
    }
  }

  function schedule(): void {
    for (const [key, intervalMs] of intervals) {
      const job = jobs.get(key);
      if (job?.intervalMs !== intervalMs) {
        job?.stop();
        jobs.set(key, startJob(key, intervalMs));
      }
    }
    for (const [key, job] of jobs) {
      if (!intervals.has(key)) {
        job.stop();
        jobs.delete(key);
      }
    }
    cancelWindow = clock.after(WINDOW_MS / speed / pace, schedule);
  }

  /** Makes a pass at once and then at each interval. Of those that come due during a pass, one is made up for. */
  function startJob(key: string, intervalMs: number): Job {
    let isBusy = false;
    let isDue = false;
    let isEnded = false;
    let cancel = (): void => {};

    function wait(): void {
      cancel = clock.after(intervalMs, () => {
        wait();
        isDue = true;
        run();
      });
    }

    function run(): void {
      if (isBusy || isEnded || !isDue) {
        return;
      }
      isBusy = true;
      isDue = false;
      const pass = makePass(key).finally(() => {
        passes.delete(pass);
        isBusy = false;
        run();
      });
      passes.add(pass);
    }

    wait();
    isDue = true;
    run();
    return {
      intervalMs,
      stop() {
        isEnded = true;
        cancel();
      },
    };
  }

  async function makePass(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    if (isStopped || isFrozenNamespace(namespace)) {
      return;
    }
    const startedMs = performance.now();
    try {
      await advanceCanary(context, namespace, name);
      options.onPass?.((performance.now() - startedMs) / 1000);
    } catch (error) {
      logOnce(`Flagger's pass over ${key} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const unsubscribe = store.subscribe(({ type, resource, object, previous }) => {
    if (resource !== "canaries") {
      return;
    }
    if (type === "DELETED") {
      intervals.delete(keyOf(object));
    } else if (type === "ADDED" || !isSame(object.spec, previous?.spec)) {
      takeUp(object);
    }
  });
  for (const object of store.list("canaries")) {
    takeUp(object);
  }
  cancelWindow = clock.after(WINDOW_MS / speed / pace, schedule);

  return {
    stop() {
      isStopped = true;
      unsubscribe();
      cancelWindow();
      for (const job of jobs.values()) {
        job.stop();
      }
    },
    async idle() {
      while (passes.size > 0) {
        await Promise.all(passes);
      }
    },
  };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
