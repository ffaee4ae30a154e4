import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "#lib/server/platform/db/generated/client.ts";
import { hearErrors } from "#lib/server/platform/db/hear-errors.ts";
import { serverLimits } from "#lib/server/platform/db/server-limits.ts";

export type Database = { db: PrismaClient; pool: pg.Pool; close(): Promise<void> };

/**
 * Creates one pool that raw SQL and Prisma share. Connects on first use: a database that is down fails only queries.
 */
export function createDatabase({
  url,
  isPooled = false,
  maxConnections = 10,
  onError,
}: {
  url: string;
  /** A pooler is in between: see `serverLimits`. */
  isPooled?: boolean;
  maxConnections?: number;
  onError: (error: Error) => void;
}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 4000,
    idleTimeoutMillis: 30_000,
    ...serverLimits({ isPooled, statementMs: 15_000 }),
    // On a cut line nothing ever answers: this fails everyone who waits, above all the change feed.
    query_timeout: 20_000,
    keepAlive: true,
    application_name: "gatehouse-web",
  });
  hearErrors(pool, onError);
  const db = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    db,
    pool,
    close: async () => {
      await db.$disconnect().catch(() => {});
      await pool.end().catch(() => {});
    },
  };
}
