import { type CountScheduled, claimDue, runScheduled } from "#lib/server/acting/schedule/run-scheduled.ts";
import { supersedeChanged } from "#lib/server/acting/schedule/supersede-changed.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

const everyMs = 2000;
/** Actions that one process does at the same time. */
const room = 20;

const selectOpen = tables
  .selectFrom("scheduled_action")
  .select("id")
  .where("state", "in", ["pending", "running"])
  .limit(1);

/**
 * Looks for scheduled actions whose time has come until it is stopped. Every web process does: only its account may act
 * as people, and claims keep several from doing the same. `stop` resolves when what was begun has ended.
 */
export function startSchedule(runtime: Runtime, count: CountScheduled): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>();
  let isStopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> = Promise.resolve();

  async function turn(): Promise<void> {
    try {
      const isIdle = (await readRow(runtime.pool, selectOpen)) === undefined;
      let problem: unknown;
      // What is due is done even if one that changed cannot be ended: its view refuses it.
      if (!isIdle)
        await supersedeChanged(runtime.pool).catch((error: unknown) => {
          problem = error;
        });
      for (const claimed of isIdle ? [] : await claimDue(runtime, room - running.size)) {
        const run = runScheduled(runtime, claimed, count)
          .catch((error: unknown) => runtime.log.error({ err: error, id: claimed.row.id }, "a scheduled action failed"))
          .finally(() => running.delete(run));
        running.add(run);
      }
      if (problem !== undefined) throw problem;
      failures = 0;
    } catch (error) {
      // The first failure in a row is worth a log line; a database that is down would fill the log.
      if (failures++ === 0) runtime.log.warn({ err: error }, "scheduled actions could not be looked for");
    }
    if (!isStopped) wait();
  }

  function wait(): void {
    timer = setTimeout(() => {
      turning = turn();
    }, everyMs).unref();
  }

  wait();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await turning;
      await Promise.all(running);
    },
  };
}
