import { parentPort } from "node:worker_threads";

type Task = (input: never, parts: never) => unknown;

/** Answers the pool's messages; keeps parts until their task arrives. */
export function serveTasks(tasks: Readonly<Record<string, Task>>): void {
  const port = parentPort;
  if (port === null) throw new Error("this file runs as a worker thread");
  let parts: unknown[] = [];
  const answer = (message: FromWorker): void => port.postMessage(message);
  port.on("message", (message: ToWorker) => {
    if (message.kind === "part") {
      parts.push(message.part);
      return;
    }
    const given = parts;
    parts = [];
    try {
      const task = tasks[message.name];
      if (task === undefined) throw new Error(`there is no task ${message.name}`);
      answer({ kind: "done", value: task(message.input as never, given as never) });
    } catch (error) {
      answer({ kind: "failed", error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  answer({ kind: "ready" });
}

/** `part` precedes the `run` that it belongs to, so that large inputs can be sent a little at a time. */
export type ToWorker =
  | { readonly kind: "part"; readonly part: unknown }
  | { readonly kind: "run"; readonly name: string; readonly input: unknown };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly error: string };
