import { describe, expect, it } from "vitest";
import { classifyWatchLine, readObjectHead } from "./classify-watch-line.ts";

const object = { kind: "Rollout", metadata: { uid: "u", resourceVersion: "7" } };
const line = (type: string, body: unknown): string => JSON.stringify({ type, object: body });

const cases = [
  {
    name: "ADDED",
    line: line("ADDED", object),
    result: { type: "object", op: "upsert", uid: "u", resourceVersion: "7", object },
  },
  { name: "MODIFIED", line: line("MODIFIED", object), result: { type: "object", op: "upsert" } },
  { name: "DELETED", line: line("DELETED", object), result: { type: "object", op: "deleted" } },
  {
    name: "BOOKMARK",
    line: line("BOOKMARK", { kind: "Rollout", metadata: { resourceVersion: "9" } }),
    result: { type: "bookmark", resourceVersion: "9" },
  },
  { name: "bookmark without a version", line: line("BOOKMARK", { metadata: {} }), result: { type: "bad" } },
  {
    name: "a version with NUL",
    line: line("ADDED", { ...object, metadata: { uid: "u", resourceVersion: "7\0" } }),
    result: { type: "bad" },
  },
  {
    name: "a uid that no index can hold",
    line: line("ADDED", { ...object, metadata: { uid: "u".repeat(3000), resourceVersion: "7" } }),
    result: { type: "bad" },
  },
  {
    name: "bookmark with NUL",
    line: line("BOOKMARK", { metadata: { resourceVersion: "\0" } }),
    result: { type: "bad" },
  },
  { name: "410 by code", line: line("ERROR", { kind: "Status", code: 410 }), result: { type: "expired" } },
  { name: "410 by reason", line: line("ERROR", { kind: "Status", reason: "Expired" }), result: { type: "expired" } },
  {
    name: "another error",
    line: line("ERROR", { code: 504, message: "slow" }),
    result: { type: "failed", status: 504, text: "slow" },
  },
  { name: "an error that says nothing", line: line("ERROR", {}), result: { type: "failed", status: 500 } },
  { name: "an error that is no object", line: line("ERROR", "x"), result: { type: "bad" } },
  { name: "a Status as an object", line: line("ADDED", { kind: "Status", code: 410 }), result: { type: "bad" } },
  { name: "another kind", line: line("ADDED", { ...object, kind: "Pod" }), result: { type: "bad" } },
  { name: "no kind", line: line("ADDED", { metadata: object.metadata }), result: { type: "bad" } },
  { name: "an unknown event", line: line("PATCHED", object), result: { type: "bad" } },
  { name: "no JSON", line: '{"type":"ADDED","obj', result: { type: "bad" } },
  { name: "a number", line: "3", result: { type: "bad" } },
];

describe("classifyWatchLine", () => {
  it.each(cases)("$name", ({ line, result }) => {
    expect(classifyWatchLine(line, { kind: "Rollout" })).toMatchObject(result);
  });
});

describe("readObjectHead", () => {
  it("fills the kind of items of built-in lists in", () => {
    const item = { metadata: object.metadata };
    const head = readObjectHead(item, { kind: "ReplicaSet", isKindNeeded: false });
    expect(head).toMatchObject({ ok: true, head: { object: { kind: "ReplicaSet" } } });
  });
});
