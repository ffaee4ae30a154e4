import { setTimeout as sleep } from "node:timers/promises";
import { stopRuns } from "#lib/server/acting/act/cluster-lanes.ts";
import { countAction } from "#lib/server/acting/act/count-action.ts";
import type { CountScheduled } from "#lib/server/acting/schedule/run-scheduled.ts";
import { startSchedule } from "#lib/server/acting/schedule/start-schedule.ts";
import { guardRawRequests } from "#lib/server/edge/http/guard-raw-requests.ts";
import { type ReadDemoAccounts, startWebRuntime } from "#lib/server/edge/web/start-web-runtime.ts";
import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import { findWebRuntime, setWebRuntime, type WebRuntime } from "#lib/server/process/web-runtime.ts";
import { closeHookServer } from "#lib/server/webhooks/create-hook-server.ts";
import { basePathOf } from "#lib/util/base-path.ts";
import { outliveFullDisk } from "#lib/util/outlive-full-disk.ts";

/** Next waits for open responses before it stops; this limits the wait once the streams are closed. */
const stopWithinMs = 4500;

/** Members of requests for many rollouts that were begun may end, and the others are refused; so may scheduled actions. */
const endRunsWithinMs = 3000;

/** Starts the runtime once per process. An unusable config or secret ends the process with one line. */
export async function startWebProcess(options: { readDemoAccounts: ReadDemoAccounts }): Promise<void> {
  if (findWebRuntime() !== undefined) return;
  outliveFullDisk([process.stdout, process.stderr]);
  guardRawRequests();
  const environment = readEnvironment();
  try {
    const runtime = await startWebRuntime({
      ...options,
      environment,
      directory: process.cwd(),
      // Written by scripts/build.mjs.
      evaluationWorker: [process.cwd(), ".next", "evaluation-worker.mjs"].join("/"),
      now: () => new Date(),
    });
    setWebRuntime(runtime);
    const count: CountScheduled = (action, outcome) => countAction({ metrics: runtime.metrics, action, outcome });
    stopOnSignals(runtime, startSchedule(runtime, count));
    const { port } = environment;
    if (port !== undefined) void loadOpenPages({ port, basePath: basePathOf(runtime.config().config.publicUrl) });
    if (environment.exitOnStdinClose) stopWithStdin();
  } catch (error) {
    process.stderr.write(`gatehouse web: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function stopOnSignals(runtime: WebRuntime, schedule: ReturnType<typeof startSchedule>): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), stopWithinMs).unref();
    void closeHookServer(runtime);
    const scheduleEnd = Promise.race([schedule.stop(), sleep(endRunsWithinMs)]);
    void Promise.all([stopRuns(runtime, endRunsWithinMs), scheduleEnd]).then(() => runtime.close());
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/** Stops when stdin ends: the launcher holds it open, so its end means that the launcher is gone. */
function stopWithStdin(): void {
  const stop = () => process.kill(process.pid, "SIGTERM");
  process.stdin.once("end", stop);
  process.stdin.once("close", stop);
  process.stdin.once("error", stop);
  process.stdin.resume();
}

/**
 * Pages without sign-in. Next loads the code of a page at its first request: up to half a second of the event loop for
 * each, in which hooks would wait.
 */
const openPages = ["/signin", "/inbox", "/docs", "/docs/none", "/docs/api", "/docs/api/me", "/api/v1/openapi.json"];

/**
 * Asks this process for each of these pages once, so that its code is loaded before the first visitor comes. Next answers
 * as soon as the process has started.
 */
export async function loadOpenPages({ port, basePath }: { port: string; basePath: string }): Promise<void> {
  for (const path of openPages) {
    await fetch(`http://127.0.0.1:${port}${basePath}${path}`, { redirect: "manual" }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  }
}
