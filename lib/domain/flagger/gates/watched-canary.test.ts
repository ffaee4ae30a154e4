import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { redactObject } from "#lib/domain/storable/redact-object.ts";
import { computeChecksum, hashPodTemplate } from "./checksum.ts";
import { computeNextWeight, readWatchedCanary, type StepAnalysis } from "./watched-canary.ts";

const folder = join(import.meta.dirname, "../../../../test/fixtures/real-controllers/flagger");

function readObjects(version: string, kind: string): Record<string, unknown>[] {
  const text = gunzipSync(readFileSync(join(folder, `${version}-${kind}.jsonl.gz`))).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).object);
}

const canary = ({ status = {}, spec = {} }: { status?: object | null; spec?: object }) => ({
  kind: "Canary",
  metadata: { uid: "u1", name: "app", namespace: "shop" },
  spec: { targetRef: { kind: "Deployment", name: "app" }, ...spec },
  status,
});

describe("readWatchedCanary", () => {
  it.each(["1.43.0", "1.44.0"])("reads every state of the canaries of Flagger %s, recorded or live", (version) => {
    const objects = readObjects(version, "canaries");
    expect(objects.length).toBeGreaterThan(100);
    for (const object of objects) {
      const live = readWatchedCanary(object);
      expect(live).toMatchObject({ checksum: expect.stringMatching(/^[b-z24-9]+$/), weight: expect.any(Number) });
      expect(readWatchedCanary(redactObject(object))).toEqual(live);
    }
  });

  it("knows nothing of a canary without a status", () => {
    for (const status of [undefined, null, {}])
      expect(readWatchedCanary(canary({ status: status as object }))).toMatchObject({
        phase: "",
        weight: 0,
        checksum: computeChecksum({}),
      });
  });

  it("has no checksum if a digest was redacted", () => {
    const trackedConfigs = { "secret/db-password": "0123456789abcdef", "configmap/app": "fedcba9876543210" };
    const object = canary({ status: { trackedConfigs, lastAppliedSpec: "x" } });
    expect(readWatchedCanary(object)?.checksum).toBe(computeChecksum({ trackedConfigs, lastAppliedSpec: "x" }));
    expect(readWatchedCanary(redactObject(object))?.checksum).toBe(undefined);
  });

  it.each([
    ["null", null],
    ["another kind", { ...canary({}), kind: "Status" }],
    ["no uid", { ...canary({}), metadata: { name: "app", namespace: "shop" } }],
    ["no target", { ...canary({}), spec: {} }],
    ["a weight in words", canary({ status: { canaryWeight: "20" } })],
  ])("refuses %s", (_, object) => {
    expect(readWatchedCanary(object)).toBe(undefined);
  });
});

describe("computeNextWeight", () => {
  const cases: [StepAnalysis, number, number | undefined][] = [
    [{ stepWeight: 20, maxWeight: 50 }, 0, 20],
    [{ stepWeight: 20, maxWeight: 50 }, 40, 60],
    [{ stepWeight: 20, maxWeight: 50 }, 60, undefined],
    [{ stepWeight: 30 }, 90, 100],
    [{ stepWeight: 30 }, 100, undefined],
    [{ stepWeights: [1, 5, 50] }, 0, 1],
    [{ stepWeights: [1, 5, 50] }, 1, 5],
    [{ stepWeights: [1, 5, 50] }, 5, 50],
    [{ stepWeights: [1, 5, 50] }, 50, undefined],
    [{ stepWeights: [1, 5, 50] }, 3, 100],
    [{ stepWeights: [1, 5, 50], stepWeight: 10 }, 5, 15],
    [{ stepWeights: [50, 150] }, 50, 100],
    [{ stepWeights: [], stepWeight: 0 }, 0, 0],
    [{}, 0, 0],
  ];
  it.each(cases)("with %j after %s is %s", (analysis, weight, next) => {
    expect(computeNextWeight({ analysis, weight })).toBe(next);
  });
});

describe("hashPodTemplate", () => {
  it("depends on the template alone", () => {
    const deployment = (template: unknown, replicas = 1) => ({ spec: { replicas, template }, status: {} });
    const hash = hashPodTemplate(deployment({ spec: { containers: [{ image: "a", name: "b" }] } }));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashPodTemplate(deployment({ spec: { containers: [{ name: "b", image: "a" }] } }, 0))).toBe(hash);
    expect(hashPodTemplate(deployment({ spec: { containers: [{ image: "c", name: "b" }] } }))).not.toBe(hash);
    for (const object of [undefined, null, {}, { spec: {} }, { spec: { template: null } }, { spec: { template: [] } }])
      expect(hashPodTemplate(object)).toBe(undefined);
  });
});
