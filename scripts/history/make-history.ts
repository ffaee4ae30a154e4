import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { parse, stringify } from "yaml";
import { ensureDemoRows } from "#demo/ensure-demo-rows.ts";
import { historyTables } from "#demo/history/history-tables.ts";
import { packHistory } from "#demo/history/pack.ts";
import { historyDays, historyFreezes, historySeed, templateChanges } from "#demo/history/six-weeks.ts";
import type { PersonAct } from "#demo/history/story-types.ts";
import { migrate } from "#lib/server/platform/db/migrate/migrate.ts";
import { locatePostgresBinaries } from "#lib/server/platform/embedded-postgres/postgres-binaries.ts";
import { prepareDatabase } from "#lib/server/platform/embedded-postgres/prepare-database.ts";
import { startEmbeddedPostgres } from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { parseDurationMs } from "#sandbox/controllers/clock.ts";
import { actOnRollout, release } from "#sandbox/scenarios/act-on-rollout.ts";
import { type DataDirectory, openDataDirectory } from "../../bin/launcher/data-directory.ts";
import {
  auditUrlFile,
  readAuditCredential,
  readDemoAccounts,
  readHookCredential,
  readSecret,
  writeAuditUrl,
  writeDemoConfig,
} from "../../bin/launcher/demo-files.ts";
import { findFreePort } from "../../bin/launcher/free-port.ts";
import { startRecorder, startWeb } from "../../bin/launcher/own-processes.ts";
import { projectRoot } from "../../bin/launcher/project-task.ts";
import type { Service, ServiceStack } from "../../bin/launcher/service-stack.ts";
import { waitUntilLive } from "../../bin/launcher/wait-until-live.ts";
import { changeTemplate, type PastCluster, quicken, startPastCluster, stateOf } from "./past-cluster.ts";
import { createPeople, type People } from "./people.ts";
import { type PlannedRelease, type PlannedService, planHistory, timeOf } from "./plan-history.ts";
import { createRecordedCheck } from "./recorded-check.ts";
import { createSimulatedClock, pause, type SimulatedClock } from "./simulated-clock.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** The clock jumps at most this far at once: less while something waits, so that the recorder's rules look at it. */
const longestJumpMs = { waiting: 20 * minuteMs, idle: 6 * 60 * minuteMs };
/** How long the recorder gets after a jump over idle time, and after a shorter one. */
const restMs = { long: 150, short: 4 };

const [folder = "", offsetFile = "", offsetSeconds = "0", ...rest] = process.argv.slice(2);
const untilDay = Number(rest[0] ?? historyDays - 2);
const log = (line: string): void => {
  process.stderr.write(`history: ${new Date().toISOString().slice(0, 16)} ${line}\n`);
};

await main();

async function main(): Promise<void> {
  const clock = createSimulatedClock(offsetFile, Number(offsetSeconds) * 1000);
  const startMs = Math.floor(Date.now() / dayMs) * dayMs;
  const endMs = timeOf(startMs, `d${untilDay - 1} 18:00`);
  const services = planHistory(startMs);
  chmodSync(folder, 0o755);
  const data = await openDataDirectory(join(folder, "data"));
  const stack = createStack();
  try {
    const world = await startWorld({ clock, data, stack, services });
    const play = createPlay({ clock, world, services });
    await play.until(endMs, () => tellStory({ ...play, clock, world, services, startMs, endMs }));
    log("the story is told");
    await play.until(endMs + 20 * minuteMs, async () => {
      for (const { live } of services) quicken(world.cluster.audited, live);
    });
    await untilDerived(world.database);
    await world.stopOwn();
    await writeHistory(world);
  } finally {
    await stack.stop();
    data.release();
  }
}

type World = {
  database: pg.Client;
  cluster: PastCluster;
  people: People;
  /** Ends recorder and web. */
  stopOwn(): Promise<void>;
};

async function startWorld(options: {
  clock: SimulatedClock;
  data: DataDirectory;
  stack: ServiceStack;
  services: readonly PlannedService[];
}): Promise<World> {
  const { clock, data, stack, services } = options;
  const { accounts, tokens } = readDemoAccounts(data);
  const hook = readHookCredential(data);
  const audit = readAuditCredential(data);
  const urls = await startDatabase(data, stack);
  await ensureDemoRows(urls.owner, {
    ...{ accounts, tokens },
    credentials: [
      { purpose: "flagger", ...hook },
      { purpose: "kubernetes-audit", ...audit },
    ],
  });
  const port = await findFreePort(undefined);
  const url = `http://127.0.0.1:${port}`;
  writeAuditUrl(data, url, audit);
  const [token, gatehouseToken] = ["history-admin-token", "history-gatehouse-token"];
  writeFileSync(data.file("token"), token);
  writeFileSync(data.file("gatehouse-token"), gatehouseToken);
  const cluster = await startPastCluster({
    ...{ clock, token, gatehouseToken, log, seed: historySeed },
    scenarios: services.map(({ past }) => past),
    auditUrl: () => readFileSync(auditUrlFile(data), "utf8").trim(),
  });
  stack.add(cluster);
  const settings = {
    configFile: await writeConfig(data, { url, server: `http://127.0.0.1:${cluster.port}` }),
    ...{ secret: readSecret(data), webSecretVariables: [], sharesRole: false },
  };
  const of = (databaseUrl: string) => ({ ...settings, databaseUrl, databaseDirectUrl: databaseUrl });
  const since = new Date();
  const recorder = startRecorder({ stack, data, settings: of(urls.recorder) });
  const web = startWeb({ stack, data, settings: of(urls.web), host: "127.0.0.1", port, basePath: "" });
  await Promise.race([
    waitUntilLive({ url, token: tokens.admin, since, timeoutMs: 120_000 }),
    ...[recorder, web].map(({ failed }) => failed),
  ]);
  for (const child of [recorder, web]) child.settle();
  const database = new pg.Client({ connectionString: urls.owner });
  await database.connect();
  stack.add({ stop: () => database.end() });
  return {
    ...{ database, cluster, people: createPeople(url, accounts) },
    async stopOwn() {
      await web.stop();
      await recorder.stop();
    },
  };
}

/** PostgreSQL gets a fixed environment: a script in its place sets the clock. */
async function startDatabase(data: DataDirectory, stack: ServiceStack) {
  const found = locatePostgresBinaries();
  const wrapper = join(folder, "postgres");
  const exports = Object.entries(process.env).filter(([name]) => /^LD_PRELOAD$|FAKETIME|FAKE_STAT/.test(name));
  const lines = exports.map(([name, value]) => `export ${name}='${value}'`);
  writeFileSync(wrapper, `#!/bin/sh\n${lines.join("\n")}\nexec '${found.postgres}' "$@"\n`, { mode: 0o755 });
  mkdirSync(data.file("logs"), { recursive: true });
  const postgres = await startEmbeddedPostgres({
    ...{ directory: data.file("postgres"), ownerPassword: "owner", logFile: data.logFile("postgres") },
    binaries: { ...found, postgres: wrapper },
    settings: { fsync: "off" },
  });
  stack.add(postgres);
  await prepareDatabase({
    ...{ maintenanceUrl: postgres.ownerUrl("postgres"), database: "gatehouse" },
    passwords: { recorder: "recorder", web: "web" },
  });
  await migrate({ url: postgres.ownerUrl("gatehouse") });
  const urlOf = (role: string) => `postgresql://gatehouse_${role}:${role}@127.0.0.1:${postgres.port}/gatehouse`;
  return { owner: postgres.ownerUrl("gatehouse"), recorder: urlOf("recorder"), web: urlOf("web") };
}

/** The demo's config without what is only of the live demo. The recorder reads often, to be current after each jump. */
async function writeConfig(data: DataDirectory, { url, server }: { url: string; server: string }): Promise<string> {
  const file = writeDemoConfig(data, {
    ...{ url, server, tokenFile: data.file("gatehouse-token"), adminTokenFile: data.file("token") },
    ...{ metricsPort: 1, recorderPort: await findFreePort(undefined), faults: false },
  });
  const { oversight: _, ...config } = parse(readFileSync(file, "utf8"));
  const clusters = config.clusters.map(({ controllers: _, ...cluster }: Record<string, unknown>) => ({
    ...cluster,
    staleAfterSeconds: 10,
  }));
  const policies = { secondPerson: config.policies.secondPerson };
  const own = data.file("history.yaml");
  writeFileSync(own, stringify({ ...config, clusters, policies }));
  return own;
}

type Play = {
  /** Lets time pass until then; `during` runs meanwhile, and must end by then. */
  until(timeMs: number, during: () => Promise<void>): Promise<void>;
  /** The clock does not jump while `work` runs. */
  live<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves once `isSo`, which is asked whenever the controllers did something. */
  when(isSo: () => boolean): Promise<void>;
};

/** The loop of the history: runs what is due, waits until it is recorded, and jumps to what is due next. */
function createPlay({
  clock,
  world,
  services,
}: {
  clock: SimulatedClock;
  world: World;
  services: readonly PlannedService[];
}): Play {
  const recorded = createRecordedCheck(world);
  const waiting = new Set<{ isSo: () => boolean; resolve: () => void }>();
  let busy = 0;

  function wake(): boolean {
    const due = [...waiting].filter(({ isSo }) => isSo());
    for (const one of due) {
      waiting.delete(one);
      one.resolve();
    }
    return due.length > 0;
  }

  async function step(untilMs: number): Promise<void> {
    const ran = clock.runDue();
    // What a resolved promise continues runs before the clock jumps.
    await pause(0);
    if (busy > 0) {
      await pause(3);
      wake();
      return;
    }
    if (ran > 0) {
      await recorded.settle();
      if (wake()) await pause(0);
      if (busy > 0) return;
    }
    const nowMs = Date.now();
    const nextMs = Math.min(clock.nextDueMs() ?? untilMs, untilMs);
    const isWaiting = services.some(({ past }) => stateOf(world.cluster.store, past)?.waiting === true);
    const aheadMs = Math.min(nextMs - nowMs, isWaiting ? longestJumpMs.waiting : longestJumpMs.idle);
    if (aheadMs <= 0) return;
    clock.jumpTo(nowMs + aheadMs);
    if (aheadMs > 5000) await pause(aheadMs > 5 * minuteMs ? restMs.long : restMs.short);
  }

  return {
    async until(timeMs, during) {
      let isDone = false;
      let failure: unknown;
      const told = during().then(
        () => {
          isDone = true;
        },
        (error: unknown) => {
          failure = error;
        },
      );
      while (failure === undefined && (Date.now() < timeMs || !isDone))
        await step(isDone || Date.now() < timeMs ? timeMs : Date.now() + dayMs);
      await told;
      if (failure !== undefined) throw failure;
    },
    async live(work) {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
      }
    },
    when: (isSo) => (isSo() ? Promise.resolve() : new Promise((resolve) => waiting.add({ isSo, resolve }))),
  };
}

type Story = Play & {
  clock: SimulatedClock;
  world: World;
  services: readonly PlannedService[];
  startMs: number;
  endMs: number;
};

async function tellStory(story: Story): Promise<void> {
  const { clock, world, services, startMs, endMs } = story;
  world.cluster.startScenarios();
  await Promise.all([
    ...services.map((service) => playService(story, service)),
    ...templateChanges.map(async ({ on, successCondition, ...change }) => {
      if (timeOf(startMs, on) > endMs) return;
      await clock.sleepUntil(timeOf(startMs, on));
      changeTemplate(world.cluster.audited, { ...change, successCondition: successCondition.after });
    }),
    ...historyFreezes.map(async ({ on, by, hours, ...freeze }) => {
      if (timeOf(startMs, on) > endMs) return;
      await clock.sleepUntil(timeOf(startMs, on));
      const endsAt = new Date(Date.now() + hours * 3_600_000).toISOString();
      await story.live(() => world.people.freeze(by, { ...freeze, endsAt }));
    }),
  ]);
}

async function playService(story: Story, { past, releases }: PlannedService): Promise<void> {
  const { clock, world, when, endMs } = story;
  await when(() => stateOf(world.cluster.store, past)?.healthy === true);
  for (const planned of releases) {
    if (planned.atMs > endMs) return;
    await clock.sleepUntil(planned.atMs);
    log(`${past.name} ${planned.version}${planned.trouble === undefined ? "" : ` (${planned.trouble})`}`);
    const object = world.cluster.store.get("rollouts", past.namespace, past.name);
    if (object === undefined) throw new Error(`${past.name} is gone`);
    release(world.cluster.audited, object, { version: planned.version, played: 0 });
    for (const act of planned.people ?? []) await playAct(story, { past, planned, act });
    const isAtRest = () => {
      const state = stateOf(world.cluster.store, past);
      return state?.healthy === true || state?.aborted === true;
    };
    await when(isAtRest);
    log(
      `${past.name} ${planned.version} ${stateOf(world.cluster.store, past)?.healthy ? "is healthy" : "was aborted"}`,
    );
  }
}

async function playAct(
  story: Story,
  { past, planned, act }: { past: PlannedService["past"]; planned: PlannedRelease; act: PersonAct },
): Promise<void> {
  const { clock, world, when } = story;
  const place = { namespace: past.namespace, name: past.name };
  await when(() => {
    const state = stateOf(world.cluster.store, past);
    return state?.version === planned.version && state[act.when ?? "waiting"] === true;
  });
  await clock.sleepUntil(timeOfAct(act));
  log(`${act.by}: ${act.act} ${past.name}`);
  await story.live(async () => {
    await untilFresh(world.database);
    if (act.by !== "kubectl") {
      await world.people.act(place, act);
      // The controller carries it out at its own pace.
      return pause(2000);
    }
    const object = world.cluster.store.get("rollouts", past.namespace, past.name);
    if (object !== undefined) actOnRollout(world.cluster.audited, object, { when: "healthy", act: "continue" }, 0);
    // The API server's audit event comes later, and is then matched with the change.
    await pause(8000);
  });
}

function timeOfAct(act: PersonAct): number {
  if ("after" in act) return Date.now() + (parseDurationMs(act.after) ?? 0);
  const [hour = 0, minute = 0] = act.at.split(":").map(Number);
  const todayMs = Math.floor(Date.now() / dayMs) * dayMs + (hour * 60 + minute) * minuteMs;
  return todayMs > Date.now() ? todayMs : todayMs + dayMs;
}

/** Waits until the recorder has heard of every source since the last jump of the clock: nobody acts on a stale view. */
async function untilFresh(database: pg.Client): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { rows } = await database.query<{ fresh: boolean }>(
      `SELECT bool_and(least(watch_contact_at, read_contact_at) > clock_timestamp() - interval '4 s') AS fresh FROM source`,
    );
    if (rows[0]?.fresh === true) return;
    await pause(50);
  }
  throw new Error("the recorder's view stays stale");
}

/** Waits until nothing is left to be derived from what was recorded. */
async function untilDerived(database: pg.Client): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const { rows } = await database.query<{ due: number }>(
      `SELECT (SELECT count(*) FROM release WHERE ended_at IS NOT NULL AND figured_at IS DISTINCT FROM updated_at)
            + (SELECT count(*) FROM analysis_run WHERE completed_at IS NOT NULL
                 AND (verdict_check_version IS DISTINCT FROM resource_version OR figures_version IS DISTINCT FROM resource_version))
            + (SELECT count(*) FROM change_attribution WHERE state = 'open') AS due`,
    );
    if (Number(rows[0]?.due) === 0) return;
    if (tries % 10 === 9) log(`${rows[0]?.due} rows are due`);
    await pause(500);
  }
  log("gave up waiting for what is derived");
}

async function writeHistory({ database, cluster }: World): Promise<void> {
  await database.query("SET timezone = 'UTC'");
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const table of historyTables) {
    // Sources are not stale in a history.
    const where = table === "finding" ? "WHERE t.about = 'rollout'" : "";
    const answer = await database.query<{ row: Record<string, unknown> }>(
      `SELECT row_to_json(t) AS row FROM ${table} t ${where} ORDER BY t`,
    );
    rows[table] = answer.rows.map(({ row }) => row);
    log(`${table}: ${answer.rows.length} rows, ${JSON.stringify(rows[table]).length} bytes`);
  }
  const packed = packHistory({ endedAt: new Date().toISOString(), rows, objects: cluster.snapshot() });
  const file = join(projectRoot, "demo/history/six-weeks.json.br");
  writeFileSync(file, packed);
  log(`${file}: ${packed.length} bytes`);
}

function createStack(): ServiceStack & { stop(): Promise<void> } {
  const services: Service[] = [];
  return {
    add: (service) => {
      services.push(service);
      return service;
    },
    async stop() {
      for (const service of services.toReversed()) await service.stop();
    },
  };
}
