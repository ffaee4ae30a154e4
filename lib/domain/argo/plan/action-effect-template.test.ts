import { describe, expect, it } from "vitest";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import type { ExpectedEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { assessEffect } from "#lib/domain/argo/plan/assess-effect.ts";
import {
  assessReadBack,
  assessTargetReadBack,
  carriesTemplate,
  digestTemplate,
} from "#lib/domain/argo/plan/assess-read-back.ts";
import { computeViewDigest } from "#lib/domain/argo/view/decision-view.ts";

type Json = Record<string, unknown>;

const templateOf = (image: string, more: Json = {}) => ({ spec: { containers: [{ name: "app", image, ...more }] } });
const [before, wanted] = [templateOf("app:2"), templateOf("app:1")];

function rolloutOf({
  podHash = "new",
  template = before,
  spec = {},
  metadata = {},
}: {
  podHash?: string;
  template?: Json;
  spec?: Json;
  metadata?: Json;
} = {}) {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "checkout", namespace: "shop", uid: "u-1", resourceVersion: "1", ...metadata },
    spec: { strategy: { canary: {} }, template, ...spec },
    status: { currentPodHash: podHash, stableRS: "old" },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const template = {
  before: digestTemplate(before),
  wanted: digestTemplate(wanted),
  podHash: "old",
  images: [{ name: "app", image: "app:1" }],
};
const expected: ExpectedEffect = {
  kind: "template-set",
  uid: "u-1",
  podHash: "new",
  step: 0,
  pauses: [],
  runs: [],
  template,
};
const workloadRef = { kind: "Deployment", name: "d" };

describe("the effect of a change of the template", () => {
  it.each([
    { name: "not taken up", now: rolloutOf({ template: wanted }), state: "pending" },
    { name: "the revision is current", now: rolloutOf({ template: wanted, podHash: "old" }), state: "effective" },
    { name: "another hash with these images", now: rolloutOf({ template: wanted, podHash: "x" }), state: "effective" },
    { name: "other images", now: rolloutOf({ template: templateOf("app:9"), podHash: "x" }), state: "not-effective" },
    { name: "set back", now: rolloutOf(), state: "not-effective" },
    { name: "created again", now: rolloutOf({ metadata: { uid: "u-2" } }), state: "not-effective" },
    {
      name: "in a workload, not taken up",
      now: rolloutOf({ spec: { template: undefined, workloadRef } }),
      state: "pending",
    },
    {
      name: "in a workload, taken up",
      now: rolloutOf({ podHash: "x", spec: { template: undefined, workloadRef } }),
      state: "effective",
    },
  ])("$name: $state", ({ now, state }) => {
    expect(assessEffect({ expected, rollout: now }).state).toBe(state);
  });
});

describe("carriesTemplate", () => {
  it.each([
    { name: "the wanted one", found: wanted, carries: true },
    {
      name: "another order of members",
      found: { spec: { containers: [{ image: "app:1", name: "app" }] } },
      carries: true,
    },
    { name: "with defaults of the server", found: templateOf("app:1", { imagePullPolicy: "Always" }), carries: true },
    { name: "the one before", found: before, carries: false },
    { name: "another", found: templateOf("app:9"), carries: false },
  ])("$name: $carries", ({ found, carries }) => {
    expect(carriesTemplate(found, template)).toBe(carries);
  });

  it("asks for the very digest where no image changes", () => {
    const sameImages = { ...template, images: [] };
    expect(carriesTemplate(templateOf("app:1", { imagePullPolicy: "Always" }), sameImages)).toBe(false);
    expect(carriesTemplate(wanted, sameImages)).toBe(true);
  });
});

const sentAt = new Date("2026-11-20T12:00:00.700Z");
const mark = (manager: string, time: string) => ({ managedFields: [{ manager, operation: "Update", time }] });
const seen = { digest: computeViewDigest(rolloutOf()), resourceVersion: "1" };
const changed = { metadata: { resourceVersion: "2" } };

describe("reading back", () => {
  it.each([
    { name: "as it was, still under way", now: rolloutOf(), late: false, outcome: "waiting" },
    { name: "as it was", now: rolloutOf(), late: true, outcome: "refused" },
    { name: "as wanted", now: rolloutOf({ ...changed, template: wanted }), late: false, outcome: "applied" },
    {
      name: "template as it was, the rest changed",
      now: rolloutOf({ ...changed, podHash: "x", spec: { paused: true } }),
      late: true,
      outcome: "refused",
    },
    {
      name: "another template",
      now: rolloutOf({ ...changed, template: templateOf("app:9") }),
      late: true,
      outcome: "undecidable",
    },
  ])("a rollout $name: $outcome", ({ now, late, outcome }) => {
    const carries = [carriesTemplate(now.spec.template, template)];
    expect(assessReadBack({ rollout: now, carries, before: seen, expected, isGraceOver: late, sentAt }).outcome).toBe(
      outcome,
    );
  });

  const target = { resource: "deployments", kind: "Deployment", name: "d", uid: "d-1", resourceVersion: "5" } as const;
  it.each([
    { name: "carries it", carries: true, late: false, outcome: "applied" },
    { name: "does not yet", carries: false, late: false, outcome: "waiting" },
    { name: "is the same version", carries: false, late: true, outcome: "refused" },
    {
      name: "has the template of before",
      version: "6",
      isAsBefore: true,
      carries: false,
      late: true,
      outcome: "refused",
    },
    { name: "has another template", version: "6", carries: false, late: true, outcome: "undecidable" },
    { name: "is another one", uid: "d-2", carries: true, late: true, outcome: "undecidable" },
  ])(
    "a Deployment that $name: $outcome",
    ({ carries, late, outcome, version = "5", uid = "d-1", isAsBefore = false }) => {
      const { metadata } = rolloutOf({ metadata: { uid, resourceVersion: version } });
      expect(assessTargetReadBack({ metadata, target, carries, isAsBefore, isGraceOver: late, sentAt }).outcome).toBe(
        outcome,
      );
    },
  );

  it.each([
    { name: "a mark of ours since", fields: mark("gatehouse", "2026-11-20T12:00:00Z"), ours: true },
    { name: "an older mark of ours", fields: mark("gatehouse", "2026-11-20T11:59:59Z"), ours: false },
    { name: "another's mark", fields: mark("kubectl", "2026-11-20T12:00:01Z"), ours: false },
    { name: "no mark", fields: {}, ours: false },
    { name: "a mark that is none", fields: { managedFields: [null, { manager: "gatehouse" }] }, ours: false },
  ])("with $name says whether it was us: $ours", ({ fields, ours }) => {
    const { metadata } = rolloutOf({ metadata: { ...fields, uid: "d-1" } });
    const verdict = assessTargetReadBack({
      metadata,
      target,
      carries: true,
      isAsBefore: false,
      isGraceOver: true,
      sentAt,
    });
    expect("message" in verdict && verdict.message.includes("Gatehouse's own mark")).toBe(ours);
    expect("message" in verdict && verdict.message.includes("another client")).toBe(!ours);
  });
});
