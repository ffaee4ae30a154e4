import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { DeliveryObject, Provider } from "#lib/domain/delivery/provider.ts";
import { nothingRelated, type RelatedState } from "#lib/domain/delivery/related-state.ts";
import { providers } from "#lib/domain/provider-list.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { redactObject } from "#lib/domain/storable/redact-object.ts";
import { findGrowth, findPlanted } from "./growth.ts";
import { hostileObjects } from "./hostile-objects.ts";

// An object has as many steps, metrics, arguments, conditions as its author likes. Whatever reads one on an event loop
// takes at most twice as long for one with twice as many, alone and all lists together.

/** Entries of one list, and of each when all grow: together they are about as large. */
const greatest = { alone: 8192, together: 2048 };
const timeout = 240_000;
const now = "2026-11-20T10:00:00.000Z";

type Path = readonly string[];

/** Lists the places of an object that can have many entries: lists, and objects whose keys are names. */
function listPlaces(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) || namedKeys.has(path.at(-1) ?? "") ? [path] : [];
  return [...own, ...Object.entries(value).flatMap(([key, child]) => listPlaces(child, [...path, key]))];
}

const namedKeys = new Set(["labels", "annotations", "trackedConfigs", "matchLabels"]);

/** Returns the object with so many entries at each of these places. */
function grow(object: object, places: readonly Path[], count: number): unknown {
  // A structured clone would keep parts that are shared, and these would grow in each place.
  const grown: object = JSON.parse(JSON.stringify(object));
  for (const path of places) {
    const place = at(grown, path);
    const entries = Object.entries(place);
    for (let index = entries.length; index < count; index += 1) {
      const [key, first] = entries[index % entries.length] ?? ["0", ""];
      place[Array.isArray(place) ? index : `${key}${index}`] = renamed(first, index);
    }
  }
  return grown;
}

function at(object: object, path: Path): Record<string, unknown> {
  return path.reduce((place, key) => place[key] as Record<string, unknown>, object as Record<string, unknown>);
}

function renamed(value: unknown, index: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy = structuredClone(value) as Record<string, unknown>;
  for (const key of Object.keys(copy)) if (/name$/i.test(key) || key === "type") copy[key] = `${copy[key]}${index}`;
  return copy;
}

const related: RelatedState = { ...nothingRelated, now, replicaSets: [] };

/** Calls what the recorder and pages call for an object of a provider. */
function readRollout(provider: Provider, received: unknown): void {
  provider.findUnknownValues(provider.kind, received);
  const parsed = provider.parse(received);
  if (!parsed.ok) throw new Error(parsed.reason);
  const object: DeliveryObject = parsed.value;
  const summary = object.summarize(related);
  object.describe(related);
  object.listVersionPods(related);
  const projection = object.observe({
    summary,
    toStorable: String,
    related,
    writer: null,
    observedAt: now,
    isDeleted: false,
    knownPasses: [],
  });
  const item = { observedAt: now, resourceVersion: "1", writer: null, projection };
  const { state } = provider.readObservation(item);
  provider.findChanges({ items: [1, 2].map((time) => ({ ...item, at: time })), former: new Map() });
  const own = { ...related, memory: projection };
  object.findAttention({ summary, related: own, state, previous: undefined, now });
  object.listTroubles?.(own);
  object.findOwnAct?.(own);
  object.redact(summary.message);
  provider.withoutTicks?.(redactObject(received));
}

function readMeasured(kind: string, received: unknown): void {
  const provider = measuringProviderOf(kind);
  redactObject(received);
  if (kind === "Experiment") {
    const experiment = provider.parseExperiment(received);
    if (!experiment.ok) throw new Error(experiment.reason);
    experiment.value.describe();
  } else if (kind === "AnalysisTemplate") {
    if (!provider.parseTemplate(received).ok) throw new Error("not parsed");
  } else {
    const run = provider.parseRun(received);
    if (!run.ok) throw new Error(run.reason);
    run.value.listMetrics();
    run.value.readCompletedAt();
    const { spec } = received as { spec: unknown };
    const rules = provider.readRules(spec);
    if (rules === undefined) throw new Error("no rules");
    provider.findHarmless?.(rules);
    provider.explaining.readSpec(spec);
    provider.explaining.readConditions(spec);
  }
}

const readers = new Map<string, (received: unknown) => void>([
  ...providers.map((provider) => [provider.kind, (received: unknown) => readRollout(provider, received)] as const),
  ...["AnalysisRun", "Experiment", "AnalysisTemplate"].map(
    (kind) => [kind, (received: unknown) => readMeasured(kind, received)] as const,
  ),
]);

async function findSlow(object: object, read: (received: unknown) => void): Promise<string[]> {
  const places = listPlaces(object);
  const separate = places.filter((path) => !path.some((key) => /^\d+$/.test(key)));
  const slow: string[] = [];
  for (const grown of [...places.map((path) => [path]), separate]) {
    const work = (text: string): void => read(grow(object, grown, text.length));
    const most = grown.length === 1 ? greatest.alone : greatest.together;
    const growth = findGrowth([work], [{ prefix: "", pump: "x", suffix: "" }], most);
    if (growth !== undefined) slow.push(`${grown.map((path) => path.join(".")).join(", ")} ${growth}`);
    await setImmediate();
  }
  return slow;
}

describe("objects with twice as many entries", () => {
  it("are covered, each kind that is read on an event loop", () => {
    expect([...readers.keys()].toSorted()).toEqual(Object.keys(hostileObjects).toSorted());
  });

  it.each(Object.entries(hostileObjects))("take twice as long: %s", { timeout }, async (kind, object) => {
    const read = readers.get(kind) ?? expect.fail(kind);
    read(object);
    // Beside much other work, linear growth may look a little steeper than allowed, but not three times in a row.
    const slow = await findPlanted(
      () => findSlow(object, read),
      (found) => found.length === 0,
    );
    expect(slow).toEqual([]);
  });

  it("would be found if each metric looked through all arguments", { timeout }, async () => {
    const read = (received: unknown): void => {
      const { spec } = received as { spec: { metrics: unknown[]; args: { name: string }[] } };
      for (const _ of spec.metrics) new Map(spec.args.map(({ name }) => [`args.${name}`, name]));
    };
    const found = await findPlanted(
      () => findSlow(hostileObjects.AnalysisRun, read),
      ({ length }) => length > 0,
    );
    expect(found).toHaveLength(1);
  });
});
