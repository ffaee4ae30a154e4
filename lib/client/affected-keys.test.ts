import { describe, expect, it } from "vitest";
import { affectedKeys, affectedKeysOf, isHeldBySet, showsAny } from "#lib/client/affected-keys.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { ChangeEvent } from "#lib/contract/system.ts";

describe("affectedKeys", () => {
  it.each(ChangeEvent.shape.kind.options)("names something to ask again for %s", (kind) => {
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

  it.each(["analysis-run", "experiment", "release", "audit"] as const)(
    "reaches the page of its own rollout with %s, and every rollout page if the rollout is not known",
    (kind) => {
      const rollout = "c/n/Rollout/a";
      expect(affectedKeys({ kind, id: "x", op: "upsert", rollout })).toContainEqual(queryKeys.rolloutById(rollout));
      expect(affectedKeys({ kind, id: "x", op: "upsert", rollout })).not.toContainEqual(["rollouts", "one"]);
      expect(affectedKeys({ kind, id: "x", op: "upsert" })).toContainEqual(["rollouts", "one"]);
    },
  );

  it("asks anew what could be done to a run when its rollout changes, and not with each of its measurements", () => {
    const [family, rolloutId] = queryKeys.subjectPlan("c/n/Rollout/a", { uid: "u" });
    expect(affectedKeys({ kind: "rollout", id: "c/n/Rollout/a", op: "upsert" })).toContainEqual([family, rolloutId]);
    const measured = affectedKeys({ kind: "analysis-run", id: "u", op: "upsert" });
    expect(measured.map(([first]) => first)).not.toContain(family);
  });
});

it("asks for the pages of rollouts that their set holds back when any rollout changes, and only for these", () => {
  const held = { queryKey: ["rollouts", "one"], isHeld: true };
  expect(affectedKeysOf([{ kind: "rollout", id: "c/n/Rollout/b", op: "upsert" }])).toContainEqual(held);
  expect(affectedKeysOf([{ kind: "audit", id: "1", op: "upsert" }])).not.toContainEqual(held);
  const act = (change: object) => ({
    allowedActions: [
      { allowed: false, needs: {} },
      { needs: {}, ...change },
    ],
  });
  expect(isHeldBySet(act({ reasonCode: "barrier" }))).toBe(true);
  expect(isHeldBySet(act({ needs: { barrier: { set: "s", because: "Not yet." } } }))).toBe(true);
  expect(isHeldBySet(act({ reasonCode: "frozen" }))).toBe(false);
  for (const data of [undefined, { items: [] }]) expect(isHeldBySet(data)).toBe(false);
});

describe("affectedKeysOf", () => {
  it("asks every list once for a burst", () => {
    const burst: ChangeEvent[] = Array.from({ length: 50 }, (_, index) => ({
      kind: "rollout",
      id: `c/n/Rollout/${index % 2}`,
      op: "upsert",
    }));
    expect(affectedKeysOf(burst)).toHaveLength(7);
  });

  const run = (id: string, rollout?: string): ChangeEvent => ({
    kind: "analysis-run",
    id,
    op: "upsert",
    ...(rollout === undefined ? {} : { rollout }),
  });
  const inboxOf = (changes: ChangeEvent[]) =>
    affectedKeysOf(changes).filter(({ queryKey }) => queryKey[0] === queryKeys.inbox()[0]);

  it("reaches the inbox with measurements only if it shows their rollout", () => {
    const rollouts = ["c/n/Rollout/a", "c/n/Rollout/b"];
    expect(inboxOf(rollouts.map((rollout, index) => run(`u${index}`, rollout)))).toEqual([
      { queryKey: queryKeys.inbox(), shows: new Set(rollouts) },
    ]);
    expect(inboxOf([run("u1", "c/n/Rollout/a"), run("u2")])).toEqual([{ queryKey: queryKeys.inbox() }]);
    const rollout: ChangeEvent = { kind: "rollout", id: "c/n/Rollout/b", op: "upsert" };
    expect(inboxOf([run("u1", "c/n/Rollout/a"), rollout])).toEqual([{ queryKey: queryKeys.inbox() }]);
    expect(inboxOf([{ kind: "finding", id: "f", op: "upsert" }])).toEqual([]);
  });
});

describe("showsAny", () => {
  const data = { pages: [{ items: [{ rollout: { id: "a" } }] }, { items: [{ rollout: { id: "b" } }, {}] }] };

  it.each([
    [data, "b", true],
    [data, "c", false],
    [{ pages: [] }, "a", false],
    [undefined, "a", false],
  ])("looks at every page: %#", (list, id, expected) => {
    expect(showsAny(list, new Set([id]))).toBe(expected);
  });
});
