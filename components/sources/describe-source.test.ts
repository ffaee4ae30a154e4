import { describe, expect, it } from "vitest";
import { describeClock, describeContacts, describeSource } from "#components/sources/describe-source.ts";
import { groupByCluster, orderSources, sumSources } from "#components/sources/sources-page.tsx";
import type { Source, SourceState } from "#lib/contract/system.ts";
import { backwardsMessage, otherClusterMessage } from "#lib/server/clusters/sources/source-freshness.ts";
import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const at = (secondsAgo: number) => new Date(nowMs - secondsAgo * 1000).toISOString();
const source = (change: Partial<Source> = {}): Source => ({
  id: "prod/Rollout",
  cluster: "prod",
  kind: "Rollout",
  namespace: null,
  state: "live",
  lastContact: at(14),
  watchContact: at(2),
  readContact: at(14),
  staleAfterSeconds: 60,
  clockSkewSeconds: 0,
  hold: null,
  lastError: null,
  objects: 12,
  historyBeginsAt: at(900),
  configured: true,
  ...change,
});
const hold = (reason: "empty" | "shrink", count = 12): NonNullable<Source["hold"]> => ({
  reason,
  count,
  since: at(9),
  releasing: false,
});

describe("describeSource", () => {
  const off = /actions that advance a rollout are off/;
  it.each<{ name: string; change: Partial<Source>; meaning: RegExp; todo?: RegExp }>([
    { name: "live", change: {}, meaning: /^Receiving every change\.$/ },
    { name: "syncing", change: { state: "syncing" }, meaning: off },
    {
      name: "stale, with its limit",
      change: { state: "stale", lastContact: at(80) },
      meaning: /The data is 1 min 20 s old \(limit 60 s\).*actions that advance a rollout are off/,
      todo: /recorder is running/,
    },
    {
      name: "stale, with a failure",
      change: { state: "stale", lastError: "the API server answered 429" },
      meaning: /does not rely on it/,
      todo: /the error is below/,
    },
    {
      name: "denied, with what a role must allow",
      change: { state: "denied" },
      meaning: off,
      todo: /get, list and watch rollouts\.argoproj\.io in all namespaces/,
    },
    {
      name: "denied in one namespace",
      change: { state: "denied", namespace: "shop", kind: "ReplicaSet" },
      meaning: /Existing records stay\.$/,
      todo: /watch replicasets\.apps in the namespace shop/,
    },
    { name: "absent", change: { state: "absent" }, meaning: /does not know the kind/, todo: /every five minutes/ },
    {
      name: "held, all",
      change: { state: "suspect", hold: hold("empty") },
      meaning: /shows no Rollout at all\. 12 Rollouts are held, not marked gone\..*any rollout of this cluster are off/,
      todo: /within 70 s.*an admin can release/,
    },
    {
      name: "held, some",
      change: { state: "suspect", hold: hold("shrink", 1), kind: "AnalysisTemplate" },
      meaning: /1 AnalysisTemplate is held, not marked gone\.$/,
    },
    {
      name: "on its way out",
      change: { state: "suspect", hold: { ...hold("empty"), releasing: true } },
      meaning: /held/,
      todo: /about to mark them gone/,
    },
    {
      name: "another cluster",
      change: { state: "error", lastError: otherClusterMessage },
      meaning: /all actions are disabled there/,
      todo: /new name in the config/,
    },
    {
      name: "another cluster while some are held: the cluster comes first",
      change: { state: "error", lastError: otherClusterMessage, hold: hold("shrink", 3) },
      meaning: /all actions are disabled there\. 3 Rollouts are still held, not marked gone\.$/,
      todo: /new name in the config/,
    },
    {
      name: "an older state of it",
      change: { state: "error", lastError: backwardsMessage },
      meaning: /all actions are disabled there/,
      todo: /restored from a backup a new database/,
    },
    { name: "error", change: { state: "error" }, meaning: off, todo: /address and the credentials/ },
    {
      name: "an error of what nothing is decided on",
      change: { state: "error", kind: "Event" },
      meaning: /The Events of prod cannot be read\.$/,
    },
    {
      name: "not configured any more, whatever it was",
      change: { state: "denied", configured: false },
      meaning: /No longer in the config/,
    },
  ])("$name", ({ change, meaning, todo }) => {
    const text = describeSource(source(change), nowMs);
    expect(text.meaning).toMatch(meaning);
    if (todo === undefined) expect(text.todo ?? "").not.toMatch(/undefined/);
    else expect(text.todo).toMatch(todo);
  });

  it.each(watchedResources)("names $kind as a role does", ({ kind, resource, groupVersion }) => {
    const group = groupVersion.startsWith("apis/") ? `.${groupVersion.split("/")[1]}` : "";
    expect(describeSource(source({ kind, state: "denied" }), nowMs).todo).toContain(`watch ${resource}${group} in`);
  });
});

describe("contacts", () => {
  it("says both", () => {
    expect(describeContacts({ watchContact: at(2), readContact: null }, nowMs)).toBe("watch 2 s ago, read never");
  });

  it.each([
    [null, undefined],
    [2, undefined],
    [0, undefined],
    [300, "its clock is 5 min ahead"],
    [-3, "its clock is 3 s behind"],
    [-2_147_483.647, "its clock is at least 24 d behind"],
  ])("a clock that differs by %s s", (seconds, words) => {
    expect(describeClock(seconds)).toBe(words);
  });
});

describe("the order of sources", () => {
  const states: SourceState[] = ["live", "absent", "syncing", "stale", "suspect", "denied", "error"];
  const all = states.map((state) => source({ state, id: state }));

  it("has the worst first, and last what is configured no more", () => {
    const gone = source({ state: "error", configured: false, id: "gone" });
    expect(orderSources([gone, ...all]).map(({ id }) => id)).toEqual([...states.toReversed(), "gone"]);
  });

  it("has what decisions rest on before the rest", () => {
    const kinds = ["Deployment", "Pod", "ClusterAnalysisTemplate", "Event", "AnalysisRun", "Rollout"];
    expect(orderSources(kinds.map((kind) => source({ kind }))).map(({ kind }) => kind)).toEqual([
      "Rollout",
      "AnalysisRun",
      "ClusterAnalysisTemplate",
      "Deployment",
      "Event",
      "Pod",
    ]);
  });

  it("has the cluster with the worst source first", () => {
    const groups = groupByCluster([source({ cluster: "a" }), source({ cluster: "b", state: "denied" })]);
    expect(groups.map(([cluster]) => cluster)).toEqual(["b", "a"]);
  });

  it("sums up", () => {
    const sources = [source({ state: "suspect", hold: hold("shrink", 3) }), source({ configured: false, objects: 1 })];
    expect(sumSources([...sources, source(), source()])).toBe(
      "4 sources: 1 suspect, 2 live, 1 no longer configured · 37 objects, 3 held · stale after 60 s",
    );
    expect(sumSources([source({ objects: 1 }), source({ objects: 2 })])).toBe(
      "All 2 sources are live · 3 objects · stale after 60 s",
    );
    expect(sumSources([source({ objects: 1 })])).toBe("1 source: 1 live · 1 object · stale after 60 s");
  });
});
