import { checkClusterRights } from "#lib/server/acting/permission/check-cluster-rights.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import { loadConfig } from "#lib/server/platform/config/load-config.ts";
import { isConfigError } from "#lib/server/platform/config/parse-config.ts";
import { CommandError, parseFlags, UsageError } from "../command-line.ts";

/**
 * Runs `gatehouse config check [--config FILE]`: prints `ok FILE`, or every problem with its line and column. Then
 * prints, for each cluster that answers, what Gatehouse may do there. That does not affect the exit status (`doctor`
 * does).
 */
export async function runConfig([subcommand, ...args]: string[]): Promise<number> {
  if (subcommand !== "check") throw new UsageError("usage: gatehouse config check [--config FILE]");
  const flags = parseFlags(args, { config: { type: "string" } });
  const file = flags.config ?? readEnvironment().configFile;
  if (file === undefined) throw new CommandError("no config file: pass --config FILE or set GATEHOUSE_CONFIG");
  let config: Config;
  try {
    ({ config } = await loadConfig({ file, now: new Date() }));
  } catch (error) {
    if (!isConfigError(error)) throw error;
    for (const { line, column, path, message } of error.problems) {
      process.stderr.write(`gatehouse: ${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}\n`);
    }
    return 1;
  }
  process.stdout.write(`ok ${file}\n`);
  const reports = await Promise.all(config.clusters.map((cluster) => describeRights(cluster, config)));
  for (const line of reports.flat()) process.stdout.write(`${line}\n`);
  return 0;
}

async function describeRights(cluster: ClusterConfig, { auth }: Config): Promise<string[]> {
  try {
    const { may, problems } = await checkClusterRights({ cluster, auth });
    return [may, ...problems];
  } catch (error) {
    return [
      `${cluster.name} (access: ${cluster.access}): not asked: ${error instanceof Error ? error.message : error}`,
    ];
  }
}
