import fc from "fast-check";

/** The keywords of JSON Schema that the request schemas use; `arbitraryOf` refuses any other. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
};

const known = new Set([
  ..."type properties required additionalProperties propertyNames items anyOf oneOf enum const format pattern".split(
    " ",
  ),
  ..."minLength maxLength minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum".split(" "),
  ..."$schema description default".split(" "),
]);

/** Values by the name of their member, so that requests find objects that exist. */
export type Hints = Readonly<Record<string, readonly unknown[]>>;

const moment = fc.oneof(
  fc.constantFrom("0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2026-11-20T10:00:00.000Z", "9999-12-31T23:59:59Z"),
  fc
    .date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
);

/** Makes values that fit the schema of a request. Throws if the schema has a keyword that it does not know. */
export function arbitraryOf(schema: JsonSchema, hints: Hints, name = ""): fc.Arbitrary<unknown> {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`cannot generate from ${unknown.join(", ")}`);
  const generated = withoutHints(schema, hints, name);
  const values = Object.hasOwn(hints, name) ? hints[name] : undefined;
  return values === undefined ? generated : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, generated);
}

function withoutHints(schema: JsonSchema, hints: Hints, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, hints, name)));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => withoutHints({ ...schema, type }, hints, name)));
  switch (schema.type) {
    case undefined:
      return fc.jsonValue({ maxDepth: 3 });
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({
        min: Math.max(lowest(schema) ?? -(2 ** 31), -(2 ** 53) + 1),
        max: Math.min(highest(schema) ?? 2 ** 31, 2 ** 53 - 1),
      });
    case "number":
      return fc.double({ noNaN: true, min: lowest(schema) ?? -1e9, max: highest(schema) ?? 1e9 });
    case "string":
      return textOf(schema);
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}, hints, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + 3),
      });
    case "object":
      return objectOf(schema, hints);
    default:
      throw new Error(`cannot generate type ${schema.type}`);
  }
}

function lowest({ minimum, exclusiveMinimum }: JsonSchema): number | undefined {
  return exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
}

function highest({ maximum, exclusiveMaximum }: JsonSchema): number | undefined {
  return exclusiveMaximum === undefined ? maximum : exclusiveMaximum - 1;
}

function textOf({ format, pattern, minLength = 0, maxLength = 10_000 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "date-time") return moment;
  if (format === "uuid") return fc.uuid();
  if (pattern !== undefined)
    return fc
      .stringMatching(new RegExp(pattern, "u"))
      .filter(({ length }) => length >= minLength && length <= maxLength);
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

function objectOf(schema: JsonSchema, hints: Hints): fc.Arbitrary<unknown> {
  const { properties, additionalProperties, propertyNames } = schema;
  if (properties === undefined && typeof additionalProperties === "object")
    return fc.dictionary(
      propertyNames === undefined ? fc.string({ maxLength: 20 }) : textOf(propertyNames),
      arbitraryOf(additionalProperties, hints),
      { maxKeys: 3 },
    );
  const required = new Set(schema.required);
  const members = Object.entries(properties ?? {}).map(([key, member]) => {
    const value = arbitraryOf(member, hints, key);
    return [key, required.has(key) ? value : rarely(value)] as const;
  });
  return fc
    .record(Object.fromEntries(members))
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)));
}

/** Optional members are often absent: rules between members would otherwise refuse almost everything. */
function rarely(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}
