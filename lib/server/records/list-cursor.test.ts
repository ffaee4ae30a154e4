import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DatabaseInt, DatabaseTime, formatListCursor, parseListCursor } from "./list-cursor.ts";

describe("a time in a cursor", () => {
  it.each([
    "2026-11-20 10:00:00+00",
    "2026-11-20 10:00:00.123456+00",
    "2024-02-29 23:59:59.9+05:30",
    "12026-01-31 00:00:00-15:59",
  ])("%s is one", (text) => {
    expect(DatabaseTime.safeParse(text).success).toBe(true);
  });

  it.each([
    "0000-01-01 00:00:00+00",
    "2026-13-01 00:00:00+00",
    "2026-00-01 00:00:00+00",
    "2026-02-29 00:00:00+00",
    "2026-11-31 00:00:00+00",
    "2026-11-20 24:00:00+00",
    "2026-11-20 10:60:00+00",
    "2026-11-20 10:00:60+00",
    "2026-11-20 10:00:00+16",
    "2026-11-20 10:00:00+00:60",
    "294276-12-31 00:00:00+00",
    "999999-01-01 00:00:00+00",
    "2026-11-20 10:00:00",
    "infinity",
  ])("%s is none", (text) => {
    expect(DatabaseTime.safeParse(text).success).toBe(false);
  });
});

describe("a cursor", () => {
  const Key = z.tuple([z.string(), DatabaseInt]);
  it("comes back as the key that it was made of", () => {
    expect(parseListCursor(Key, formatListCursor(["a", 7]))).toEqual(["a", 7]);
    expect(parseListCursor(Key, undefined)).toBeUndefined();
  });

  it.each([
    ["a number that no column holds", ["a", 2 ** 31]],
    ["half a number", ["a", 1.5]],
    ["a NUL", ["a\u0000b", 7]],
    ["half a character", ["\ud800", 7]],
    ["too little", ["a"]],
    ["no list", { 0: "a", 1: 7 }],
  ])("with %s is refused", (_, key) => {
    const cursor = Buffer.from(JSON.stringify(key)).toString("base64url");
    expect(() => parseListCursor(Key, cursor)).toThrow("not issued by this list");
  });
});
