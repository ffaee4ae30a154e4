import type { PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { type GuardOptions, guardWriter } from "./guard-writer.ts";

type Answer = Awaited<ReturnType<GuardOptions["evaluations"]["run"]>>;

function open(answer: () => Answer = () => ({ refused: "failed", error: "not expected" })) {
  const written: string[] = [];
  const prepared: string[] = [];
  const sent: unknown[] = [];
  const writer: KindWriter = {
    prepare: (entry) => prepared.push(entry.resourceVersion),
    partToRedact: ({ object }) => (object as { spec?: unknown }).spec,
    write: async (_tx, entries) => {
      written.push(...entries.map(({ resourceVersion }) => resourceVersion));
      return { changes: [], poison: [], committed: () => {} };
    },
    markGone: async () => [],
    listLive: async () => [],
    reset: () => {},
  };
  const run = async (_name: string, input: unknown): Promise<Answer> => {
    sent.push(input);
    return answer();
  };
  const evaluations = { run } as GuardOptions["evaluations"];
  return {
    ...{ written, prepared, sent },
    guarded: guardWriter(writer, { source: { cluster: "east" }, evaluations, redactWithinMs: 20 }),
  };
}

let version = 0;
function entryOf(spec: unknown, metadata: Record<string, unknown> = {}): ObjectEntry {
  const object = { kind: "Rollout", metadata: { namespace: "shop", name: "checkout", ...metadata }, spec };
  return { op: "upsert", uid: "u", resourceVersion: String(++version), object, size: 10, receivedAt: new Date(0) };
}

async function store(guarded: KindWriter, entries: ObjectEntry[]): Promise<string[]> {
  for (const entry of entries) guarded.prepare?.(entry);
  await guarded.complete?.(entries);
  const { poison } = await guarded.write({} as PoolClient, entries);
  return poison.map(({ reason }) => reason);
}

const large = { note: "x".repeat(100_000) };

describe("a guarded writer", () => {
  it.each([
    ["a hundred thousand levels", { a: JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) }, "spec.a is nested"],
    ["four million characters", { a: "x".repeat(4_000_000) }, "most of them in spec.a"],
    ["two hundred thousand values", { a: Array.from({ length: 200_000 }, () => ({})) }, "most of them in spec.a"],
  ])("gets no object with %s, and gives its name and its place", async (_, spec, place) => {
    const { guarded, written, prepared, sent } = open();
    const fine = entryOf({ a: 1 });
    const [reason] = await store(guarded, [entryOf(spec), fine]);
    expect(reason).toContain("Rollout shop/checkout is too large to be read: ");
    expect(reason).toContain(place);
    expect({ written, prepared, sent }).toEqual({
      written: [fine.resourceVersion],
      prepared: [fine.resourceVersion],
      sent: [],
    });
  });

  it("has a large part redacted in a thread, and a small part of a large object not", async () => {
    const { guarded, written, sent } = open(() => ({ value: { text: '{"note":"y"}', secrets: ["x"] } }));
    const entry = entryOf(large);
    const other = entryOf({}, { annotations: large });
    expect(await store(guarded, [entry, other])).toEqual([]);
    expect(sent).toEqual([JSON.stringify(large)]);
    expect(entry.redaction).toMatchObject({ part: large, value: { note: "y" }, secrets: ["x"] });
    expect(other.redaction).toBeUndefined();
    expect(written).toEqual([entry.resourceVersion, other.resourceVersion]);
  });

  it("knows the size of an object of a list by itself", () => {
    const { guarded } = open();
    const entry = entryOf(large);
    guarded.prepare?.(entry);
    expect(entry.size).toBeGreaterThan(100_000);
  });

  it("refuses what was killed, with the versions before it in the batch", async () => {
    const { guarded, written, sent } = open(() => ({ refused: "too-long" }));
    const reasons = await store(guarded, [entryOf(large), entryOf({ a: 1 }), entryOf(large)]);
    expect(reasons).toHaveLength(2);
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toContain("Rollout shop/checkout was not redacted within 20 ms");
    expect(sent).toHaveLength(1);
    expect(written).toHaveLength(1);
  });

  it("asks again for what got no thread", async () => {
    const { guarded } = open(() => ({ refused: "busy" }));
    const entry = entryOf(large);
    await expect(store(guarded, [entry])).rejects.toThrow("no thread is free");
    expect(entry).not.toHaveProperty("refusal");
  });
});
