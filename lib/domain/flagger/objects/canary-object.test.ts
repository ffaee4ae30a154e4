import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { flaggerProvider } from "#lib/domain/flagger/provider.ts";
import { readRealFlagger, realFlaggerVersions } from "#test/real-flagger.ts";
import { parseCanary, withoutTicks } from "./canary-object.ts";
import { readRecorded } from "./testing/recorded-lines.ts";

const upstream = join(import.meta.dirname, "../../../../../shared/data/flagger");

type Json = Record<string, unknown>;
const isCanary = (object: unknown): object is Json => (object as Json | null)?.kind === "Canary";

/** Manifests have no uid and no resourceVersion: the API server sets them. */
const asStored = (manifest: Json): Json => ({
  ...manifest,
  metadata: { name: "unnamed", ...(manifest.metadata as Json | undefined), uid: "u1", resourceVersion: "1" },
});

describe("parseCanary", () => {
  it("parses each Canary of upstream's documentation, examples and tests", (context) => {
    if (!existsSync(upstream)) return context.skip(`upstream's manifests are not at ${upstream}`);
    const manifests = ["docs-canaries", "examples", "tests-canaries"].flatMap((folder) =>
      readdirSync(join(upstream, folder))
        .filter((file) => file.endsWith(".yaml"))
        .flatMap((file) =>
          parseAllDocuments(readFileSync(join(upstream, folder, file), "utf8"))
            .map((document): unknown => document.toJS())
            .filter(isCanary)
            .map((manifest) => ({ file, manifest })),
        ),
    );
    const failed = manifests.flatMap(({ file, manifest }) => {
      const parsed = parseCanary(asStored(manifest));
      return parsed.ok ? [] : [`${file}: ${parsed.reason}`];
    });
    expect(failed).toEqual([]);
    expect(manifests.length).toBeGreaterThan(60);
  });

  it.each(["1.43.0", "1.44.0"] as const)("parses each Canary that Flagger %s wrote", (version) => {
    const parsed = readRecorded(version, "canaries").map(({ object }) => parseCanary(object));
    expect(parsed.length).toBeGreaterThan(0);
    expect(parsed.filter(({ ok }) => !ok)).toEqual([]);
  });

  it("fills in what is missing, and keeps what it does not know", () => {
    const parsed = parseCanary(asStored({ kind: "Canary", spec: { later: 1, analysis: { sessionAffinity: {} } } }));
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        spec: { later: 1, suspend: false, skipAnalysis: false, provider: "", targetRef: { name: "" } },
        status: { phase: "", lastAppliedSpec: "", trackedConfigs: {}, conditions: [] },
      },
    });
    expect(parsed.ok && parsed.value.status.canaryWeight).toBe(undefined);
  });

  it("refuses what is no Canary", () => {
    expect(parseCanary(asStored({ kind: "Rollout", spec: {} }))).toMatchObject({ ok: false });
    expect(parseCanary(asStored({ kind: "Canary" }))).toMatchObject({ ok: false });
  });
});

describe("withoutTicks", () => {
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
});
