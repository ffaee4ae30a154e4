import { describe, expect, it } from "vitest";
import { endpoints } from "./endpoint-table.ts";
import { type DocumentSchema, describeOperations, describeSchema, listOperations } from "./list-operations.ts";
import { createOpenApiDocument } from "./openapi.ts";

describe("listOperations", () => {
  const document = createOpenApiDocument();
  const groups = listOperations(document);
  const all = groups.flatMap(({ tag }) => describeOperations(document, tag));

  it("has every endpoint once", () => {
    expect(all.map(({ id }) => id).toSorted()).toEqual(Object.keys(endpoints).toSorted());
  });

  it("lists in a group what the group describes", () => {
    for (const { tag, operations } of groups)
      expect(describeOperations(document, tag)).toEqual(operations.map((line) => expect.objectContaining(line)));
  });

  it("shows parameters, body, answer and problems of an action", () => {
    const action = all.find(({ id }) => id === "actOnRollout");
    expect(action).toMatchObject({ method: "POST", answer: { status: "202", contentTypes: ["application/json"] } });
    expect(action?.parameters.map(({ place, name }) => `${place} ${name}`)).toContain("header Idempotency-Key");
    expect(action?.body?.type).toContain("viewDigest: string;");
    expect(action?.body?.example).toContain('"accept-step"');
    expect(action?.problems.find(({ status }) => status === "409")?.meanings.join()).toContain("stale_view");
  });

  it("shows every type of an answer that is no JSON", () => {
    const { answer } = all.find(({ id }) => id === "exportAudit") ?? {};
    expect(answer).toMatchObject({ contentTypes: ["application/x-ndjson", "text/csv"], type: "string" });
  });
});

describe("describeSchema", () => {
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
});
