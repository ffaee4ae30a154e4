import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Json, RealCluster } from "./real-cluster.ts";

const root = join(import.meta.dirname, "../..");
const release = "gatehouse";

/** How an installation of the chart reaches the cluster: each process as its own service account. */
export type ChartRoles = {
  server: string;
  /** Absent if the kubeconfig has none. */
  caFile: string | undefined;
  impersonation: Json;
  webTokenFile: string;
  recorderToken: string;
  uninstall(): void;
};

/**
 * Installs the chart with helm in a namespace, without its pods' images and without migrations. A group of people gets
 * the rights of deploy/rbac-act.yaml in this namespace alone.
 */
export async function installChart({
  helm,
  kubeconfig,
  cluster,
  namespace,
  group,
}: {
  helm: string;
  kubeconfig: string;
  cluster: RealCluster;
  namespace: string;
  group: string;
}): Promise<ChartRoles> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-chart-"));
  const impersonation = { usernamePrefix: "oidc:", groupsPrefix: "oidc:" };
  const values = join(directory, "values.yaml");
  writeFileSync(
    values,
    JSON.stringify({
      image: { repository: "registry.invalid/gatehouse", tag: "none" },
      config: {
        publicUrl: "https://gatehouse.example.com",
        auth: { oidc: { issuer: "https://login.example.com", clientId: "gatehouse", clientSecretEnv: "OIDC" } },
        clusters: [{ name: "this", inCluster: true, access: "act", impersonation }],
      },
      migration: { enabled: false },
      rbac: { impersonation: { enabled: true, groups: [`oidc:${group}`] }, hold: true },
    }),
  );
  const run = (...args: string[]) => {
    const { status, stderr, error } = spawnSync(helm, [...args, "-n", namespace, "--kubeconfig", kubeconfig], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`helm ${args[0]}: ${error?.message ?? stderr}`);
  };
  run("install", release, join(root, "deploy/chart"), "-f", values);
  await grantPeople({ cluster, namespace, group: `oidc:${group}` });
  const webTokenFile = join(directory, "web-token");
  writeFileSync(webTokenFile, await createToken(cluster, namespace, `${release}-web`), { mode: 0o600 });
  const caFile = cluster.ca === undefined ? undefined : join(directory, "ca.crt");
  if (caFile !== undefined) writeFileSync(caFile, cluster.ca ?? "");
  return {
    server: cluster.server,
    caFile,
    impersonation,
    webTokenFile,
    recorderToken: await createToken(cluster, namespace, `${release}-recorder`),
    uninstall() {
      run("uninstall", release);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function createToken(cluster: RealCluster, namespace: string, account: string): Promise<string> {
  const { status } = await cluster.create(`/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, {
    ...{ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 7200 } },
  });
  return (status as { token: string }).token;
}

/** Gives the group the ClusterRoles of people in deploy/rbac-act.yaml, as Roles of the namespace. */
async function grantPeople({
  cluster,
  namespace,
  group,
}: {
  cluster: RealCluster;
  namespace: string;
  group: string;
}): Promise<void> {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const apiGroup = "rbac.authorization.k8s.io";
  const base = `/apis/${apiVersion}/namespaces/${namespace}`;
  const documents = parseAllDocuments(readFileSync(join(root, "deploy/rbac-act.yaml"), "utf8"));
  const roles = documents
    .map((document) => document.toJS() as { kind: string; metadata: { name: string }; rules: Json[] })
    .filter(({ kind, metadata }) => kind === "ClusterRole" && metadata.name.startsWith("rollout-"));
  if (roles.length === 0) throw new Error("deploy/rbac-act.yaml has no roles of people");
  for (const { metadata, rules } of roles) {
    const { name } = metadata;
    await cluster.create(`${base}/roles`, { apiVersion, kind: "Role", metadata: { name }, rules });
    await cluster.create(`${base}/rolebindings`, {
      ...{ apiVersion, kind: "RoleBinding", metadata: { name } },
      roleRef: { apiGroup, kind: "Role", name },
      subjects: [{ apiGroup, kind: "Group", name: group }],
    });
  }
}
