import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { checkClusterRights } from "#lib/server/acting/permission/check-cluster-rights.ts";
import { probeCluster } from "#lib/server/clusters/kubernetes/probe-cluster.ts";
import { isConfigured } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources } from "#lib/server/clusters/sources/source-freshness.ts";
import { readStreamStates } from "#lib/server/notify/audit-streams/read-stream-states.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { readConfigTrouble } from "#lib/server/platform/config/config-events.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import { readEnvironment, readMaxLagMs, readNamedVariable } from "#lib/server/platform/config/environment.ts";
import { loadConfig } from "#lib/server/platform/config/load-config.ts";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { readSchemaState } from "#lib/server/platform/db/migrate/migrate.ts";
import { hasReached, readReplayState, readWalPosition } from "#lib/server/platform/db/replica/wal-position.ts";
import { locatePostgresBinaries } from "#lib/server/platform/embedded-postgres/postgres-binaries.ts";
import { readRetentionState } from "#lib/server/recording/retention/retention-lock.ts";
import { describeCounts, previewRetention, sumByTable } from "#lib/server/recording/retention/run-retention.ts";
import { readSettings, type StoredSettings } from "#lib/server/records/stored-settings.ts";
import { parseFlags, parseInteger } from "../command-line.ts";
import { type Check, listClockChecks, listDatabaseChecks, listOutsideChecks } from "../doctor/list-outside-checks.ts";
import { assertPortFree } from "../launcher/free-port.ts";
import { readSecretSetting } from "../launcher/read-secret-setting.ts";

/** Runs `gatehouse doctor`: one line per check, `ok` or `fail` with the reason; exit status 1 if one fails. */
export async function runDoctor(args: string[]): Promise<number> {
  const flags = parseFlags(args, {
    config: { type: "string" },
    port: { type: "string" },
    "data-dir": { type: "string" },
  });
  const port = parseInteger({ flag: "--port", text: flags.port, fallback: 7460, min: 1, max: 65_535 });
  const environment = readEnvironment();
  const configFile = flags.config ?? environment.configFile;
  const databaseUrl = readNamedVariable("DATABASE_MIGRATE_URL") ?? environment.databaseUrl;
  const checks: Check[] = [
    { name: "node", run: () => process.version },
    { name: "build", run: describeBuild },
    { name: "data directory", run: () => describeDirectory(flags["data-dir"] ?? ".gatehouse/data") },
    {
      name: "port",
      run: async () => {
        await assertPortFree({ host: "127.0.0.1", port, waitMs: 0 });
        return `${port} is free`;
      },
    },
    configFile === undefined
      ? { name: "config", run: () => "none set (GATEHOUSE_CONFIG, --config)" }
      : {
          name: "config",
          run: async () => {
            const { config } = await loadConfig({ file: configFile, now: new Date() });
            if (config.demo === undefined) readSecretSetting();
            return `${configFile}, ${config.clusters.length} cluster(s)`;
          },
        },
    databaseUrl === undefined
      ? { name: "database", run: () => `embedded, ${locatePostgresBinaries().postgres}` }
      : { name: "database", run: () => describeDatabase(databaseUrl) },
  ];
  const { databaseReadUrl: readUrl } = environment;
  if (readUrl !== undefined && databaseUrl !== undefined)
    checks.push({
      name: "read replica",
      run: () => checkReadReplica({ readUrl, primaryUrl: databaseUrl, maxLagMs: readMaxLagMs(environment) }),
    });
  if (configFile !== undefined) checks.push(...(await listClusterChecks(configFile, databaseUrl)));
  if (configFile !== undefined && databaseUrl !== undefined) checks.push(...listRecordChecks(configFile, databaseUrl));
  let failures = 0;
  for (const check of checks) {
    try {
      process.stdout.write(`ok    ${check.name}: ${await check.run()}\n`);
    } catch (error) {
      failures += 1;
      process.stdout.write(`fail  ${check.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  return failures === 0 ? 0 : 1;
}

/** Returns no checks if the config is unusable: the config's own check reports that. */
async function listClusterChecks(configFile: string, databaseUrl: string | undefined): Promise<Check[]> {
  const loaded = await loadConfig({ file: configFile, now: new Date() }).catch(() => undefined);
  const checks = (loaded?.config.clusters ?? []).map(async (cluster): Promise<Check[]> => {
    const probe = await settle(() => probeCluster(cluster));
    const answers: Check = { name: "kubernetes", run: probe };
    const [rights, clocks] = await Promise.all([
      listRightsChecks(cluster, loaded?.config.auth ?? { roles: [] }),
      listClockChecks(cluster),
    ]);
    return [answers, ...rights, ...clocks];
  });
  const outside = loaded === undefined ? [] : listOutsideChecks(loaded, await readStoredSettings(databaseUrl));
  return [...(await Promise.all(checks)).flat(), ...outside];
}

/** Reads the settings made in the interface; none if the database does not answer: its own check reports that. */
async function readStoredSettings(url: string | undefined): Promise<StoredSettings> {
  if (url === undefined) return {};
  const pool = connect(url);
  try {
    return await readSettings(pool);
  } catch {
    return {};
  } finally {
    await pool.end();
  }
}

/**
 * Checks Gatehouse's rights in a cluster; each problem is a failure. Returns no checks if the cluster does not answer.
 */
async function listRightsChecks(
  cluster: ClusterConfig,
  auth: Pick<Config["auth"], "roles" | "oidc">,
): Promise<Check[]> {
  const rights = await checkClusterRights({ cluster, auth }).catch(() => undefined);
  if (rights === undefined) return [];
  const problems = rights.problems.map((text) => ({
    name: "rights",
    run: () => Promise.reject(new Error(text)),
  }));
  return [{ name: "rights", run: () => rights.may }, ...problems];
}

/** Runs the work now; the returned function gives its result, or throws its error, when called. */
async function settle<Result>(work: () => Promise<Result>): Promise<() => Result> {
  try {
    const result = await work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Checks what the running processes have recorded: the config, the sources, and retention. */
function listRecordChecks(file: string, url: string): Check[] {
  const look = async (use: (pool: pg.Pool, config: Config) => Promise<string>): Promise<string> => {
    const { config } = await loadConfig({ file, now: new Date() });
    if (!["current", "newer"].includes((await readSchemaState({ url })).kind))
      return "not checked: the schema is not this version's";
    const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 4000, max: 2 });
    pool.on("error", () => {});
    try {
      return await use(pool, config);
    } finally {
      await pool.end();
    }
  };
  return [
    ...listDatabaseChecks(look),
    {
      name: "config in force",
      run: () =>
        look(async (pool) => {
          const trouble = await readConfigTrouble(pool);
          if (trouble !== undefined) throw new Error(trouble);
          return "same as the file, by the latest reports of the processes";
        }),
    },
    { name: "sources", run: () => look(describeSources) },
    { name: "retention", run: () => look(describeRetention) },
    { name: "audit streams", run: () => look(describeStreams) },
  ];
}

async function describeSources(pool: pg.Pool, { clusters }: Config): Promise<string> {
  const sources = await readSources({ pool });
  const bad = sources.filter((row) => isConfigured(row, clusters) && row.state !== "live" && row.state !== "absent");
  if (bad.length > 0)
    throw new Error(bad.map(({ cluster, kind, state }) => `${cluster} ${kind} is ${state}`).join(", "));
  const left = sources.filter((row) => !isConfigured(row, clusters)).length;
  return `${sources.length - left} live or absent${left === 0 ? "" : `, ${left} no longer configured`}`;
}

/** Describes retention. An obstacle is not a failure: the recorder tries again, and the text names the obstacle. */
async function describeRetention(pool: pg.Pool, config: Config): Promise<string> {
  const { plan, obstacles } = await previewRetention({ pool, config, configTrouble: await readConfigTrouble(pool) });
  const { state } = await readRetentionState(pool);
  const last = state?.doneAt === null || state === undefined ? "never run" : `last run ${state.doneAt.toISOString()}`;
  const waits = obstacles.length === 0 ? "" : `; waits for: ${obstacles.map(({ text }) => text).join(", ")}`;
  return `${last}; would delete ${describeCounts(sumByTable(plan))}${waits}`;
}

/** As the alert GatehouseAuditStreamBehind. */
const longestLagSeconds = 900;

async function describeStreams(pool: pg.Pool, { auditStreams }: Config): Promise<string> {
  if (auditStreams.length === 0) return "none set (auditStreams)";
  const states = await readStreamStates(pool, auditStreams);
  const described = states.map(({ name, seq, newestSeq, lagSeconds, error }) => {
    const place = seq === null ? "nothing sent yet" : `sent up to entry ${seq} of ${newestSeq}`;
    const isLate = error !== null || (lagSeconds ?? 0) > longestLagSeconds;
    return { isLate, text: `${name}: ${place}${error === null ? "" : `: ${error}`}` };
  });
  const text = described.map((each) => each.text).join("; ");
  if (described.some(({ isLate }) => isLate)) throw new Error(text);
  return text;
}

function describeBuild(): string {
  return existsSync(join(projectRoot, ".next/gatehouse-build")) ? "built" : "not built yet; the next start builds it";
}

function describeDirectory(directory: string): string {
  const path = resolve(directory);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return `${path} will be created`;
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`);
  return path;
}

async function describeDatabase(url: string): Promise<string> {
  const state = await readSchemaState({ url });
  if (state.kind === "refused") throw new Error(state.message);
  if (state.kind === "newer") return `schema ${state.version}, of a later release, which serves this one`;
  return state.kind === "current"
    ? `schema ${state.version}`
    : `reachable, ${state.pending.length} migration(s) pending`;
}

/**
 * Asks the primary how far it has written, and waits until the read replica has replayed that, `maxLagMs` at most.
 * Throws why the web process would not use it.
 */
export async function checkReadReplica(options: {
  readUrl: string;
  primaryUrl: string;
  maxLagMs: number;
}): Promise<string> {
  const { readUrl, primaryUrl, maxLagMs } = options;
  const [primary, replica] = [connect(primaryUrl), connect(readUrl)];
  try {
    const wanted = await readWalPosition(primary);
    const startMs = performance.now();
    for (;;) {
      const { isStandby, position } = await readReplayState(replica, { answerWithinMs: 4000 });
      if (!isStandby)
        throw new Error("the server of DATABASE_READ_URL is not a standby: the web process does not read it");
      const tookMs = Math.round(performance.now() - startMs);
      if (hasReached(position, wanted))
        return `a standby, which had replayed what the primary wrote after ${tookMs} ms`;
      if (position !== undefined && position.timeline !== wanted.timeline)
        throw new Error(
          `it is on timeline ${position.timeline} and the primary on ${wanted.timeline}: it does not follow this primary, or has not noted that yet (after a fail-over: until its next restart point)`,
        );
      if (tookMs > maxLagMs)
        throw new Error(
          `it is more than ${maxLagMs} ms behind (DATABASE_READ_MAX_LAG_MS): the primary answers all reads`,
        );
      await sleep(20);
    }
  } finally {
    await Promise.all([primary.end(), replica.end()]);
  }
}

function connect(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 4000, max: 1 });
  pool.on("error", () => {});
  return pool;
}
