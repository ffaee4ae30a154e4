import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFailClosedWorld, type FailClosedWorld } from "#test/fail-closed/world.ts";
import { sampleTemplate } from "#test/kind-samples.ts";
import { controller as manager, openKindsDesk, specOf } from "#test/recorded-kinds.ts";
import { sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";

let world: FailClosedWorld;
beforeAll(async () => {
  world = await createFailClosedWorld();
  await world.start();
});
afterAll(() => world.close());
const { get, getWhen, addRollout } = openKindsDesk(() => world);

describe("templates", () => {
  const path = "/api/v1/templates/test/shop/AnalysisTemplate/rules";

  it("keep every spec with its writer and time, and tell which held when", async () => {
    const { store } = world.sandbox;
    const made = store.create("analysistemplates", sampleTemplate({ name: "rules" }), { manager: "helm" });
    await getWhen(path, ({ version }) => version === 1);
    // The cluster's times are whole seconds: the second spec needs a later one.
    await sleep(1100);
    const changed = { ...made, spec: specOf(sampleTemplate({ name: "rules", condition: "result >= 0.99" })) };
    const second = store.update("analysistemplates", changed, { manager: "kubectl-edit" });
    await getWhen(path, ({ version }) => version === 2);
    store.update(
      "analysistemplates",
      { ...second, metadata: { ...second.metadata, labels: { team: "shop" } } },
      { manager: "labeler" },
    );
    const detail = await getWhen(path, ({ version, updatedAt }) => version === 2 && updatedAt !== undefined);
    expect(detail).toMatchObject({
      id: "test/shop/AnalysisTemplate/rules",
      presence: "live",
      writer: "kubectl-edit",
      metrics: [
        {
          name: "success-rate",
          provider: "prometheus",
          interval: "30s",
          successCondition: "result >= 0.99",
          count: null,
        },
      ],
      args: [
        { name: "service", value: null, secret: false },
        { name: "key", value: null, secret: true },
      ],
    });
    const { items } = await get(`${path}/versions`);
    expect(items).toMatchObject([
      { version: 2, current: true, writer: "kubectl-edit", until: null },
      { version: 1, current: false, writer: "helm", until: items[0]?.writtenAt },
    ]);
    expect(items[0]?.specHash).not.toBe(items[1]?.specHash);
    const at = async (time: unknown) =>
      (await get(`${path}/versions?at=${String(time)}`)).items.map((item) => item.version);
    expect(await at(items[1]?.writtenAt)).toEqual([1]);
    expect(await at(items[0]?.writtenAt)).toEqual([2]);
    expect(await at("2020-01-01T00:00:00Z")).toEqual([]);
    // Back to the first spec: a separate version with the same content.
    const now = store.get("analysistemplates", "shop", "rules");
    if (now === undefined) throw new Error("the template is gone");
    store.update("analysistemplates", { ...now, spec: specOf(made) }, { manager: "helm" });
    const back = await getWhen(`${path}/versions`, ({ items }) => items.length === 3);
    expect(back.items.filter((item) => item.specHash === items[1]?.specHash)).toHaveLength(2);
    const stored = JSON.stringify(await world.query("SELECT * FROM analysis_template_version"));
    expect(stored).not.toContain("planted");
    expect(stored).toContain("token=[redacted]");
  });

  it("are found again from a run that was made of them, by what they said then", async () => {
    const { store } = world.sandbox;
    const made = store.create("analysistemplates", sampleTemplate({ name: "then" }), { manager: "helm" });
    store.create("analysistemplates", sampleTemplate({ name: "other", condition: "true" }), { manager: "helm" });
    const run = store.create(
      "analysisruns",
      { ...sampleRun({ name: "made-then" }), spec: { ...specOf(sampleTemplate({ name: "then" })), args: [] } },
      manager,
    );
    await getWhen("/api/v1/templates/test/shop/AnalysisTemplate/then", ({ version }) => version === 1);
    const runPath = `/api/v1/analysis-runs/${run.metadata.uid}`;
    const was = { id: "test/shop/AnalysisTemplate/then", kind: "AnalysisTemplate", name: "then", version: 1 };
    const before = await getWhen(runPath, ({ templates }) => (templates as unknown[]).length > 0);
    expect(before.templates).toContainEqual({ ...was, namespace: "shop", current: true });
    await sleep(1100);
    store.update(
      "analysistemplates",
      { ...made, spec: specOf(sampleTemplate({ name: "then", condition: "false" })) },
      manager,
    );
    await getWhen("/api/v1/templates/test/shop/AnalysisTemplate/then", ({ version }) => version === 2);
    const { templates } = await get(runPath);
    expect(templates).toContainEqual({ ...was, namespace: "shop", current: false });
    expect((templates as { name: string }[]).map(({ name }) => name)).not.toContain("other");
  });

  it("know who uses them from another namespace, if the controller allows that", async () => {
    const { store } = world.sandbox;
    const kinds = { apiVersion: "flagger.app/v1beta1" };
    store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "monitoring" } }, manager);
    for (const namespace of ["shop", "monitoring"]) {
      const metadata = { namespace, name: "errors" };
      const spec = { provider: { type: "prometheus", address: "http://p" }, query: "up" };
      store.create("metrictemplates", { ...kinds, kind: "MetricTemplate", metadata, spec }, manager);
    }
    for (const namespace of ["shop", "monitoring"]) {
      const templateRef = { name: "errors", namespace: "monitoring" };
      const spec = {
        targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        analysis: { interval: "10s", threshold: 3, metrics: [{ name: "errors", templateRef }] },
      };
      store.create("canaries", { ...kinds, kind: "Canary", metadata: { namespace, name: "web" }, spec }, manager);
    }
    const shared = await getWhen(
      "/api/v1/templates/test/monitoring/MetricTemplate/errors",
      ({ usedBy }) => usedBy === 2,
    );
    expect(shared).toMatchObject({ rollouts: [{ id: "test/monitoring/Canary/web" }, { id: "test/shop/Canary/web" }] });
    const own = await getWhen("/api/v1/templates/test/shop/MetricTemplate/errors", ({ version }) => version === 1);
    expect(own).toMatchObject({ usedBy: 0, rollouts: [] });
  });

  it("know who uses them: rollouts of their namespace, or of the cluster, and other templates", async () => {
    const { store } = world.sandbox;
    store.create("analysistemplates", sampleTemplate({ name: "used" }), manager);
    store.create(
      "clusteranalysistemplates",
      sampleTemplate({ name: "used", kind: "ClusterAnalysisTemplate" }),
      manager,
    );
    store.create(
      "analysistemplates",
      sampleTemplate({ name: "made-of", templates: [{ templateName: "used" }] }),
      manager,
    );
    const canary = (clusterScope: boolean) => ({
      strategy: { canary: { steps: [{ analysis: { templates: [{ templateName: "used", clusterScope }] } }] } },
    });
    addRollout("uses-own", canary(false));
    addRollout("uses-shared", canary(true));
    const own = await getWhen("/api/v1/templates/test/shop/AnalysisTemplate/used", ({ usedBy, composedInto }) => {
      return usedBy === 1 && (composedInto as unknown[]).length === 1;
    });
    expect(own).toMatchObject({
      rollouts: [{ id: "test/shop/Rollout/uses-own" }],
      composedInto: ["test/shop/AnalysisTemplate/made-of"],
    });
    const shared = await getWhen("/api/v1/templates/test/-/ClusterAnalysisTemplate/used", ({ usedBy }) => usedBy === 1);
    expect(shared).toMatchObject({ namespace: null, rollouts: [{ id: "test/shop/Rollout/uses-shared" }] });
    const list = async (query: string) =>
      (await get(`/api/v1/templates?${query}`)).items.map((item) => `${item.kind}/${item.name}`);
    expect(await list("kind=ClusterAnalysisTemplate")).toEqual(["ClusterAnalysisTemplate/used"]);
    expect(await list("q=USED&namespace=shop")).toEqual(["AnalysisTemplate/used"]);
    expect(await list("cluster=other")).toEqual([]);
    store.delete("analysistemplates", "shop", "made-of");
    await waitFor("one less", async () => !(await list("")).includes("AnalysisTemplate/made-of"));
    const gone = await get("/api/v1/templates/test/shop/AnalysisTemplate/made-of");
    expect(gone).toMatchObject({ presence: "deleted", composedOf: ["AnalysisTemplate/used"] });
  });

  it("are told of in the change log by the name under which they are fetched", async () => {
    const rows = await world.query<{ ref: string }>("SELECT DISTINCT ref FROM change_log WHERE kind = 'template'");
    expect(rows.map(({ ref }) => ref)).toEqual(
      expect.arrayContaining(["test/shop/AnalysisTemplate/rules", "test/-/ClusterAnalysisTemplate/used"]),
    );
  });
});
