import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "#lib/server/platform/db/migrate/migrate.ts";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  prepareDatabase,
  startEmbeddedPostgres,
} from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { type DataDirectory, writeFileAtomically } from "./data-directory.ts";
import type { Service } from "./service-stack.ts";
import { rotateLog } from "./supervised-child.ts";

export type EmbeddedDatabase = Service & { ownerUrl: string; recorderUrl: string; webUrl: string };

type Access = { port?: number; owner: string; recorder: string; web: string };

const database = "gatehouse";

/**
 * Starts the embedded PostgreSQL of a data directory, with its three roles and all migrations applied. Restarts it on
 * the same port whenever it ends by itself.
 */
export async function startEmbeddedDatabase(data: DataDirectory): Promise<EmbeddedDatabase> {
  const access = readAccess(data);
  rotateLog(data.logFile("postgres"));
  const options: EmbeddedPostgresOptions = {
    directory: data.file("postgres"),
    ownerPassword: access.owner,
    logFile: data.logFile("postgres"),
    port: access.port,
  };
  const first = await startEmbeddedPostgres(options);
  const held = keepRunning(first, { ...options, port: first.port, fixedPort: true });
  try {
    writeFileAtomically(data.file("database.json"), `${JSON.stringify({ ...access, port: first.port })}\n`);
    await prepareDatabase({
      maintenanceUrl: first.ownerUrl("postgres"),
      database,
      passwords: { recorder: access.recorder, web: access.web },
    });
    await migrate({ url: first.ownerUrl(database) });
  } catch (error) {
    await held.stop();
    throw error;
  }
  const urlOf = (role: string, password: string) =>
    `postgresql://${role}:${encodeURIComponent(password)}@127.0.0.1:${first.port}/${database}`;
  return {
    ownerUrl: first.ownerUrl(database),
    recorderUrl: urlOf("gatehouse_recorder", access.recorder),
    webUrl: urlOf("gatehouse_web", access.web),
    stop: held.stop,
  };
}

function keepRunning(first: EmbeddedPostgres, options: EmbeddedPostgresOptions): Service {
  let current = first;
  let stopping = false;

  async function watch(): Promise<void> {
    for (let pauseMs = 250; ; ) {
      await current.exited;
      if (stopping) return;
      process.stderr.write("gatehouse: the database stopped unexpectedly; restarting it\n");
      for (;;) {
        await sleep(pauseMs);
        if (stopping) return;
        try {
          current = await startEmbeddedPostgres(options);
          pauseMs = 250;
          break;
        } catch (error) {
          pauseMs = Math.min(10_000, pauseMs * 2);
          process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : String(error)}\n`);
        }
      }
      // A stop request during the start has only stopped the previous server.
      if (stopping) await current.stop();
    }
  }

  void watch();
  return {
    stop: async () => {
      stopping = true;
      await current.stop();
    },
  };
}

function readAccess(data: DataDirectory): Access {
  const file = data.file("database.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Access;
  const password = () => randomBytes(24).toString("base64url");
  const access = { owner: password(), recorder: password(), web: password() };
  writeFileAtomically(file, `${JSON.stringify(access)}\n`);
  return access;
}
