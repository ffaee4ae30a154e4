import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "#lib/server/platform/db/migrate/migrate.ts";
import {
  prepareDatabase,
  startEmbeddedPostgres,
} from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface merges with the one that vitest declares.
  export interface ProvidedContext {
    testPostgres: TestPostgres;
  }
}

export type TestPostgres = { port: number; ownerPassword: string; recorderPassword: string; webPassword: string };

export const templateDatabase = "gatehouse_template";

/** Does Vitest's global set-up: one real PostgreSQL per run, with a migrated template for the test databases. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
  mkdirSync(join(directory, "logs"));
  const access = { ownerPassword: "owner", recorderPassword: "recorder", webPassword: "web" };
  const server = await startEmbeddedPostgres({
    directory: join(directory, "postgres"),
    ownerPassword: access.ownerPassword,
    logFile: join(directory, "logs/postgres.log"),
    // These tests are not about durability, which takes most of the time of creating a database.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  });
  await prepareDatabase({
    maintenanceUrl: server.ownerUrl("postgres"),
    database: templateDatabase,
    passwords: { recorder: access.recorderPassword, web: access.webPassword },
  });
  await migrate({ url: server.ownerUrl(templateDatabase) });
  project.provide("testPostgres", { port: server.port, ...access });
  return async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
