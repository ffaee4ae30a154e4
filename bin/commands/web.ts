import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { setSourceMapsSupport } from "node:module";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import { loadConfig } from "#lib/server/platform/config/load-config.ts";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { readSchemaState } from "#lib/server/platform/db/migrate/migrate.ts";
import { basePathOf } from "#lib/util/base-path.ts";
import { CommandError, parseFlags, parseInteger } from "../command-line.ts";
import { assertPortFree } from "../launcher/free-port.ts";
import { heapGrowth } from "../launcher/node-flags.ts";
import { nextStartArgs } from "../launcher/project-task.ts";
import { readSecretSetting } from "../launcher/read-secret-setting.ts";
import { writeBuild } from "../launcher/write-build.ts";

/** Runs `gatehouse web`: only the web process, as one of several replicas; all settings come from the environment. */
export async function runWeb(args: string[]): Promise<number> {
  const flags = parseFlags(args, { port: { type: "string" }, host: { type: "string" } });
  const host = flags.host ?? "127.0.0.1";
  const port = parseInteger({ flag: "--port", text: flags.port, fallback: 7460, min: 1, max: 65_535 });
  const { publicUrl } = await checkEnvironment();
  await assertPortFree({ host, port, waitMs: 0 });
  const basePath = basePathOf(publicUrl);
  const folder = basePath === "" ? projectRoot : makeTemporaryFolder();
  if (basePath !== "") writeBuild({ basePath, folder });
  // Read by next.config.js.
  process.env.GATEHOUSE_BASE_PATH = basePath;
  const [next = "", ...nextArgs] = nextStartArgs({ host, port, folder });
  process.chdir(projectRoot);
  process.argv.splice(1, process.argv.length, next, ...nextArgs);
  // Next takes over this process: it installs its own signal handlers and ends it. Maps of its bundle are megabytes.
  setSourceMapsSupport(false);
  setFlagsFromString(heapGrowth);
  await import(next);
  return new Promise(() => {});
}

/** Rejects what would otherwise fail at the first request: config, secret, database, schema. */
async function checkEnvironment(): Promise<Config> {
  const { configFile, databaseUrl } = readEnvironment();
  if (configFile === undefined) throw new CommandError("GATEHOUSE_CONFIG is not set: give the path of the config file");
  if (databaseUrl === undefined) throw new CommandError("DATABASE_URL is not set: give the web role's connection");
  const { config } = await loadConfig({ file: configFile, now: new Date() });
  readSecretSetting();
  const schema = await readSchemaState({ url: databaseUrl });
  if (schema.kind === "refused") throw new CommandError(schema.message);
  if (schema.kind === "pending") {
    throw new CommandError(`the database lacks the migration ${schema.pending[0]}: run gatehouse migrate`);
  }
  return config;
}

/**
 * Creates a folder for the copy of the build, which is removed when this process ends. Also removes those of processes
 * that could not: a container that is restarted keeps its temporary folder, and has the same process id.
 */
export function makeTemporaryFolder(directory = tmpdir()): string {
  const prefix = `gatehouse-web-${hostname().replaceAll(/[^\w.-]/g, "")}-`;
  try {
    for (const name of readdirSync(directory)) {
      const pid = name.startsWith(prefix) ? /^(\d+)-\w+$/.exec(name.slice(prefix.length))?.[1] : undefined;
      if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) remove(join(directory, name));
    }
    const folder = mkdtempSync(join(directory, `${prefix}${process.pid}-`));
    process.once("exit", () => remove(folder));
    return folder;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CommandError(
      `publicUrl has a path, and the pages for it cannot be written below ${directory} (${reason}): make it writable, or set TMPDIR`,
    );
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The folder may belong to another user, or be gone. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It stays, and takes space.
  }
}
