import { describe, expect, it } from "vitest";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { countUnknownValues } from "./create-kind-writer.ts";

const writer: KindWriter = {
  write: async () => ({ changes: [], poison: [], committed: () => {} }),
  markGone: async () => [],
  listLive: async () => [],
  reset: () => {},
};

function entryOf(uid: string): ObjectEntry {
  const object = { kind: "AnalysisRun", metadata: { uid, name: uid }, spec: { metrics: [] }, status: { phase: "Odd" } };
  return { op: "upsert", uid, resourceVersion: "1", object, receivedAt: new Date(0) };
}

describe("countUnknownValues", () => {
  it("counts an object's odd word once, and forgets the oldest of very many", async () => {
    let counted = 0;
    const counting = countUnknownValues(writer, { kind: "AnalysisRun", onUnknown: () => counted++ });
    const store = async (uids: readonly string[]): Promise<void> =>
      (await counting.write(undefined as never, uids.map(entryOf))).committed();
    await store(["first"]);
    await store(["first"]);
    expect(counted).toBe(1);
    await store(Array.from({ length: 10_000 }, (_, index) => `run-${index}`));
    expect(counted).toBe(10_001);
    await store(["run-9999"]);
    expect(counted).toBe(10_001);
    await store(["first"]);
    expect(counted).toBe(10_002);
  });
});
