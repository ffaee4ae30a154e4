import { resolve } from "node:path";
import { loadKubeConfig } from "#lib/server/clusters/kubernetes/load-kube-config.ts";
import { probeCluster } from "#lib/server/clusters/kubernetes/probe-cluster.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { readEnvironment, readNamedVariable } from "#lib/server/platform/config/environment.ts";
import { loadConfig } from "#lib/server/platform/config/load-config.ts";
import { variableOf } from "#lib/server/platform/config/secret-place.ts";
import { migrate } from "#lib/server/platform/db/migrate/migrate.ts";
import { basePathOf } from "#lib/util/base-path.ts";
import { CommandError, parseFlags, parseInteger } from "../command-line.ts";
import { type DataDirectory, openDataDirectory } from "../launcher/data-directory.ts";
import { startEmbeddedDatabase } from "../launcher/embedded-database.ts";
import { assertPortFree } from "../launcher/free-port.ts";
import { type ProcessSettings, startRecorder, startWeb } from "../launcher/own-processes.ts";
import { runProjectTask } from "../launcher/project-task.ts";
import { readSecretSetting } from "../launcher/read-secret-setting.ts";
import { runServices, type ServiceStack } from "../launcher/service-stack.ts";
import { waitUntilAnswering } from "../launcher/wait-until-live.ts";

type DatabaseUrls = {
  migrate: string;
  web: string;
  recorder: string;
  direct: string | undefined;
  read: string | undefined;
};

/**
 * Runs `gatehouse up`: web and recorder on one node, for real clusters. Uses the database of DATABASE_URL (with
 * DATABASE_MIGRATE_URL, DATABASE_RECORDER_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL), or else an embedded one in
 * --data-dir.
 */
export async function runUp(args: string[]): Promise<number> {
  const flags = parseFlags(args, {
    config: { type: "string" },
    port: { type: "string" },
    host: { type: "string" },
    "data-dir": { type: "string" },
  });
  const host = flags.host ?? "127.0.0.1";
  const port = parseInteger({ flag: "--port", text: flags.port, fallback: 7460, min: 1, max: 65_535 });
  const configFile = flags.config ?? readEnvironment().configFile;
  if (configFile === undefined) throw new CommandError("no config file: pass --config FILE or set GATEHOUSE_CONFIG");
  const { config, file } = await loadConfig({ file: configFile, now: new Date() });
  if (config.demo !== undefined) throw new CommandError(`${file}: demo is only for gatehouse demo: remove it`);
  const secret = readSecretSetting();
  // An unreachable cluster may come back; unreadable credentials are a mistake that must be reported at once.
  for (const cluster of config.clusters) loadKubeConfig(cluster);
  const data = await openDataDirectory(flags["data-dir"] ?? ".gatehouse/data");
  try {
    await assertPortFree({ host, port, waitMs: data.wasAbandoned ? 10_000 : 0 });
    return await runServices((stack) =>
      startUp({
        ...{ stack, data, configFile: resolve(file), secret, host, port },
        basePath: basePathOf(config.publicUrl),
        clusters: config.clusters,
        webSecretVariables: [variableOf(config.auth.oidc?.clientSecret ?? "") ?? []].flat(),
      }),
    );
  } finally {
    data.release();
  }
}

async function startUp(options: {
  stack: ServiceStack;
  data: DataDirectory;
  configFile: string;
  secret: string;
  host: string;
  port: number;
  basePath: string;
  clusters: readonly ClusterConfig[];
  webSecretVariables: readonly string[];
}): Promise<void> {
  const { stack, data, configFile, secret, host, port, basePath } = options;
  const urls = readDatabaseUrls() ?? (await startEmbedded(stack, data));
  // Runs before the build, so that an unusable database is reported at once.
  await migrate({ url: urls.migrate, log: (line) => process.stderr.write(`gatehouse: ${line}\n`) });
  await runProjectTask(stack, ["scripts/build.mjs", "--if-stale"]);
  const sharesRole = urls.recorder === urls.web;
  const settingsOf = (databaseUrl: string): ProcessSettings => ({
    configFile,
    secret,
    databaseUrl,
    databaseDirectUrl: urls.direct ?? databaseUrl,
    databaseReadUrl: urls.read,
    webSecretVariables: options.webSecretVariables,
    sharesRole,
  });
  const recorder = startRecorder({ stack, data, settings: settingsOf(urls.recorder) });
  const web = startWeb({ stack, data, settings: settingsOf(urls.web), host, port, basePath });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}${basePath}`;
  // Clusters may be down: the pages then say so. Only our own processes must be up.
  await Promise.race([waitUntilAnswering({ url, timeoutMs: 60_000 }), recorder.failed, web.failed]);
  recorder.settle();
  web.settle();
  process.stdout.write(`gatehouse ready ${url}\n`);
  void warnOfClusters(options.clusters);
}

/**
 * Warns of unreachable clusters. A cluster that is down must not keep the dashboard down (docs/adr/0001); the recorder
 * tries it again.
 */
async function warnOfClusters(clusters: readonly ClusterConfig[]): Promise<void> {
  const probes = await Promise.allSettled(clusters.map(probeCluster));
  for (const probe of probes) {
    if (probe.status === "fulfilled") continue;
    const text = probe.reason instanceof Error ? probe.reason.message : String(probe.reason);
    process.stderr.write(`gatehouse: ${text}; recorded data stays visible, and gatehouse keeps trying\n`);
  }
}

function readDatabaseUrls(): DatabaseUrls | undefined {
  const web = readEnvironment().databaseUrl;
  if (web === undefined || web === "") return undefined;
  return {
    web,
    migrate: readNamedVariable("DATABASE_MIGRATE_URL") ?? web,
    recorder: readNamedVariable("DATABASE_RECORDER_URL") ?? web,
    direct: readNamedVariable("DATABASE_DIRECT_URL"),
    read: readEnvironment().databaseReadUrl,
  };
}

async function startEmbedded(stack: ServiceStack, data: DataDirectory): Promise<DatabaseUrls> {
  const database = stack.add(await startEmbeddedDatabase(data));
  return {
    web: database.webUrl,
    migrate: database.ownerUrl,
    recorder: database.recorderUrl,
    direct: undefined,
    read: undefined,
  };
}
