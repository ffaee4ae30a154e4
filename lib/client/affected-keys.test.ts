import { describe, expect, it } from "vitest";
import { affectedKeys, affectedKeysOf } from "#lib/client/affected-keys.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";

const kinds: ChangeEvent["kind"][] = [
  "rollout",
  "analysis-run",
  "release",
  "action",
  "approval",
  "audit",
  "source",
  "experiment",
  "template",
  "rollout-pods",
  "rollout-events",
  "finding",
  "notification",
];

describe("affectedKeys", () => {
  it.each(kinds)("names something to ask again for %s", (kind) => {
    expect(affectedKeys({ kind, id: "x", op: "upsert" }).length).toBeGreaterThan(0);
  });

  it("reaches the page of the rollout that changed, by the id of the contract", () => {
    const keys = affectedKeys({ kind: "rollout", id: "c/n/Rollout/a", op: "upsert" });
    expect(keys).toContainEqual(queryKeys.rollout({ cluster: "c", namespace: "n", kind: "Rollout", name: "a" }));
  });

  it.each(["release", "action", "audit"] as const)(
    "asks for the releases, which tell who did what, with %s",
    (kind) => {
      expect(affectedKeys({ kind, id: "x", op: "upsert" })).toContainEqual(queryKeys.releaseLists());
    },
  );

  it("asks anew what could be done to a run when its rollout changes, and not with each of its measurements", () => {
    const [family, rolloutId] = queryKeys.subjectPlan("c/n/Rollout/a", { uid: "u" });
    expect(affectedKeys({ kind: "rollout", id: "c/n/Rollout/a", op: "upsert" })).toContainEqual([family, rolloutId]);
    const measured = affectedKeys({ kind: "analysis-run", id: "u", op: "upsert" });
    expect(measured.map(([first]) => first)).not.toContain(family);
  });
});

describe("affectedKeysOf", () => {
  it("asks every list once for a burst", () => {
    const burst: ChangeEvent[] = Array.from({ length: 50 }, (_, index) => ({
      kind: "rollout",
      id: `c/n/Rollout/${index % 2}`,
      op: "upsert",
    }));
    expect(affectedKeysOf(burst)).toHaveLength(6);
  });
});
