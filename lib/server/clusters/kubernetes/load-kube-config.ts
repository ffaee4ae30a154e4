import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Cluster, User } from "@kubernetes/client-node";
// The package's own entry loads its generated models: 60 MB in each process that runs without a bundle.
import { KubeConfig } from "@kubernetes/client-node/dist/config.js";
import { parse } from "yaml";
import { z } from "zod";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";

/** Loads credentials and TLS of one configured cluster. Throws an `Error` with one line that names the problem. */
export function loadKubeConfig(config: ClusterConfig): KubeConfig {
  const kubeConfig = new KubeConfig();
  if (config.server !== undefined) loadFromServer({ kubeConfig, config, server: config.server });
  else if (config.kubeconfig !== undefined) loadFromFile({ kubeConfig, config, file: config.kubeconfig });
  else loadFromPod({ kubeConfig, config });
  return kubeConfig;
}

function loadFromServer(options: { kubeConfig: KubeConfig; config: ClusterConfig; server: string }): void {
  const { kubeConfig, config, server } = options;
  if (config.tokenFile !== undefined) assertReadable({ config, what: "tokenFile", file: config.tokenFile });
  if (config.caFile !== undefined) assertReadable({ config, what: "caFile", file: config.caFile });
  const cluster: Cluster = {
    name: config.name,
    server,
    // client-node refuses plain http otherwise; plain http has no certificate to verify.
    skipTLSVerify: server.startsWith("http:"),
    ...(config.caFile === undefined ? {} : { caFile: config.caFile }),
  };
  const user: User = {
    name: config.name,
    // Reread once a minute, to pick up a rotated token.
    ...(config.tokenFile === undefined
      ? {}
      : { authProvider: { name: "tokenFile", config: { tokenFile: config.tokenFile } } }),
  };
  kubeConfig.loadFromClusterAndUser(cluster, user);
}

function loadFromFile(options: { kubeConfig: KubeConfig; config: ClusterConfig; file: string }): void {
  const { kubeConfig, config, file } = options;
  assertReadable({ config, what: "kubeconfig", file });
  try {
    kubeConfig.loadFromFile(file);
  } catch (error) {
    throw new Error(`cluster ${config.name}: kubeconfig ${file} cannot be used: ${firstLine(error)}`);
  }
  if (config.context !== undefined) kubeConfig.setCurrentContext(config.context);
  const context = kubeConfig.getCurrentContext();
  if (kubeConfig.getContextObject(context) === null) {
    const known = kubeConfig.getContexts().map((each) => each.name);
    throw new Error(
      `cluster ${config.name}: kubeconfig ${file} has no context "${context}"; it has ${known.join(", ") || "none"}`,
    );
  }
  if (kubeConfig.getCurrentCluster() === null)
    throw new Error(`cluster ${config.name}: context "${context}" of ${file} names a cluster that is not in it`);
  takeTokenFile({ kubeConfig, config, file });
}

const Users = z.looseObject({
  users: z.array(
    z.looseObject({ name: z.string(), user: z.looseObject({ tokenFile: z.string().optional() }).nullish() }),
  ),
});

/** Takes the `tokenFile` of the current user, as kubectl does: before its `token`. client-node does not read this key. */
function takeTokenFile({ kubeConfig, config, file }: { kubeConfig: KubeConfig; config: ClusterConfig; file: string }) {
  const user = kubeConfig.getCurrentUser();
  const written = Users.safeParse(parse(readFileSync(file, "utf8"))).data?.users.find(
    ({ name }) => name === user?.name,
  );
  const named = written?.user?.tokenFile;
  if (user === null || named === undefined || named === "") return;
  const tokenFile = resolve(dirname(file), named);
  assertReadable({ config, what: `tokenFile of ${file}`, file: tokenFile });
  const { name, certFile, certData, keyFile, keyData } = user;
  const certificate = { certFile, certData, keyFile, keyData } as Partial<User>;
  const authProvider = { name: "tokenFile", config: { tokenFile } };
  kubeConfig.users = kubeConfig.users.map((each) =>
    each.name === name ? { name, ...certificate, authProvider } : each,
  );
}

function loadFromPod({ kubeConfig, config }: { kubeConfig: KubeConfig; config: ClusterConfig }): void {
  kubeConfig.loadFromCluster();
  const server = kubeConfig.getCurrentCluster()?.server ?? "";
  if (server.includes("undefined"))
    throw new Error(`cluster ${config.name}: inCluster is set, but this process does not run in a pod`);
}

function assertReadable({ config, what, file }: { config: ClusterConfig; what: string; file: string }): void {
  try {
    readFileSync(file);
  } catch (error) {
    throw new Error(`cluster ${config.name}: ${what} cannot be read: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
