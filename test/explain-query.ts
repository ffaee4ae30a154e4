import type { Pool } from "pg";

type Asked = { text: string; values: unknown[] };

/** Returns a pool that keeps the queries it is asked, for `explainSorted`. */
export function keepQueries(pool: Pool): { pool: Pool; asked: Asked[] } {
  const asked: Asked[] = [];
  const keeping = new Proxy(pool, {
    get: (target, key) =>
      key === "query"
        ? (query: Asked) => {
            asked.push(query);
            return target.query(query);
          }
        : Reflect.get(target, key),
  });
  return { pool: keeping, asked };
}

/** The plan on an empty machine would sort a few rows in memory; on many rows it must not. */
export async function explainSorted(owner: Pool, { text, values }: Asked): Promise<string> {
  const client = await owner.connect();
  try {
    await client.query(
      "BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off",
    );
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}
