import type { Pool } from "pg";

/** Runs work while three connections carry out an update again and again, each in a transaction of its own. */
export async function whileChanging(pool: Pool, update: [text: string, values: string[]], work: () => Promise<void>) {
  let isDone = false;
  const change = async () => {
    while (!isDone) await pool.query(...update);
  };
  const changing = Promise.all([change(), change(), change()]);
  try {
    await work();
  } finally {
    isDone = true;
    await changing;
  }
}
