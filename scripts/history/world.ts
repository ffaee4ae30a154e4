import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { parse, stringify } from "yaml";
import { ensureDemoRows } from "#demo/ensure-demo-rows.ts";
import { historySeed } from "#demo/history/six-weeks.ts";
import { migrate } from "#lib/server/platform/db/migrate/migrate.ts";
import { locatePostgresBinaries } from "#lib/server/platform/embedded-postgres/postgres-binaries.ts";
import {
  prepareDatabase,
  startEmbeddedPostgres,
} from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import type { DataDirectory } from "../../bin/launcher/data-directory.ts";
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
import type { Service, ServiceStack } from "../../bin/launcher/service-stack.ts";
import { waitUntilLive } from "../../bin/launcher/wait-until-live.ts";
import { type PastCluster, startPastCluster } from "./past-cluster.ts";
import { createPeople, type People } from "./people.ts";
import type { PlannedService } from "./plan-history.ts";
import type { SimulatedClock } from "./simulated-clock.ts";

export type World = {
  database: pg.Client;
  cluster: PastCluster;
  people: People;
  /** Ends recorder and web. */
  stopOwn(): Promise<void>;
};

/** Starts a Gatehouse and a cluster as the demo does, with all processes on the simulated clock. */
export async function startWorld(options: {
  clock: SimulatedClock;
  folder: string;
  data: DataDirectory;
  stack: ServiceStack;
  services: readonly PlannedService[];
  log: (line: string) => void;
}): Promise<World> {
  const { clock, folder, data, stack, services, log } = options;
  const { accounts, tokens } = readDemoAccounts(data);
  const hook = readHookCredential(data);
  const audit = readAuditCredential(data);
  const urls = await startDatabase({ folder, data, stack });
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
async function startDatabase({ folder, data, stack }: { folder: string; data: DataDirectory; stack: ServiceStack }) {
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
    ...{ metricsPort: 1, recorderPort: await findFreePort(undefined), faults: false, hasStory: false },
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

export function createStack(): ServiceStack & { stop(): Promise<void> } {
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
