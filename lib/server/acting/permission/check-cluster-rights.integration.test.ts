import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { parseConfig } from "#lib/server/platform/config/parse-config.ts";
import { gatehouseAccount } from "#sandbox/apiserver/auth.ts";
import { authorizeByRbac, type RbacObject, readManifest } from "#test/rbac.ts";
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
const file = join(import.meta.dirname, "../../../../deploy/gatehouse.yaml");
const { auth, clusters } = parseConfig({ file, text: readFileSync(file, "utf8") });

async function check(name: "prod-eu" | "prod-us", change: Partial<ClusterConfig> = {}): Promise<ClusterRights> {
  const { kubeconfig: _, inCluster: __, context: ___, ...shipped } = clusters.find((each) => each.name === name) ?? {};
  const cluster = ClusterConfig.parse({ ...shipped, server: sandbox.url, tokenFile: join(folder, "token"), ...change });
  return checkClusterRights({ cluster, auth });
}

const { impersonation } = ClusterConfig.parse({ ...clusters.find(({ name }) => name === "prod-us") });

function ruleOf(role: string, resource: string) {
  const rules = rbac.find(({ kind, metadata }) => kind === "ClusterRole" && metadata.name === role)?.rules;
  const rule = rules?.find(({ resources }) => resources.includes(resource));
  if (rule === undefined) throw new Error(`${role} has no rule for ${resource}`);
  return rule;
}

const groups = ["oidc:platform-owners", "oidc:release-engineers", "oidc:on-call"];
const acts = `acts with the rights of a person's groups; may send groups ${groups.join(", ")}`;

describe("the manifests in deploy/", () => {
  it("give all that the example config asks for", async () => {
    expect(await check("prod-eu")).toEqual({
      may: "prod-eu (access: read): may read all that it records",
      problems: [],
    });
    expect(await check("prod-us")).toEqual({
      may: `prod-us (access: act): may read all that it records; ${acts}`,
      problems: [],
    });
  });

  it("give it in the form of constrained impersonation too", async () => {
    const isOther = ({ kind, metadata }: RbacObject) =>
      kind !== "ClusterRole" || metadata.name !== "gatehouse-impersonate";
    rbac.splice(0, rbac.length, ...rbac.filter(isOther), ...readManifest("rbac-act-constrained.yaml"));
    expect(await check("prod-us")).toEqual({
      may: `prod-us (access: act): may read all that it records; ${acts}`,
      problems: [],
    });
  });

  it("give no right to change anything", async () => {
    const { problems } = await check("prod-eu", { access: "act", actAs: "serviceAccount" });
    expect(problems).toEqual([
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
      problems: [
        'prod-eu: may not watch pods in all namespaces; rule: {apiGroups: [""], resources: [pods], verbs: [watch]}',
        'prod-eu: may not watch events in all namespaces; rule: {apiGroups: [""], resources: [events], verbs: [watch]}',
        'prod-eu: may not get namespaces kube-system; rule: {apiGroups: [""], resources: [namespaces], resourceNames: [kube-system], verbs: [get]}',
      ],
    });
    expect((await check("prod-us")).problems).toContain(
      'prod-us: may not watch pods in namespace storefront; rule: {apiGroups: [""], resources: [pods], verbs: [watch]}',
    );
  });

  it("for leaving Events on rollouts, if the config asks for them", async () => {
    const change = { events: true, namespaces: ["payments"] };
    expect((await check("prod-us", change)).problems).toEqual([
      'prod-us: may not create events in namespace payments; rule: {apiGroups: [""], resources: [events], verbs: [create]}',
    ]);
    rbac.push(...readManifest("rbac-events.yaml"));
    expect((await check("prod-us", change)).problems).toEqual([]);
  });

  it("for sending one of the groups", async () => {
    ruleOf("gatehouse-impersonate", "groups").resourceNames = ["oidc:release-engineers", "oidc:platform-owners"];
    expect((await check("prod-us")).problems).toEqual([
      'prod-us: may not impersonate groups "oidc:on-call"; rule: {apiGroups: [""], resources: [groups], resourceNames: ["oidc:on-call"], verbs: [impersonate]}',
    ]);
  });

  it("for sending requests for people at all", async () => {
    rbac.splice(0, rbac.length, ...readManifest("rbac-read.yaml"));
    const { may, problems } = await check("prod-us");
    expect(may).toContain("may send no named group");
    expect(problems).toEqual([
      'prod-us: may not impersonate users "gatehouse:person"; rule: {apiGroups: [""], resources: [users], resourceNames: ["gatehouse:person"], verbs: [impersonate]}',
      "prod-us: may not impersonate userextras/gatehouse.dev/person; rule: {apiGroups: [authentication.k8s.io], resources: [userextras/gatehouse.dev/person], verbs: [impersonate]}",
      ...groups.map(
        (name) =>
          `prod-us: may not impersonate groups "${name}"; rule: {apiGroups: [""], resources: [groups], resourceNames: ["${name}"], verbs: [impersonate]}`,
      ),
    ]);
  });

  it("for sending a person as a user of their own whom the rule does not name", async () => {
    ruleOf("gatehouse-impersonate", "users").resourceNames = ["oidc:ada"];
    const cluster = await check("prod-us", { impersonation: { ...impersonation, users: ["ada", "bob"] } });
    expect(cluster.may).toContain("acts as the signed-in person, each a user of their own");
    expect(cluster.problems).toEqual([
      'prod-us: may not impersonate users "oidc:bob"; rule: {apiGroups: [""], resources: [users], resourceNames: ["oidc:bob"], verbs: [impersonate]}',
    ]);
  });
});

describe("groups", () => {
  it("by a pattern are a problem: a rule has none, and one group that it lacks refuses all that a person asks", async () => {
    const { problems } = await check("prod-us", { impersonation: { ...impersonation, groups: ["*"] } });
    expect(problems).toEqual([expect.stringContaining("prod-us: impersonation.groups has the pattern *, which")]);
  });

  it("by a pattern are none if the account may send any", async () => {
    delete ruleOf("gatehouse-impersonate", "groups").resourceNames;
    const { problems } = await check("prod-us", { impersonation: { ...impersonation, groups: ["*"] } });
    expect(problems).toEqual([
      expect.stringContaining('can be anybody there (may impersonate groups "system:masters")'),
    ]);
  });

  it("are needed where rights come from them alone", async () => {
    const { problems } = await check("prod-us", { impersonation: { ...impersonation, groups: [] } });
    expect(problems).toEqual([
      "prod-us: impersonation.groups names no group, and rights come from groups there: no one can act",
    ]);
  });
});

describe("an account that can be anybody", () => {
  const anybody = 'its token can be anybody there (may impersonate users "system:kube-controller-manager")';

  it("is a problem, also of a cluster that is only read", async () => {
    delete ruleOf("gatehouse-impersonate", "users").resourceNames;
    for (const name of ["prod-eu", "prod-us"] as const)
      expect((await check(name)).problems).toEqual([
        `${name}: ${anybody}: limit the rule by resourceNames, as in deploy/rbac-act.yaml`,
      ]);
  });

  it("is one by service accounts too", async () => {
    ruleOf("gatehouse-impersonate", "users").resources.push("serviceaccounts");
    delete ruleOf("gatehouse-impersonate", "users").resourceNames;
    ruleOf("gatehouse-impersonate", "users").resources.shift();
    expect((await check("prod-eu")).problems).toEqual([
      expect.stringContaining("can be anybody there (may impersonate serviceaccounts"),
    ]);
  });

  it("is said, and no problem, if the config spells it out", async () => {
    delete ruleOf("gatehouse-impersonate", "users").resourceNames;
    const { may, problems } = await check("prod-us", { impersonation: { ...impersonation, allowAnyUser: true } });
    expect(may).toContain(anybody);
    expect(problems).toEqual([]);
  });
});

it("says in one line that a cluster does not answer", async () => {
  await expect(check("prod-eu", { server: "http://127.0.0.1:1" })).rejects.toThrow(/^cluster prod-eu: .*ECONNREFUSED/);
});
