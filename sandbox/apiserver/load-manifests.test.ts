import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isFrozenNamespace, loadManifests } from "./load-manifests.ts";
import { temporaryFolder, testStore } from "./testing/objects.ts";

const upstream = join(import.meta.dirname, "../../../shared/data/argo/pkg/kubectl-argo-rollouts/info/testdata");
const UID = "11111111-0000-4000-8000-000000000001";

const manifest = (kind: string, name: string, rest = "") => `apiVersion: argoproj.io/v1alpha1
kind: ${kind}
metadata:
  name: ${name}
  uid: ${UID}
  resourceVersion: "77"
  generation: 4
${rest}`;

describe("loadManifests", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let next = 1;
  const uid = (): string => `22222222-0000-4000-8000-${String(next++).padStart(12, "0")}`;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder.path, "shop"));
  });
  afterEach(() => folder.remove());

  const write = (path: string, text: string): void => writeFileSync(join(folder.path, path), text);

  it("keeps name, uid and status as they stand, in a frozen namespace named after the folder", () => {
    write("shop/a.yaml", manifest("Rollout", "Canary_Demo", "status: {phase: Paused, replicas: 0}\n"));
    const store = testStore();
    expect(loadManifests({ store, directory: folder.path, uid })).toMatchObject({ imported: 1, skipped: [] });
    const object = store.get("rollouts", "shop", "Canary_Demo");
    expect(object?.metadata).toMatchObject({ uid: UID, generation: 4, namespace: "shop" });
    expect(object?.metadata.resourceVersion).not.toBe("77");
    expect(object?.status).toEqual({ phase: "Paused", replicas: 0 });
    expect(isFrozenNamespace(store, "shop")).toBe(true);
    expect(isFrozenNamespace(store, "wire")).toBe(false);
  });

  it("gives objects that share a uid distinct ones, and their children follow", () => {
    const owner = `  ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: a, uid: ${UID}}]\n`;
    for (const place of ["shop", "shop2"]) {
      mkdirSync(join(folder.path, place), { recursive: true });
      write(`${place}/a.yaml`, `${manifest("Rollout", "a")}---\n${manifest("AnalysisRun", "run", owner)}`);
    }
    const store = testStore();
    loadManifests({ store, directory: folder.path, uid });
    const uids = ["rollouts", "analysisruns"].flatMap((plural) =>
      store.list(plural).map(({ metadata }) => metadata.uid),
    );
    expect(new Set(uids).size).toBe(4);
    for (const place of ["shop", "shop2"]) {
      const run = store.get("analysisruns", place, "run");
      expect(run?.metadata.ownerReferences?.[0]?.uid).toBe(store.get("rollouts", place, "a")?.metadata.uid);
    }
  });

  it("keeps two objects of one name apart by a suffix, and imports nothing twice", () => {
    write("shop/a.yaml", `${manifest("Rollout", "a")}---\n${manifest("Rollout", "a")}`);
    const store = testStore();
    loadManifests({ store, directory: folder.path, uid });
    const version = store.resourceVersion();
    expect(store.list("rollouts").map(({ metadata }) => metadata.name)).toEqual(["a", "a-2"]);
    expect(loadManifests({ store, directory: folder.path, uid })).toMatchObject({ imported: 0, present: 2 });
    expect(store.resourceVersion()).toBe(version);
  });

  it("skips what it cannot read or does not know, and says so", () => {
    write("shop/a.yaml", "kind: {{ .Values.kind }}\n  : broken");
    write("shop/b.yaml", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: j}\n");
    write("shop/c.yaml", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: p}}\n");
    const store = testStore();
    const result = loadManifests({ store, directory: folder.path, uid });
    expect(result.imported).toBe(1);
    expect(result.skipped.some((line) => line.includes("a.yaml"))).toBe(true);
    expect(result.skipped).toContainEqual(expect.stringContaining("batch/v1 CronJob is not imported"));
  });

  it("serves each object of upstream's own test data", (context) => {
    if (!existsSync(upstream)) return context.skip(`upstream's test data is not at ${upstream}`);
    const store = testStore();
    const { imported, skipped } = loadManifests({ store, directory: upstream, uid });
    const count = (plural: string): number => store.list(plural).length;
    expect(skipped).toEqual([]);
    expect(count("rollouts")).toBe(11);
    expect(count("replicasets")).toBe(15);
    const kinds = ["rollouts", "replicasets", "analysisruns", "experiments", "pods", "deployments", "services", "jobs"];
    expect(kinds.reduce((sum, plural) => sum + count(plural), 0)).toBe(imported);
  });
});
