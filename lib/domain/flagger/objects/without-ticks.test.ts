import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { flaggerProvider } from "#lib/domain/flagger/provider.ts";
import { readRealFlagger, realFlaggerVersions } from "#test/real-flagger.ts";
import { withoutTicks } from "./without-ticks.ts";

type Recorded = { metadata: { uid: string; resourceVersion?: string; managedFields?: unknown } };

/** Returns each version that a controller wrote, with the one before it. */
function readPairs(version: (typeof realFlaggerVersions)[number]): { before: Recorded; after: Recorded }[] {
  const newest = new Map<string, Recorded>();
  return readRealFlagger<Recorded>(version, "canaries").flatMap(({ type, object }) => {
    const before = newest.get(object.metadata.uid);
    newest.set(object.metadata.uid, object);
    return before === undefined || type !== "MODIFIED" ? [] : [{ before, after: object }];
  });
}

function isTick({ before, after }: { before: Recorded; after: Recorded }): boolean {
  const [one, other] = [before, after].map((object) => {
    const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
    return withoutTicks({ ...object, metadata });
  });
  return isDeepStrictEqual(one, other);
}

/** Returns everything that pages show or decisions depend on. */
function view(object: Recorded) {
  const parsed = flaggerProvider.parse(object);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { value } = parsed;
  return {
    digest: value.viewDigest,
    checksum: value.runChecksum,
    summary: value.summarize(nothingRelated),
    detail: value.describe(nothingRelated),
    ownAct: value.findOwnAct?.(nothingRelated),
  };
}

describe.each(realFlaggerVersions)("what Flagger %s wrote", (version) => {
  const pairs = readPairs(version);

  it("is mostly the time of a check", () => {
    const ticks = pairs.filter(isTick);
    expect(ticks.length).toBeGreaterThan(pairs.length / 2);
    expect(ticks.length).toBeLessThan(pairs.length);
  });

  it("shows the same if nothing else differs", () => {
    for (const { before, after } of pairs.filter(isTick)) expect(view(after)).toEqual(view(before));
  });
});

it("leaves a canary as it is that has no status, or none that can be read", () => {
  for (const stored of [{ spec: {} }, { status: null }, { status: "odd" }]) expect(withoutTicks(stored)).toBe(stored);
});
