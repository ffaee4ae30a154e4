import { z } from "zod";

/** A field of a schema with the value that was planted in it. `text`: the value as JSON has it, without quotes. */
export type MarkedField = { path: string; text: string };

type Schema = {
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  "x-kubernetes-int-or-string"?: boolean;
};

export const Crd = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({
        name: z.string(),
        schema: z.object({ openAPIV3Schema: z.custom<Schema>((value) => typeof value === "object") }),
      }),
    ),
  }),
});

/** Fields with the shape of other APIs: pods, Jobs. One value stands for the whole field. */
const foreign = /\.(?:template\.spec|job\.spec|affinity)$/;

/**
 * Makes an object that has each field of a schema once, with values that occur nowhere else: a value missing from its
 * record was left out. Booleans have only two values and are not followed.
 */
export function makeMarkedObject(schema: Schema): {
  object: Record<string, unknown>;
  fields: MarkedField[];
  /** Of all fields, booleans too. */
  paths: string[];
} {
  const fields: MarkedField[] = [];
  const paths: string[] = [];
  const mark = (path: string, value: string | number): string | number => {
    fields.push({ path, text: String(value) });
    paths.push(path);
    return value;
  };
  const number = (): number => 1_000_003 + fields.length;
  const make = (part: Schema, path: string): unknown => {
    const { type, format, properties, items, additionalProperties } = part;
    if (foreign.test(path)) return { marked: mark(path, `mark${number()}x`) };
    if (items !== undefined) return [make(items, `${path}[]`)];
    if (properties !== undefined)
      return Object.fromEntries(
        Object.entries(properties).map(([key, child]) => [key, make(child, path === "" ? key : `${path}.${key}`)]),
      );
    if (typeof additionalProperties === "object")
      return { [`key${number()}`]: make(additionalProperties, `${path}.*`) };
    if (type === "boolean") {
      paths.push(path);
      return true;
    }
    if (type === "integer" || type === "number" || part["x-kubernetes-int-or-string"] === true)
      return mark(path, number());
    if (format === "date-time") return mark(path, timeOf(number()));
    if (type === "string") return mark(path, `mark${number()}x`);
    return { marked: mark(path, `mark${number()}x`) };
  };
  return { object: make(schema, "") as Record<string, unknown>, fields, paths };
}

/** A time of whole seconds, as Kubernetes writes it. */
function timeOf(number: number): string {
  return new Date(Date.UTC(2026, 0, 1) + (number - 1_000_000) * 61_000).toISOString().replace(".000Z", "Z");
}

/** Returns whether a record, as JSON, has the value of a field: times may be written in another form. */
export function hasField(record: string, { text }: MarkedField): boolean {
  return record.includes(text) || (/^\d{4}-\d\d-\d\dT.*Z$/.test(text) && record.includes(text.slice(0, -1)));
}
