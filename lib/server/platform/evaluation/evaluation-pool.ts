import type { Redaction } from "#lib/domain/storable/redact-object.ts";
import type { EvaluationTasks } from "./evaluation-tasks.ts";
import { type EvaluationThread, startThread, type ThreadTask } from "./evaluation-thread.ts";

export type TaskName = keyof EvaluationTasks;
export type TaskInput<Name extends TaskName> = Parameters<EvaluationTasks[Name]>[0];
export type TaskValue<Name extends TaskName> = ReturnType<EvaluationTasks[Name]>;

/**
 * Why the value is missing. A word, not an error: an error class has another identity in each bundle.
 * - `too-long`: the task was stopped, by time or by memory;
 * - `too-many`: its owner already has the maximum number of tasks;
 * - `busy`: no thread became free in time, the pool is closed, or no thread started in time (`error` has the reason);
 * - `failed`: the engine threw, which it never should; `error` is for the log.
 */
export type Refusal = { readonly refused: "too-long" | "too-many" | "busy" | "failed"; readonly error?: string };
type Outcome<Value> = { readonly value: Value } | Refusal;

export type EvaluationRequest = {
  /** The task counts towards this owner's limit; owners are served in turn. */
  readonly owner: string;
  readonly limitMs: number;
  /** How many tasks the owner may have at a time, including this one. */
  readonly most: number;
  /** How long it may wait for a thread, including the thread's start. */
  readonly waitMs: number;
  /** Sent to the thread before the input, one piece at a time. */
  readonly parts?: readonly unknown[];
};

export type EvaluationPool = {
  run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    request: EvaluationRequest,
  ): Promise<Outcome<TaskValue<Name>>>;
  /**
   * Starts a thread before it is needed; settles once it has started, or never will. Does not keep the process alive.
   */
  warm(): Promise<void>;
  /** Kills running tasks and refuses waiting ones. */
  close(): Promise<void>;
};

/** Called with a thread; with undefined if none can be started, or the pool is closed. */
type Waiting = (thread: EvaluationThread | undefined) => void;

/**
 * Creates a bounded number of worker threads for untrusted input. A task that takes too long is killed with its thread,
 * and another thread replaces it. Owners are served in turn, each with at most one running task, so that one owner's
 * conditions cannot block another's. Threads start when they are needed, or when the pool is warmed.
 */
export function createEvaluationPool({
  file,
  threads,
  endIdleMs,
}: {
  file: string;
  threads: number;
  /** A thread that had nothing to do for so long gives its memory back; absent: never. */
  endIdleMs?: number;
}): EvaluationPool {
  const idle: { thread: EvaluationThread; timer: NodeJS.Timeout | undefined }[] = [];
  const busy = new Map<string, EvaluationThread>();
  const queues = new Map<string, Waiting[]>();
  let isClosed = false;

  /**
   * Returns an idle thread, forgetting those that ended, or starts one; undefined if the system cannot start another.
   */
  function findThread(): EvaluationThread | undefined {
    for (let each = idle.pop(); each !== undefined; each = idle.pop()) {
      clearTimeout(each.timer);
      if (each.thread.isUsable()) return each.thread;
    }
    try {
      return startThread(file);
    } catch {
      return undefined;
    }
  }

  function keep(thread: EvaluationThread): void {
    const end = (): void => {
      const [ended] = idle.splice(
        idle.findIndex((each) => each.thread === thread),
        1,
      );
      void ended?.thread.kill();
    };
    idle.push({ thread, timer: endIdleMs === undefined ? undefined : setTimeout(end, endIdleMs).unref() });
  }

  function next(): void {
    for (const [owner, queue] of queues) {
      if (isClosed || busy.size >= threads) return;
      if (busy.has(owner)) continue;
      const waiting = queue.shift();
      // The owner that was served goes to the end of the queue.
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      if (waiting === undefined) continue;
      const thread = findThread();
      if (thread !== undefined) busy.set(owner, thread);
      waiting(thread);
    }
  }

  function underWay(owner: string): number {
    return (queues.get(owner)?.length ?? 0) + Number(busy.has(owner));
  }

  /** Takes a thread; undefined if none became free in time. */
  function take({ owner, waitMs }: EvaluationRequest): Promise<EvaluationThread | undefined> {
    return new Promise((resolve) => {
      const queue = queues.get(owner) ?? [];
      const timer = setTimeout(() => {
        const index = queue.indexOf(waiting);
        if (index >= 0) queue.splice(index, 1);
        resolve(undefined);
      }, waitMs);
      const waiting: Waiting = (thread) => {
        clearTimeout(timer);
        resolve(thread);
      };
      queue.push(waiting);
      queues.set(owner, queue);
      next();
    });
  }

  return {
    async run<Name extends TaskName>(name: Name, input: TaskInput<Name>, request: EvaluationRequest) {
      const { owner, most, limitMs, parts = [] } = request;
      if (isClosed) return { refused: "busy" };
      if (underWay(owner) >= most) return { refused: "too-many" };
      const askedAt = performance.now();
      const task: ThreadTask = { name, input, limitMs, parts };
      const thread = await take(request);
      if (thread === undefined) return { refused: "busy" };
      try {
        const unstarted = await startOf(thread, request.waitMs - (performance.now() - askedAt));
        if (unstarted !== undefined) return isClosed ? { refused: "busy" } : { refused: "busy", error: unstarted };
        const outcome = await thread.run(task);
        if (outcome.state === "failed") return { refused: "failed", error: outcome.error };
        if (outcome.state === "killed") return { refused: isClosed ? "busy" : "too-long" };
        // The thread ran exactly this task.
        return { value: outcome.value as TaskValue<Name> };
      } finally {
        busy.delete(owner);
        if (!isClosed && thread.isUsable()) keep(thread);
        next();
      }
    },
    async warm() {
      const thread = isClosed ? undefined : findThread();
      if (thread === undefined) return;
      keep(thread);
      await thread.started;
    },
    async close() {
      isClosed = true;
      for (const queue of queues.values()) for (const waiting of queue) waiting(undefined);
      queues.clear();
      const resting = idle.splice(0).map(({ thread, timer }) => {
        clearTimeout(timer);
        return thread;
      });
      await Promise.all([...resting, ...busy.values()].map((thread) => thread.kill()));
    },
  };
}

/**
 * Returns why the thread cannot be used now; undefined once it has started. A slow start continues, for later tasks.
 */
async function startOf({ started }: EvaluationThread, withinMs: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve("no thread has started in time"), Math.max(0, withinMs));
  try {
    return await Promise.race([started, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** In characters. Up to this size, redaction takes a few milliseconds (every rule is linear): no thread is needed. */
export const largestInline = 64 * 1024;

/** After this long a redaction is stopped, with its thread. One of the largest object takes about half a second. */
export const redactWithinMs = 5000;

/** Redacts an object in a thread. It is sent as text, which takes a fraction of the time that a clone would. */
export async function redactInThread(
  evaluations: Pick<EvaluationPool, "run">,
  object: unknown,
  request: Omit<EvaluationRequest, "parts">,
): Promise<Outcome<Redaction>> {
  const outcome = await evaluations.run("redact", JSON.stringify(object), request);
  if ("refused" in outcome) return outcome;
  const { text, secrets } = outcome.value;
  return { value: { value: JSON.parse(text), secrets } };
}
