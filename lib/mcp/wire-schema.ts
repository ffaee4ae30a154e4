import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type JsonSchema = Record<string, unknown>;

/** Left out of the schemas of answers: an agent reads the list of tools before it asks anything. */
const unneeded = [
  "description",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "additionalProperties",
  "default",
  "required",
];

/** The schema of a tool's arguments: they are checked by the zod schema. */
export function argumentsSchema(schema: z.ZodObject): StandardSchemaWithJSON<Record<string, unknown>> {
  const json = z.toJSONSchema(schema, { io: "input", override: ({ jsonSchema }) => dropBounds(jsonSchema) });
  return wireSchema(json, (value) => schema["~standard"].validate(value));
}

/** The schema of a tool's answer, which is not checked again: it was parsed before it was shortened. */
export function answerSchema(schema: z.ZodObject): StandardSchemaWithJSON<Record<string, unknown>> {
  const override = ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    for (const key of unneeded) delete jsonSchema[key];
  };
  const json = z.toJSONSchema(schema, { io: "output", override });
  return wireSchema(json, (value) => ({ value: value as Record<string, unknown> }));
}

type Validate = StandardSchemaWithJSON<Record<string, unknown>>["~standard"]["validate"];

function wireSchema(json: JsonSchema, validate: Validate): StandardSchemaWithJSON<Record<string, unknown>> {
  const { $schema: _, ...rest } = json;
  const give = () => rest;
  return { "~standard": { version: 1, vendor: "gatehouse", validate, jsonSchema: { input: give, output: give } } };
}

/** The largest whole number is no limit worth reading. */
function dropBounds(json: JsonSchema): void {
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.format === "date-time") delete json.pattern;
}
