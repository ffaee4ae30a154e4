import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { outliveFullDisk } from "#lib/util/outlive-full-disk.ts";
import { createApiServer } from "./apiserver/api-server.ts";
import { gatehouseAccount } from "./apiserver/auth.ts";
import { isFrozenNamespace, loadManifests } from "./apiserver/load-manifests.ts";
import { createStore } from "./apiserver/store.ts";
import type { KubeObject } from "./apiserver/store-types.ts";
import { type AuditedWrite, makeAuditEvent } from "./audit/audit-event.ts";
import { startAuditSender } from "./audit/audit-sender.ts";
import { auditStore } from "./audit/audited-store.ts";
import { startControllers } from "./controllers/start-controllers.ts";
import { createDeliveryMeter } from "./prow/delivery-meter.ts";
import { startMetricsServer } from "./prow/metrics-server.ts";

type Settings = {
  port: number;
  dataDir: string;
  speed: number;
  seed: number;
  load?: string;
  hasFaults: boolean;
  cluster: string;
  hasFlagger: boolean;
  gateUrlFile?: string;
  metricsPort?: number;
  auditUrlFile?: string;
  only?: string[];
  exitsOnStdinClose: boolean;
};

const USAGE =
  "usage: node sandbox/main.ts --port N --data-dir DIR [--speed N] [--seed N] [--load DIR] [--faults] " +
  "[--only NAMESPACE/NAME,...] [--cluster NAME] [--flagger] [--gate-url-file FILE] [--audit-url-file FILE] [--metrics-port N] [--exit-on-stdin-close]";
/** The shortest interval between two passes of Flagger is 10 s; a demo shows one every 2 s. */
const FLAGGER_PACE = 5;
const STOP_WITHIN_MS = 800;
const SMALL_AFTER_MS = 120_000;

outliveFullDisk([process.stdout, process.stderr]);

/** Logs to stderr: stdout carries only the ready line. */
function log(message: string): void {
  process.stderr.write(`sandbox: ${message}\n`);
}

function fail(message: string): never {
  process.stderr.write(`sandbox: ${message.replaceAll("\n", " ")}\n`);
  process.exit(1);
}

function readSettings(args: string[]): Settings {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string", default: "0" },
      "data-dir": { type: "string" },
      speed: { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
      load: { type: "string" },
      faults: { type: "boolean", default: false },
      cluster: { type: "string", default: "demo" },
      flagger: { type: "boolean", default: false },
      "gate-url-file": { type: "string" },
      "metrics-port": { type: "string" },
      "audit-url-file": { type: "string" },
      only: { type: "string" },
      "exit-on-stdin-close": { type: "boolean", default: false },
    },
  });
  if (values["data-dir"] === undefined) throw new Error(`--data-dir is needed; ${USAGE}`);
  return {
    port: numberArgument("--port", values.port, isPort),
    dataDir: values["data-dir"],
    speed: numberArgument("--speed", values.speed, (speed) => speed > 0),
    seed: numberArgument("--seed", values.seed, Number.isSafeInteger),
    ...(values.load === undefined ? {} : { load: values.load }),
    hasFaults: values.faults,
    cluster: values.cluster,
    hasFlagger: values.flagger,
    ...(values["gate-url-file"] === undefined ? {} : { gateUrlFile: values["gate-url-file"] }),
    ...(values["metrics-port"] === undefined
      ? {}
      : { metricsPort: numberArgument("--metrics-port", values["metrics-port"], isPort) }),
    ...(values["audit-url-file"] === undefined ? {} : { auditUrlFile: values["audit-url-file"] }),
    ...(values.only === undefined ? {} : { only: values.only.split(",") }),
    exitsOnStdinClose: values["exit-on-stdin-close"],
  };
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 0 && port <= 65_535;
}

function numberArgument(name: string, text: string, isValid: (value: number) => boolean): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || !isValid(value)) throw new Error(`${name} ${text} is not a valid number; ${USAGE}`);
  return value;
}

/** Reads a token, created at the first start and kept. */
function readToken(path: string): string {
  const stored = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  if (stored !== "") return stored;
  const token = randomBytes(24).toString("hex");
  writeFileSync(`${path}.tmp`, `${token}\n`, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  return token;
}

/**
 * Reads a URL at which Gatehouse takes hooks or audit events, with credentials: `http://name:secret@host:port/path`.
 * It stands in a file, since it is a secret and Gatehouse may start later; undefined if the file is not there yet.
 */
function readUrl(path: string | undefined): string | undefined {
  const url = path !== undefined && existsSync(path) ? readFileSync(path, "utf8").trim().replace(/\/+$/, "") : "";
  return url === "" ? undefined : url;
}

function countByNamespace(objects: readonly KubeObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { metadata } of objects)
    counts.set(metadata.namespace ?? "", (counts.get(metadata.namespace ?? "") ?? 0) + 1);
  return counts;
}

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const token = readToken(join(settings.dataDir, "token"));
  const users = new Map([[readToken(join(settings.dataDir, "gatehouse-token")), gatehouseAccount]]);
  const now = (): Date => new Date();
  const onError = (error: unknown): void =>
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const store = createStore({ dataDir: join(settings.dataDir, "objects"), now, uid: randomUUID, onError });
  if (settings.load !== undefined) {
    const loaded = loadManifests({ store, directory: settings.load, uid: randomUUID });
    log(`loaded ${loaded.imported} objects from ${settings.load}, ${loaded.present} were there already`);
    for (const reason of loaded.skipped) log(`skipped ${reason}`);
  }
  const audit =
    settings.auditUrlFile === undefined
      ? undefined
      : startAuditSender({ webhookUrl: () => readUrl(settings.auditUrlFile), log });
  const onWrite = (write: AuditedWrite): void => audit?.add(makeAuditEvent(write));
  const meter = createDeliveryMeter();
  const controllers = startControllers({
    store: auditStore(store, { now, onWrite }),
    meter,
    speed: settings.speed,
    seed: settings.seed,
    cluster: settings.cluster,
    ...(settings.only === undefined ? {} : { only: settings.only }),
    log,
    isFrozenNamespace: (namespace) => isFrozenNamespace(store, namespace),
    ...(settings.hasFlagger
      ? { flagger: { pace: FLAGGER_PACE, gateBaseUrl: () => readUrl(settings.gateUrlFile) } }
      : {}),
  });
  const server = createApiServer({
    store,
    token,
    users,
    now,
    onError,
    onWrite,
    hasFaults: settings.hasFaults,
    onStart: () => controllers.startScenarios(),
    scenarios: () => controllers.scenarios(),
  });
  const metrics =
    settings.metricsPort === undefined
      ? undefined
      : await startMetricsServer({
          port: settings.metricsPort,
          now: Date.now,
          delivery: { meter, canaries: () => countByNamespace(store.list("canaries")) },
          token,
        });
  // Somebody removes a job while the demo is looked at: nothing that a rule should find.
  if (metrics !== undefined) setTimeout(() => metrics.play("small"), SMALL_AFTER_MS).unref();
  const stop = async (): Promise<void> => {
    setTimeout(() => process.exit(0), STOP_WITHIN_MS);
    controllers.stop();
    await metrics?.close();
    await audit?.close();
    await server.close();
    await store.close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
  if (settings.exitsOnStdinClose)
    process.stdin
      .on("end", () => void stop())
      .on("error", () => void stop())
      .resume();
  const port = await server.listen(settings.port);
  process.stdout.write(`sandbox ready http://127.0.0.1:${port}\n`);
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
