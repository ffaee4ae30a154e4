import { expect, it } from "vitest";
import { type SourceFacts, sourceRules } from "./source-rules.ts";

const facts: SourceFacts = {
  now: "2026-03-01T10:10:00.000Z",
  id: "prod//rollouts",
  kind: "Rollout",
  state: "live",
  lastContact: "2026-03-01T10:09:50.000Z",
  lastError: null,
  isAnotherCluster: false,
  objects: 20,
  isDecidedOn: true,
  staleAfterSeconds: 60,
  held: null,
};

it.each<{ name: string; change: Partial<SourceFacts>; found: string[] }>([
  { name: "live", change: {}, found: [] },
  {
    name: "stale for three minutes",
    change: { state: "stale", lastContact: "2026-03-01T10:07:00.000Z" },
    found: ["source-not-live critical: Source Rollout has had no contact"],
  },
  {
    name: "stale for a little less: an API server restarts",
    change: { state: "stale", lastContact: "2026-03-01T10:07:01.000Z" },
    found: [],
  },
  {
    name: "refused, of a kind that no decision depends on",
    change: { state: "denied", kind: "Pod", isDecidedOn: false, lastContact: null },
    found: ["source-not-live warning: Source Pod is refused by the cluster"],
  },
  { name: "not installed", change: { state: "absent", lastContact: null }, found: [] },
  { name: "being listed for the first time", change: { state: "syncing", lastContact: null }, found: [] },
  {
    name: "another cluster answers",
    change: { isAnotherCluster: true, state: "error" },
    found: ["source-not-live critical: Source Rollout reaches another cluster than before"],
  },
  {
    name: "a mass disappearance",
    change: { state: "suspect", held: { reason: "shrink", since: "2026-03-01T10:09:00.000Z", count: 12 } },
    found: ["disappearance-held critical: 12 objects of kind Rollout seem to be gone"],
  },
])("$name", ({ change, found }) => {
  const all = sourceRules.flatMap((rule) =>
    rule.find({ ...facts, ...change }).map((each) => ({ ...each, id: rule.id })),
  );
  expect(all.map(({ id, severity, title }) => `${id} ${severity}: ${title}`)).toEqual(found);
});
