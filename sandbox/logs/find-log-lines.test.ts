import { expect, it } from "vitest";
import { findLogLines } from "./find-log-lines.ts";

const dayMs = 86_400_000;
const metadata = { name: "app", namespace: "shop", uid: "u1", resourceVersion: "1", creationTimestamp: "" };
const pod = { apiVersion: "v1", kind: "Pod", metadata };
const nowMs = Date.parse("2026-11-20T12:00:00Z");

function textsOf(ageMs: number, most: number): string[] {
  const fromMs = nowMs - ageMs;
  const instance = { fromMs, toMs: undefined, exitCode: 0 };
  const asked = { pod, container: "app", instance, trouble: [], fromMs, toMs: nowMs, most };
  return findLogLines(asked).map(({ text }) => text);
}

it("returns the newest lines of a range", () => {
  const all = textsOf(60_000, 10_000);
  for (const most of [0, 1, 7, all.length, all.length + 1])
    expect(textsOf(60_000, most)).toEqual(all.slice(Math.max(0, all.length - most)));
});

it("does not write the whole log of an old pod, which would never end", () => {
  expect(textsOf(100_000 * dayMs, 500)).toHaveLength(500);
});
