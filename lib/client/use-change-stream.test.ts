import { expect, it } from "vitest";
import { affectedKeys } from "#lib/client/affected-keys.ts";
import { createChangeBatcher } from "#lib/client/use-change-stream.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";

const sourceChange: ChangeEvent = { kind: "source", id: "s", op: "upsert" };
const auditChange: ChangeEvent = { kind: "audit", id: "1", op: "upsert" };
const keysOf = (change: ChangeEvent) => affectedKeys(change).map((queryKey) => JSON.stringify({ queryKey }));
const ofSource = keysOf(sourceChange);
const ofAudit = keysOf(auditChange);

it("asks once per key for a burst, and again for what came in during the fetch", async () => {
  const asked: string[] = [];
  const releases: (() => void)[] = [];
  const push = createChangeBatcher({
    pauseMs: () => 0,
    now: () => 0,
    sleep: () => Promise.resolve(),
    refetch: (affected) => {
      asked.push(JSON.stringify(affected));
      return new Promise<void>((resolve) => releases.push(resolve));
    },
  });
  push([sourceChange, sourceChange]);
  await expect.poll(() => asked).toEqual(ofSource);

  push([auditChange]);
  push([auditChange]);
  expect(asked).toHaveLength(ofSource.length);
  for (const release of releases) release();
  await expect.poll(() => asked.slice(ofSource.length)).toEqual(ofAudit);
});

it("asks for the first change without a pause, and gathers what comes during the pause", async () => {
  const asked: string[] = [];
  const pauses: (() => void)[] = [];
  const push = createChangeBatcher({
    pauseMs: () => 200,
    now: () => 0,
    sleep: () => new Promise<void>((resolve) => pauses.push(resolve)),
    refetch: async (affected) => {
      asked.push(JSON.stringify(affected));
    },
  });
  push([sourceChange]);
  expect(asked).toEqual(ofSource);
  await expect.poll(() => pauses).toHaveLength(1);

  push([auditChange]);
  push([auditChange]);
  expect(asked).toEqual(ofSource);
  pauses[0]?.();
  await expect.poll(() => asked.slice(ofSource.length)).toEqual(ofAudit);

  // After a quiet pause, the next change counts as a first one again.
  await expect.poll(() => pauses).toHaveLength(2);
  pauses[1]?.();
  await new Promise(setImmediate);
  asked.length = 0;
  push([sourceChange]);
  expect(asked).toEqual(ofSource);
});

it("goes on after a refetch fails", async () => {
  const asked: string[] = [];
  const push = createChangeBatcher({
    pauseMs: () => 0,
    now: () => 0,
    sleep: () => Promise.resolve(),
    refetch: (affected) => {
      asked.push(JSON.stringify(affected));
      return Promise.reject(new Error("no"));
    },
  });
  push([auditChange]);
  await expect.poll(() => asked).toHaveLength(ofAudit.length);
  push([auditChange]);
  await expect.poll(() => asked).toHaveLength(2 * ofAudit.length);
});

it.each([
  ["a quick fetch", 20, 200],
  ["a long fetch", 2_000, 4_000],
  ["a very long fetch", 60_000, 10_000],
])("pauses after %s of %d ms for %d ms", async (_, tookMs, expected) => {
  const pauses: number[] = [];
  let clock = 0;
  const push = createChangeBatcher({
    pauseMs: () => 200,
    now: () => clock,
    sleep: async (ms) => void pauses.push(ms),
    refetch: async () => {
      clock = tookMs;
    },
  });
  push([auditChange]);
  await expect.poll(() => pauses).toEqual([expected]);
});
