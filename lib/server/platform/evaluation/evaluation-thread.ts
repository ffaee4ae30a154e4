import { setImmediate as rest } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./serve-tasks.ts";

export type ThreadTask = {
  readonly name: string;
  readonly input: unknown;
  readonly parts: readonly unknown[];
  /** From the time at which it is started. */
  readonly limitMs: number;
};

export type ThreadOutcome =
  | { readonly state: "done"; readonly value: unknown }
  | { readonly state: "failed"; readonly error: string }
  /** In both cases the thread is gone: it was killed, or ran out of memory. */
  | { readonly state: "killed" };

/** A worker thread that runs one task at a time. One that was killed, or failed by itself, is not used again. */
export type EvaluationThread = {
  /** Settles once it can run tasks, or never will; then with the reason. */
  readonly started: Promise<string | undefined>;
  /** Only once it has started. */
  run(task: ThreadTask): Promise<ThreadOutcome>;
  isUsable(): boolean;
  kill(): Promise<void>;
};

/** Loading the engine takes a moment, and on a busy machine some seconds. */
const startWithinMs = 60_000;

export function startThread(file: string): EvaluationThread {
  // The process's secrets do not reach a thread, and a thread cannot use up the process's memory.
  const worker = new Worker(file, {
    env: {},
    // For the bundle, whose stack traces would name no source.
    execArgv: ["--enable-source-maps"],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });
  let isUsable = true;
  let isReady = false;
  let settle: ((outcome: ThreadOutcome) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const started = Promise.withResolvers<string | undefined>();

  function end(outcome: ThreadOutcome): void {
    clearTimeout(timer);
    worker.unref();
    settle?.(outcome);
    settle = undefined;
  }
  async function kill(): Promise<void> {
    isUsable = false;
    started.resolve("the thread was killed");
    end({ state: "killed" });
    await worker.terminate();
  }
  function fail(error: string): void {
    isUsable = false;
    started.resolve(error);
    end({ state: "failed", error });
  }
  function watch(limitMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isReady) fail("the thread did not start in time");
      void kill();
    }, limitMs);
  }
  worker.on("message", (message: FromWorker) => {
    if (message.kind === "ready") {
      isReady = true;
      clearTimeout(timer);
      started.resolve(undefined);
    } else if (message.kind === "done") end({ state: "done", value: message.value });
    else end({ state: "failed", error: message.error });
  });
  worker.on("error", (error: Error & { code?: string }) => {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY" && isReady) void kill();
    else fail(error.stack ?? error.message);
  });
  worker.on("exit", () => fail("the thread ended by itself"));
  worker.unref();
  watch(startWithinMs);
  timer?.unref();

  return {
    started: started.promise,
    isUsable: () => isUsable,
    kill,
    async run(task) {
      worker.ref();
      const outcome = new Promise<ThreadOutcome>((resolve) => {
        settle = resolve;
      });
      watch(task.limitMs);
      const post = (message: ToWorker): void => worker.postMessage(message);
      for (const part of task.parts) {
        post({ kind: "part", part });
        await rest();
      }
      if (isUsable) {
        watch(task.limitMs);
        post({ kind: "run", name: task.name, input: task.input });
      }
      return outcome;
    },
  };
}
