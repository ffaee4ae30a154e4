import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type TestPostgres, templateDatabase } from "./database-setup.ts";

export type TestDatabase = {
  ownerUrl: string;
  recorderUrl: string;
  webUrl: string;
  drop(): Promise<void>;
};

/**
 * Creates a separate database for one test file, with all migrations applied; only in `*.integration.test.ts`. It has
 * one URL per role. Call `drop` in afterAll; it cuts connections that are still open.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`TEMPLATE ${templateDatabase} STRATEGY FILE_COPY`);
}

/** Creates the same without any migration, for tests of the migrations themselves. */
export async function createEmptyDatabase({ encoding = "UTF8" }: { encoding?: string } = {}): Promise<TestDatabase> {
  return createDatabase(`ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
}

async function createDatabase(clause: string): Promise<TestDatabase> {
  const server = inject("testPostgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asOwner(server, `CREATE DATABASE ${name} ${clause}`);
  return {
    ownerUrl: urlOf(server, "gatehouse", server.ownerPassword, name),
    recorderUrl: urlOf(server, "gatehouse_recorder", server.recorderPassword, name),
    webUrl: urlOf(server, "gatehouse_web", server.webPassword, name),
    drop: () => asOwner(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function asOwner(server: TestPostgres, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(server, "gatehouse", server.ownerPassword, "postgres") });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function urlOf({ port }: TestPostgres, user: string, password: string, database: string): string {
  return `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;
}
