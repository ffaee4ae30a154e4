import { readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensureDemoRows } from "#demo/ensure-demo-rows.ts";
import { beginDemo } from "#demo/history/import-history.ts";
import { playedRollouts } from "#demo/page/story.ts";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { parseFlags, parseInteger, parsePositiveNumber, UsageError } from "../command-line.ts";
import { type DataDirectory, openDataDirectory, writeFileAtomically } from "../launcher/data-directory.ts";
import {
  readAuditCredential,
  readDemoAccounts,
  readHookCredential,
  readPorts,
  readSecret,
  writeAuditUrl,
  writeDemoConfig,
  writeGateUrl,
  writePorts,
} from "../launcher/demo-files.ts";
import { startEmbeddedDatabase } from "../launcher/embedded-database.ts";
import { assertPortFree, findFreePort } from "../launcher/free-port.ts";
import { startRecorder, startWeb } from "../launcher/own-processes.ts";
import { runProjectTask } from "../launcher/project-task.ts";
import { type SandboxOptions, sandboxObjects, startSandbox, startScenarios } from "../launcher/sandbox-process.ts";
import { runServices, type ServiceStack } from "../launcher/service-stack.ts";
import { waitUntilLive } from "../launcher/wait-until-live.ts";

type DemoOptions = SandboxOptions & { port: number; dataDirectory: string; hasHistory: boolean };

const host = "127.0.0.1";

/** Runs `gatehouse demo`: database, sandbox cluster, recorder and web on this machine, until it is stopped. */
export async function runDemo(args: string[]): Promise<number> {
  const options = parseDemoOptions(args);
  const data = await openDataDirectory(options.dataDirectory);
  try {
    // After a kill -9, the processes of the last run may need a moment to notice and release the port.
    await assertPortFree({ host, port: options.port, waitMs: data.wasAbandoned ? 10_000 : 0 });
    return await runServices((stack) => startDemo({ stack, data, options }));
  } finally {
    data.release();
  }
}

function parseDemoOptions(args: string[]): DemoOptions {
  const flags = parseFlags(args, {
    port: { type: "string" },
    "data-dir": { type: "string" },
    speed: { type: "string" },
    seed: { type: "string" },
    load: { type: "string" },
    faults: { type: "boolean" },
    "no-history": { type: "boolean" },
  });
  if (flags.load !== undefined && statSync(flags.load, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--load ${flags.load}: no such folder`);
  }
  return {
    port: parseInteger({ flag: "--port", text: flags.port, fallback: 7460, min: 1, max: 65_535 }),
    dataDirectory: flags["data-dir"] ?? ".gatehouse/demo",
    speed: parsePositiveNumber({ flag: "--speed", text: flags.speed, fallback: 1, max: 1000 }),
    seed: parseInteger({ flag: "--seed", text: flags.seed, fallback: 1, min: 0, max: 2 ** 32 - 1 }),
    loadDirectory: flags.load === undefined ? undefined : resolve(flags.load),
    faults: flags.faults === true,
    hasHistory: flags["no-history"] !== true,
  };
}

async function startDemo({
  stack,
  data,
  options,
}: {
  stack: ServiceStack;
  data: DataDirectory;
  options: DemoOptions;
}): Promise<void> {
  rmSync(data.file("demo.json"), { force: true });
  const url = `http://${host}:${options.port}`;
  const { accounts, tokens } = readDemoAccounts(data);
  const ports = readPorts(data);
  const hookCredential = readHookCredential(data);
  const auditCredential = readAuditCredential(data);
  const credentials = [
    { purpose: "flagger" as const, ...hookCredential },
    { purpose: "kubernetes-audit" as const, ...auditCredential },
  ];
  const startDatabase = async () => {
    const database = stack.add(await startEmbeddedDatabase(data));
    await ensureDemoRows(database.ownerUrl, { accounts, tokens, credentials });
    return { database, hasStory: await giveHistory(data, database.ownerUrl, options) };
  };
  // The build leaves a part of the processor idle.
  const [{ database, hasStory }] = await Promise.all([
    startDatabase(),
    runProjectTask(stack, ["scripts/build.mjs", "--if-stale"]),
  ]);
  writeGateUrl(data, url, hookCredential);
  writeAuditUrl(data, url, auditCredential);
  const sandbox = await startSandbox({
    stack,
    data,
    preferredPort: ports.sandbox,
    preferredMetricsPort: ports.metrics,
    sandbox: { ...options, only: hasStory ? playedRollouts : undefined },
  });
  const recorderPort = await findFreePort(ports.recorder);
  writePorts(data, { sandbox: sandbox.port, metrics: sandbox.metricsPort, recorder: recorderPort });
  const configFile = writeDemoConfig(data, {
    url,
    server: sandbox.server,
    tokenFile: sandbox.gatehouseTokenFile,
    adminTokenFile: sandbox.tokenFile,
    metricsPort: sandbox.metricsPort,
    recorderPort,
    faults: options.faults,
    hasStory,
  });
  const settings = { configFile, secret: readSecret(data), webSecretVariables: [], sharesRole: false };
  const settingsOf = (databaseUrl: string) => ({ ...settings, databaseUrl, databaseDirectUrl: databaseUrl });
  const since = new Date();
  const recorder = startRecorder({ stack, data, settings: settingsOf(database.recorderUrl) });
  const web = startWeb({ stack, data, settings: settingsOf(database.webUrl), host, port: options.port, basePath: "" });
  const children = [sandbox.child, recorder, web];
  await Promise.race([
    waitUntilLive({ url, token: tokens.admin, since, timeoutMs: 120_000 }),
    ...children.map((child) => child.failed),
  ]);
  for (const child of children) child.settle();
  const scenarios = await startScenarios(sandbox);
  const demo = {
    url,
    pid: process.pid,
    version: readVersion(),
    accounts,
    tokens,
    databaseUrl: database.ownerUrl,
    recorderUrl: `http://${host}:${recorderPort}`,
    clusters: [{ name: "demo", server: sandbox.server, token: sandbox.token }],
    scenarios,
  };
  writeFileAtomically(data.file("demo.json"), `${JSON.stringify(demo, null, 2)}\n`);
  process.stdout.write(`gatehouse ready ${url}\n`);
}

/** Returns whether the demo has the six weeks of history, from this start or from its first. */
async function giveHistory(
  data: DataDirectory,
  databaseUrl: string,
  { hasHistory }: Pick<DemoOptions, "hasHistory">,
): Promise<boolean> {
  const objectDirectory = sandboxObjects(data);
  const past = await beginDemo({ databaseUrl, objectDirectory, now: new Date(), hasHistory });
  if (past === "imported")
    process.stderr.write("gatehouse: the demo begins with six weeks of history (--no-history: without)\n");
  return past !== "none";
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { version: string };
  return version;
}
