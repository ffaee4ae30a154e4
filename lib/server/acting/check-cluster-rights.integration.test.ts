import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { parseConfig } from "#lib/server/config/parse-config.ts";
import { authorizeByRbac, gatehouseAccount, type RbacObject, readManifest } from "#test/rbac.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { type ClusterRights, checkClusterRights } from "./check-cluster-rights.ts";

const rbac: RbacObject[] = [];
let sandbox: SandboxServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-rights-"));
  writeFileSync(join(folder, "token"), "t");
  sandbox = await startSandboxServer({ users: new Map([["t", gatehouseAccount]]), authorize: authorizeByRbac(rbac) });
});
beforeEach(() => {
  rbac.splice(0, rbac.length, ...readManifest("rbac-read.yaml"), ...readManifest("rbac-act.yaml"));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

/** The example config and the manifests that the project ships, applied to the sandbox. */
const file = join(import.meta.dirname, "../../../deploy/gatehouse.yaml");
const { auth, clusters } = parseConfig({ file, text: readFileSync(file, "utf8") });

async function check(name: "prod-eu" | "prod-us", change: Partial<ClusterConfig> = {}): Promise<ClusterRights> {
  const { kubeconfig: _, inCluster: __, context: ___, ...shipped } = clusters.find((each) => each.name === name) ?? {};
  const cluster = ClusterConfig.parse({ ...shipped, server: sandbox.url, tokenFile: join(folder, "token"), ...change });
  return checkClusterRights({ cluster, auth });
}

function ruleOf(role: string, resource: string) {
  const rules = rbac.find(({ kind, metadata }) => kind === "ClusterRole" && metadata.name === role)?.rules;
  const rule = rules?.find(({ resources }) => resources.includes(resource));
  if (rule === undefined) throw new Error(`${role} has no rule for ${resource}`);
  return rule;
}

describe("the manifests in deploy/", () => {
  it("give all that the example config asks for", async () => {
    expect(await check("prod-eu")).toEqual({
      may: "prod-eu (access: read): may read all that it records",
      missing: [],
    });
    expect(await check("prod-us")).toEqual({
      may: "prod-us (access: act): may read all that it records; acts as the signed-in person, may impersonate any users and groups oidc:platform-owners, oidc:release-engineers, oidc:on-call",
      missing: [],
    });
  });

  it("give no right to change anything", async () => {
    const { missing } = await check("prod-eu", { access: "act", actAs: "serviceAccount" });
    expect(missing).toEqual([
      "prod-eu: may not patch rollouts in all namespaces; rule: {apiGroups: [argoproj.io], resources: [rollouts], verbs: [patch]}",
      "prod-eu: may not patch rollouts/status in all namespaces; rule: {apiGroups: [argoproj.io], resources: [rollouts/status], verbs: [patch]}",
      "prod-eu: may not patch analysisruns in all namespaces; rule: {apiGroups: [argoproj.io], resources: [analysisruns], verbs: [patch]}",
      "prod-eu: may not patch experiments in all namespaces; rule: {apiGroups: [argoproj.io], resources: [experiments], verbs: [patch]}",
      "prod-eu: may not patch deployments in all namespaces; rule: {apiGroups: [apps], resources: [deployments], verbs: [patch]}",
      "prod-eu: may not patch canaries in all namespaces; rule: {apiGroups: [flagger.app], resources: [canaries], verbs: [patch]}",
      "prod-eu: may not patch daemonsets in all namespaces; rule: {apiGroups: [apps], resources: [daemonsets], verbs: [patch]}",
    ]);
  });
});

describe("a right that is missing has a line with the rule that gives it", () => {
  it("for reading", async () => {
    ruleOf("gatehouse-read", "pods").verbs = ["list"];
    ruleOf("gatehouse-read", "namespaces").resourceNames = ["other"];
    expect(await check("prod-eu")).toEqual({
      may: "prod-eu (access: read): may not read all that it records",
      missing: [
        'prod-eu: may not watch pods in all namespaces; rule: {apiGroups: [""], resources: [pods], verbs: [watch]}',
        'prod-eu: may not watch events in all namespaces; rule: {apiGroups: [""], resources: [events], verbs: [watch]}',
        'prod-eu: may not get namespaces kube-system; rule: {apiGroups: [""], resources: [namespaces], resourceNames: [kube-system], verbs: [get]}',
      ],
    });
    expect((await check("prod-us")).missing).toContain(
      'prod-us: may not watch pods in namespace storefront; rule: {apiGroups: [""], resources: [pods], verbs: [watch]}',
    );
  });

  it("for impersonating one of the groups that may act", async () => {
    ruleOf("gatehouse-impersonate", "groups").resourceNames = ["oidc:release-engineers", "oidc:platform-owners"];
    expect((await check("prod-us")).missing).toEqual([
      'prod-us: may not impersonate groups "oidc:on-call"; rule: {apiGroups: [""], resources: [groups], resourceNames: ["oidc:on-call"], verbs: [impersonate]}',
    ]);
  });

  it("for impersonating at all", async () => {
    rbac.splice(0, rbac.length, ...readManifest("rbac-read.yaml"));
    const { may, missing } = await check("prod-us");
    expect(may).toContain("may impersonate no users and no groups");
    expect(missing).toEqual([
      'prod-us: may not impersonate users; rule: {apiGroups: [""], resources: [users], verbs: [impersonate]}',
      'prod-us: may not impersonate groups; rule: {apiGroups: [""], resources: [groups], verbs: [impersonate]}',
    ]);
  });

  it("but not where only users whom the config does not name may be impersonated", async () => {
    ruleOf("gatehouse-impersonate", "users").resourceNames = ["oidc:somebody"];
    const { may, missing } = await check("prod-us");
    expect(may).toContain("at most named users");
    expect(missing).toEqual([]);
  });
});

it("says in one line that a cluster does not answer", async () => {
  await expect(check("prod-eu", { server: "http://127.0.0.1:1" })).rejects.toThrow(/^cluster prod-eu: .*ECONNREFUSED/);
});
