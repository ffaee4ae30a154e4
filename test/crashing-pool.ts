import type { Pool, PoolClient } from "pg";

export class Crash extends Error {}

/** The n-th step of a process, before or after which it dies. */
export type CrashPoint = { step: number; when: "before" | "after" };

/** Counts the steps of a process, and ends it at one: every later step fails too, as nothing runs any more. */
export type Fuse = {
  steps(): number;
  isBlown(): boolean;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
};

export function createFuse(point?: CrashPoint): Fuse {
  let steps = 0;
  let blown = false;
  return {
    steps: () => steps,
    isBlown: () => blown,
    async run(work) {
      if (blown) throw new Crash("it is dead");
      steps += 1;
      if (steps !== point?.step) return work();
      if (point.when === "after") await work();
      blown = true;
      throw new Crash(`died ${point.when} step ${point.step}`);
    },
  };
}

/** A pool whose every statement is a step. Connections of a dead process are closed: the database rolls them back. */
export function createCrashingPool(pool: Pool, fuse: Fuse): Pool {
  const queryOf = (target: Pool | PoolClient) => (text: never, values: never) =>
    fuse.run(() => target.query(text, values));
  const crashing = {
    query: queryOf(pool),
    async connect() {
      if (fuse.isBlown()) throw new Crash("it is dead");
      const client = await pool.connect();
      return {
        query: queryOf(client),
        on: client.on.bind(client),
        removeListener: client.removeListener.bind(client),
        release: (error?: Error | boolean) => client.release(fuse.isBlown() ? true : error),
      };
    },
  };
  // Has only the methods that inTransaction, run-query and the audit log call.
  return crashing as unknown as Pool;
}
