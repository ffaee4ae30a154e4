import { describe, expect, it } from "vitest";
import { parseJsonPointer, readJsonPointer } from "./json-pointer.ts";

describe("a JSON pointer", () => {
  // The examples of RFC 6901, section 5, that begin with a slash.
  const document = {
    foo: ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
    "~1": 9,
  };

  it.each<[string, unknown]>([
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ["/e^f", 3],
    ["/g|h", 4],
    ["/i\\j", 5],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8],
    ["/~01", 9],
    ["/foo/2", undefined],
    ["/foo/00", undefined],
    ["/foo/-", undefined],
    ["/foo/length", undefined],
    ["/foo/0/0", undefined],
    ["/missing/below", undefined],
    ["/__proto__", undefined],
    ["/constructor/name", undefined],
  ])("%j gives %j", (pointer, value) => {
    expect(readJsonPointer(document, parseJsonPointer(pointer) ?? ["not", "parsed"])).toEqual(value);
  });

  it.each(["", "foo", "/a~", "/a~2", "/~b/c"])("is not %j", (text) => {
    expect(parseJsonPointer(text)).toBeUndefined();
  });
});
