import { describe, expect, it } from "vitest";
import { z } from "zod";
import { dropCorruptItems } from "./endpoint.ts";

const List = z.object({ items: z.array(z.object({ name: z.string() })), nextCursor: z.string().nullable() });
const good = { name: "good" };

describe("dropCorruptItems", () => {
  it.each([
    { name: "a list as it should be", output: { items: [good], nextCursor: null }, items: [good], reasons: [] },
    { name: "an empty list", output: { items: [], nextCursor: null }, items: [], reasons: [] },
    {
      name: "one corrupt item among others",
      output: { items: [good, { name: 7 }, undefined, good], nextCursor: "x" },
      items: [good, good],
      reasons: [expect.stringContaining("name: "), expect.any(String)],
    },
  ])("$name", ({ output, items, reasons }) => {
    const heard: string[] = [];
    const served = dropCorruptItems({ schema: List, output, onCorrupt: (reason) => heard.push(reason) });
    expect(served).toEqual({ ...output, items });
    expect(heard).toEqual(reasons);
  });

  it("leaves what is wrong beside the items to the check of the whole", () => {
    const output = { items: [{ name: 7 }], nextCursor: 7 };
    expect(dropCorruptItems({ schema: List, output, onCorrupt: () => {} })).toBe(output);
  });

  it.each([
    { schema: undefined, output: { items: [7] } },
    { schema: z.object({}), output: { name: 7 } },
  ])("leaves what is no list of a known form: $output", ({ schema, output }) => {
    expect(dropCorruptItems({ schema, output, onCorrupt: () => {} })).toBe(output);
  });
});
