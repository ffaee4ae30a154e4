import { describe, expect, it } from "vitest";
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from "./json-patch.ts";

type Case = { name: string; target: unknown; operations: JsonPatchOperation[]; result?: unknown };

const cases: Case[] = [
  {
    name: "adds a member",
    target: { a: 1 },
    operations: [{ op: "add", path: "/b", value: 2 }],
    result: { a: 1, b: 2 },
  },
  { name: "adds null", target: {}, operations: [{ op: "add", path: "/b", value: null }], result: { b: null } },
  {
    name: "inserts into an array",
    target: [1, 3],
    operations: [{ op: "add", path: "/1", value: 2 }],
    result: [1, 2, 3],
  },
  { name: "appends with -", target: [1], operations: [{ op: "add", path: "/-", value: 2 }], result: [1, 2] },
  { name: "replaces the document", target: { a: 1 }, operations: [{ op: "replace", path: "", value: 3 }], result: 3 },
  {
    name: "replaces with zero",
    target: { a: 1 },
    operations: [{ op: "replace", path: "/a", value: 0 }],
    result: { a: 0 },
  },
  { name: "removes an array item", target: [1, 2], operations: [{ op: "remove", path: "/0" }], result: [2] },
  {
    name: "moves",
    target: { a: { b: 1 }, c: {} },
    operations: [{ op: "move", from: "/a/b", path: "/c/d" }],
    result: { a: {}, c: { d: 1 } },
  },
  {
    name: "copies",
    target: { a: [1] },
    operations: [{ op: "copy", from: "/a", path: "/b" }],
    result: { a: [1], b: [1] },
  },
  {
    name: "unescapes ~1 and ~0",
    target: { "a/b": 1, "~": 2 },
    operations: [
      { op: "remove", path: "/a~1b" },
      { op: "test", path: "/~0", value: 2 },
    ],
    result: { "~": 2 },
  },
  {
    name: "tests without regard to key order",
    target: { a: { x: 1, y: 2 } },
    operations: [{ op: "test", path: "/a", value: { y: 2, x: 1 } }],
    result: { a: { x: 1, y: 2 } },
  },
  { name: "fails on a test that does not hold", target: { a: 1 }, operations: [{ op: "test", path: "/a", value: 2 }] },
  { name: "fails on a test of another type", target: { a: 1 }, operations: [{ op: "test", path: "/a", value: "1" }] },
  { name: "fails to remove what is not there", target: {}, operations: [{ op: "remove", path: "/a" }] },
  { name: "fails to replace what is not there", target: {}, operations: [{ op: "replace", path: "/a", value: 1 }] },
  { name: "fails to add below what is not there", target: {}, operations: [{ op: "add", path: "/a/b", value: 1 }] },
  { name: "fails past the end of an array", target: [1], operations: [{ op: "add", path: "/2", value: 1 }] },
  { name: "fails on an index with a leading zero", target: [1, 2], operations: [{ op: "remove", path: "/01" }] },
  {
    name: "fails to move a value into itself",
    target: { a: { b: 1 } },
    operations: [{ op: "move", from: "/a", path: "/a/b" }],
  },
  {
    name: "fails to replace by a name in an array",
    target: { a: [1] },
    operations: [{ op: "replace", path: "/a/b", value: 2 }],
  },
  {
    name: "fails to copy past the end of an array",
    target: { a: [1], b: 2 },
    operations: [{ op: "copy", from: "/b", path: "/a/5" }],
  },
  { name: "fails to remove an inherited name", target: {}, operations: [{ op: "remove", path: "/toString" }] },
  { name: "fails to add below a text", target: { a: "b" }, operations: [{ op: "add", path: "/a/c", value: 1 }] },
  { name: "fails on a path without a slash", target: { a: 1 }, operations: [{ op: "remove", path: "a" }] },
];

describe("applyJsonPatch", () => {
  it.each(cases)("$name", ({ target, operations, result }) => {
    const apply = (): unknown => applyJsonPatch(target, operations);
    if (result === undefined) expect(apply).toThrow(JsonPatchError);
    else expect(apply()).toEqual(result);
  });

  it("changes nothing of the target, also where a later operation fails", () => {
    const target = { a: [1] };
    expect(() =>
      applyJsonPatch(target, [
        { op: "add", path: "/a/-", value: 2 },
        { op: "remove", path: "/b" },
      ]),
    ).toThrow(JsonPatchError);
    expect(target).toEqual({ a: [1] });
  });
});
