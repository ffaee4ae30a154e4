import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "#lib/server/platform/db/migrate/migrate.ts";
import {
  prepareDatabase,
  startEmbeddedPostgres,
} from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";

export type BenchDatabase = {
  ownerUrl: string;
  recorderUrl: string;
  webUrl: string;
  /** Stops the server; its data stay. */
  halt(): Promise<void>;
  /** Starts it again, at the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a separate PostgreSQL with the settings of the embedded default, migrated, with all three roles. */
export async function startBenchDatabase({
  settings,
}: {
  settings?: Record<string, string>;
} = {}): Promise<BenchDatabase> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  mkdirSync(join(directory, "logs"));
  const passwords = { recorder: "recorder", web: "web" };
  const options = {
    directory: join(directory, "postgres"),
    ownerPassword: "owner",
    logFile: join(directory, "logs/postgres.log"),
    ...(settings === undefined ? {} : { settings }),
  };
  let server = await startEmbeddedPostgres(options);
  await prepareDatabase({ maintenanceUrl: server.ownerUrl("postgres"), database: "bench", passwords });
  await migrate({ url: server.ownerUrl("bench") });
  const urlOf = (user: string, password: string): string =>
    `postgresql://${user}:${password}@127.0.0.1:${server.port}/bench`;
  return {
    ownerUrl: server.ownerUrl("bench"),
    recorderUrl: urlOf("gatehouse_recorder", passwords.recorder),
    webUrl: urlOf("gatehouse_web", passwords.web),
    halt: () => server.stop(),
    resume: async () => {
      server = await startEmbeddedPostgres({ ...options, port: server.port, fixedPort: true });
    },
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
