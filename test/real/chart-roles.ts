import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Json, RealCluster } from "./real-cluster.ts";
import type { ImpersonationMode } from "./real-target.ts";

const root = join(import.meta.dirname, "../..");
const release = "gatehouse";

/** How an installation of the chart reaches the cluster: each process as its own service account. */
export type ChartRoles = {
  server: string;
  /** Absent if the kubeconfig has none. */
  caFile: string | undefined;
  impersonation: Json;
  webTokenFile: string;
  /** Has the token of the web process, and nothing else. */
  webKubeconfig: string;
  recorderToken: string;
  uninstall(): void;
};

const prefix = "oidc:";

/**
 * Installs the chart with helm in a namespace, without its pods' images and without migrations. The group gets the rights
 * of deploy/rbac-act.yaml in this namespace alone; in mode `users`, the user does.
 */
export async function installChart({
  helm,
  kubeconfig,
  cluster,
  namespace,
  group,
  user,
  mode,
}: {
  helm: string;
  kubeconfig: string;
  cluster: RealCluster;
  namespace: string;
  group: string;
  user: string;
  mode: ImpersonationMode;
}): Promise<ChartRoles> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-chart-"));
  const names: Record<string, string[]> = mode === "users" ? { users: [user], groups: [] } : { groups: [group] };
  const impersonation = { usernamePrefix: prefix, groupsPrefix: prefix, ...names };
  const allowed = Object.entries(names).map(([key, list]) => [key, list.map((name) => prefix + name)]);
  const values = join(directory, "values.yaml");
  writeFileSync(
    values,
    JSON.stringify({
      image: { repository: "registry.invalid/gatehouse", tag: "none" },
      config: {
        publicUrl: "https://gatehouse.example.com",
        auth: { oidc: { issuer: "https://login.example.com", clientId: "gatehouse", clientSecret: "env:OIDC" } },
        clusters: [{ name: "this", inCluster: true, access: "act", impersonation }],
      },
      migration: { enabled: false },
      rbac: { impersonation: { enabled: true, ...Object.fromEntries(allowed) }, hold: true, events: true },
    }),
  );
  const run = (...args: string[]) => {
    const { status, stderr, error } = spawnSync(helm, [...args, "-n", namespace, "--kubeconfig", kubeconfig], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`helm ${args[0]}: ${error?.message ?? stderr}`);
  };
  run("install", release, join(root, "deploy/chart"), "-f", values);
  if (mode === "constrained") await constrain({ cluster, namespace, group: prefix + group });
  const subject = mode === "users" ? { kind: "User", name: prefix + user } : { kind: "Group", name: prefix + group };
  await grantPeople({ cluster, namespace, subject });
  const webTokenFile = join(directory, "web-token");
  const webToken = await createToken(cluster, namespace, `${release}-web`);
  writeFileSync(webTokenFile, webToken, { mode: 0o600 });
  const caFile = cluster.ca === undefined ? undefined : join(directory, "ca.crt");
  if (caFile !== undefined) writeFileSync(caFile, cluster.ca ?? "");
  const webKubeconfig = join(directory, "web-kubeconfig");
  const reached = { server: cluster.server, ...(caFile === undefined ? {} : { "certificate-authority": caFile }) };
  writeFileSync(
    webKubeconfig,
    JSON.stringify({
      ...{ apiVersion: "v1", kind: "Config", "current-context": "web" },
      clusters: [{ name: "web", cluster: reached }],
      users: [{ name: "web", user: { token: webToken } }],
      contexts: [{ name: "web", context: { cluster: "web", user: "web" } }],
    }),
    { mode: 0o600 },
  );
  return {
    server: cluster.server,
    caFile,
    impersonation,
    webTokenFile,
    webKubeconfig,
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

type ClusterRole = { kind: string; metadata: { name: string }; rules: (Json & { resources: string[] })[] };

function readClusterRoles(file: string): ClusterRole[] {
  return parseAllDocuments(readFileSync(join(root, "deploy", file), "utf8"))
    .map((document) => document.toJS() as ClusterRole)
    .filter(({ kind }) => kind === "ClusterRole");
}

/** Puts the rules of deploy/rbac-act-constrained.yaml in place of those that the chart made. */
async function constrain({
  cluster,
  namespace,
  group,
}: {
  cluster: RealCluster;
  namespace: string;
  group: string;
}): Promise<void> {
  const [role] = readClusterRoles("rbac-act-constrained.yaml");
  const rules = role?.rules.map((rule) =>
    rule.resources.includes("groups") ? { ...rule, resourceNames: [group] } : rule,
  );
  const name = `${namespace}-${release}-impersonate`;
  await cluster.patch(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`, { rules });
}

/** Gives the subject the ClusterRoles of people in deploy/rbac-act.yaml, as Roles of the namespace. */
async function grantPeople({
  cluster,
  namespace,
  subject,
}: {
  cluster: RealCluster;
  namespace: string;
  subject: Json;
}): Promise<void> {
  const roles = readClusterRoles("rbac-act.yaml").filter(({ metadata }) => metadata.name.startsWith("rollout-"));
  if (roles.length === 0) throw new Error("deploy/rbac-act.yaml has no roles of people");
  for (const { metadata, rules } of roles) await bindRole({ cluster, namespace, subject, name: metadata.name, rules });
}

/** Makes a Role in the namespace, and binds it. */
export async function bindRole({
  cluster,
  namespace,
  subject,
  name,
  rules,
}: {
  cluster: RealCluster;
  namespace: string;
  subject: Json;
  name: string;
  rules: Json[];
}): Promise<void> {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const apiGroup = "rbac.authorization.k8s.io";
  const base = `/apis/${apiVersion}/namespaces/${namespace}`;
  await cluster.create(`${base}/roles`, { apiVersion, kind: "Role", metadata: { name }, rules });
  await cluster.create(`${base}/rolebindings`, {
    ...{ apiVersion, kind: "RoleBinding", metadata: { name } },
    roleRef: { apiGroup, kind: "Role", name },
    subjects: [{ apiGroup, ...subject }],
  });
}
