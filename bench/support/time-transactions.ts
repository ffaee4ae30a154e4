import type { Pool, PoolClient } from "pg";

/** Returns a pool that notes how long each of its connections was held: for the recorder, the time of a batch. */
export function timeTransactions(pool: Pool): { pool: Pool; times: number[] } {
  const times: number[] = [];
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    const startedAt = performance.now();
    return new Proxy(client, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        if (key !== "release") return value.bind(target);
        return (error?: Error | boolean) => {
          times.push(performance.now() - startedAt);
          target.release(error);
        };
      },
    });
  };
  const timed = new Proxy(pool, {
    get: (target, key) => {
      if (key === "connect") return connect;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { pool: timed, times };
}
