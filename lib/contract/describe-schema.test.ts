import { expect, it } from "vitest";
import { type DocumentSchema, describeSchema } from "./describe-schema.ts";

const cases: { name: string; schema: DocumentSchema; text: string }[] = [
  { name: "a reference", schema: { $ref: "#/components/schemas/Problem" }, text: "Problem" },
  { name: "words", schema: { type: "string", enum: ["a", "b"] }, text: '"a" | "b"' },
  { name: "a constant", schema: { const: "x" }, text: '"x"' },
  { name: "an integer", schema: { type: "integer" }, text: "number" },
  { name: "a value or null", schema: { type: ["string", "null"] }, text: "string | null" },
  { name: "equal choices", schema: { anyOf: [{ type: "number" }, { type: "integer" }] }, text: "number" },
  { name: "all of", schema: { allOf: [{ $ref: "#/A" }, { $ref: "#/B" }] }, text: "A & B" },
  { name: "anything", schema: {}, text: "unknown" },
  { name: "a list", schema: { type: "array", items: { type: "string" } }, text: "string[]" },
  {
    name: "a list of choices",
    schema: { type: "array", items: { type: ["string", "null"] } },
    text: "Array<string | null>",
  },
  {
    name: "a map",
    schema: { type: "object", additionalProperties: { type: "number" } },
    text: "Record<string, number>",
  },
  { name: "no members", schema: { type: "object" }, text: "Record<string, never>" },
  {
    name: "members",
    schema: {
      type: "object",
      properties: {
        id: { type: "string" },
        "a-b": { type: "object", properties: { n: { type: "number", description: "A */ b" } } },
      },
      required: ["id"],
    },
    text: '{\n  id: string;\n  "a-b"?: {\n    /** A * / b */\n    n?: number;\n  };\n}',
  },
];

it.each(cases)("writes $name", ({ schema, text }) => {
  expect(describeSchema(schema)).toBe(text);
});
