import { parentPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

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
