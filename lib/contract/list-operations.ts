import type { OpenApiDocument } from "#lib/contract/openapi.ts";

export type OperationText = {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** As in `Least role: viewer.`. */
  description: string;
  parameters: { name: string; place: string; required: boolean; type: string; description: string }[];
  body: { type: string; example: string | undefined } | undefined;
  answer: { status: string; contentTypes: string[]; type: string; example: string | undefined };
  /** Statuses of problems, with the meaning of each code. */
  problems: { status: string; meanings: string[] }[];
};

type Content = Record<string, { schema?: DocumentSchema; example?: unknown }>;
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: [string];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: DocumentSchema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content: Content }>;
};

export type OperationGroup = { tag: string; operations: Pick<OperationText, "id" | "method" | "path" | "summary">[] };

/** Lists the operations of the OpenAPI document by tag. */
export function listOperations(document: OpenApiDocument): OperationGroup[] {
  const all = operationsOf(document).map(({ method, path, operation: { operationId, summary, tags } }) => ({
    tag: tags[0],
    operation: { id: operationId, method: method.toUpperCase(), path, summary },
  }));
  return [...Map.groupBy(all, ({ tag }) => tag)]
    .map(([tag, among]) => ({ tag, operations: among.map(({ operation }) => operation) }))
    .toSorted((one, other) => one.tag.localeCompare(other.tag));
}

/** Returns the operations with this tag as texts for people. Types are written out in full. */
export function describeOperations(document: OpenApiDocument, tag: string): OperationText[] {
  const named = (document.components?.schemas ?? {}) as unknown as Record<string, DocumentSchema>;
  return operationsOf(document)
    .filter(({ operation }) => operation.tags[0] === tag)
    .map(({ method, path, operation }) => describeOperation({ method, path, operation: writeOut(operation, named) }));
}

type PlacedOperation = { method: string; path: string; operation: Operation };

function operationsOf({ paths = {} }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    // The document is ours: every operation has these members, as its test checks.
    Object.entries(methods as unknown as Record<string, Operation>).map(([method, operation]) => ({
      method,
      path,
      operation,
    })),
  );
}

/** Replaces each reference in a part of the document by its target; none of our schemas refers to itself. */
function writeOut<Part>(part: Part, named: Record<string, DocumentSchema>): Part {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => writeOut(each, named)) as Part;
  const { $ref, ...rest } = part as { $ref?: string };
  const target = $ref === undefined ? undefined : named[$ref.slice($ref.lastIndexOf("/") + 1)];
  const whole = target === undefined ? part : { ...target, ...rest };
  return Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, writeOut(value, named)])) as Part;
}

function describeOperation({ method, path, operation }: PlacedOperation): OperationText {
  const statuses = Object.entries(operation.responses);
  const [status = "", success] = statuses.find(([code]) => code.startsWith("2")) ?? [];
  const body = operation.requestBody?.content["application/json"];
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    parameters: (operation.parameters ?? []).map(({ name, in: place, required, description, schema }) => ({
      name,
      place,
      required: required === true,
      type: describeSchema(schema),
      description: description ?? schema.description ?? "",
    })),
    body: body && describeContent(body),
    answer: {
      status,
      contentTypes: Object.keys(success?.content ?? {}),
      ...describeContent(Object.values(success?.content ?? {})[0] ?? {}),
    },
    problems: statuses
      .filter(([code]) => /^[45]/.test(code))
      .map(([code, { description }]) => ({ status: code, meanings: description.split("\n\n") })),
  };
}

function describeContent({ schema, example }: Content[string]): { type: string; example: string | undefined } {
  return {
    type: describeSchema(schema ?? {}),
    example: example === undefined ? undefined : JSON.stringify(example, null, 2),
  };
}

/** The parts of a schema in the OpenAPI document that are read here. */
export type DocumentSchema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, DocumentSchema>;
  required?: string[];
  additionalProperties?: boolean | DocumentSchema;
  items?: DocumentSchema;
  anyOf?: DocumentSchema[];
  oneOf?: DocumentSchema[];
  allOf?: DocumentSchema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
};

/**
 * Writes a schema as a TypeScript type, with descriptions as comments. Constraints that a type cannot express, such as
 * bounds, are left out.
 */
export function describeSchema(schema: DocumentSchema, indent = ""): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return join(choices, " | ", indent);
  if (schema.allOf !== undefined) return join(schema.allOf, " & ", indent);
  if (Array.isArray(schema.type))
    return join(
      schema.type.map((type) => ({ ...schema, type })),
      " | ",
      indent,
    );
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array": {
      const item = describeSchema(schema.items ?? {}, indent);
      return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case "object":
      return describeObject(schema, indent);
    default:
      return "unknown";
  }
}

function join(schemas: readonly DocumentSchema[], by: string, indent: string): string {
  return [...new Set(schemas.map((schema) => describeSchema(schema, indent)))].join(by);
}

function describeObject({ properties, required, additionalProperties }: DocumentSchema, indent: string): string {
  const members = Object.entries(properties ?? {});
  if (members.length === 0 && typeof additionalProperties === "object")
    return `Record<string, ${describeSchema(additionalProperties, indent)}>`;
  if (members.length === 0) return "Record<string, never>";
  const inner = `${indent}  `;
  const lines = members.flatMap(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const mark = required?.includes(name) === true ? "" : "?";
    const comment = member.description?.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
    return [
      ...(comment === undefined ? [] : [`${inner}/** ${comment} */`]),
      `${inner}${key}${mark}: ${describeSchema(member, inner)};`,
    ];
  });
  return ["{", ...lines, `${indent}}`].join("\n");
}
