import { type DocumentSchema, describeSchema } from "../lib/contract/list-operations.ts";
import { createOpenApiDocument } from "../lib/contract/openapi.ts";

/** The file that this writes, from the project's root. */
export const clientFile = "packages/client/src/generated/operations.ts";

type Content = Record<string, { schema?: DocumentSchema }>;
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: DocumentSchema };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
};

const json = "application/json";
const indent = "    ";

/** Writes the types of the client, and its table of operations, from the OpenAPI document. */
export function describeClient(): string {
  const document = createOpenApiDocument();
  const schemas = Object.entries((document.components?.schemas ?? {}) as unknown as Record<string, DocumentSchema>);
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    // The document is ours: every operation has these members, as its test checks.
    Object.entries(methods as unknown as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      route: `${method.toUpperCase()} ${path}`,
      types: Object.keys(answerOf(operation)),
    })),
  );
  const names = new Map(schemas.map(([name, schema]) => [describeSchema(schema, indent), name]));
  const streams = operations.filter(({ types }) => !isJson(types));
  return [
    "// Written by scripts/generate-client.mjs from the OpenAPI document. Do not change it by hand.\n",
    ...schemas.map(
      ([name, schema]) => `${comment(schema.description)}export type ${name} = ${describeSchema(schema)};\n`,
    ),
    "/** What each operation takes and answers. */\nexport type Operations = {",
    ...operations.map((operation) => describeOperation(operation, names)),
    "};\n",
    "export const operations: Readonly<Record<keyof Operations, string>> = {",
    ...operations.map(({ operationId, route }) => `  ${operationId}: ${JSON.stringify(route)},`),
    "};\n",
    "/** The content types of the operations that answer with a `Response`. */",
    "export const streamTypes: Readonly<Partial<Record<keyof Operations, string>>> = {",
    ...streams.map(({ operationId, types }) => `  ${operationId}: ${JSON.stringify(types.join(", "))},`),
    "};\n",
  ].join("\n");
}

const isJson = (types: readonly string[]) => types.length === 1 && types[0] === json;

function answerOf({ responses }: Operation): Content {
  return Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content ?? {};
}

function describeOperation(operation: Operation, names: ReadonlyMap<string, string>): string {
  const { operationId, summary, description, requestBody } = operation;
  const answer = answerOf(operation);
  const members = [
    ...(["path", "query", "header"] as const).flatMap((place) => describeParameters(operation, place, names)),
    ...(requestBody === undefined ? [] : [`body: ${describeSchema(requestBody.content[json]?.schema ?? {}, indent)};`]),
    `answer: ${isJson(Object.keys(answer)) ? describeSchema(answer[json]?.schema ?? {}, indent) : "Response"};`,
  ];
  return [
    `  ${comment(`${summary}. ${description}`)}  ${operationId}: {`,
    ...members.map((member) => indent + member),
    "  };",
  ].join("\n");
}

/**
 * An optional parameter may be undefined as well: callers pass on what they may have. `names`: of the document's types,
 * by their text.
 */
function describeParameters(
  { parameters = [] }: Operation,
  place: "path" | "query" | "header",
  names: ReadonlyMap<string, string>,
): string[] {
  const own = parameters.filter((parameter) => parameter.in === place);
  if (own.length === 0) return [];
  const properties = Object.fromEntries(
    own.map(({ name, description, schema, required }): [string, DocumentSchema] => {
      const described = { ...schema, ...(description === undefined ? {} : { description }) };
      if (required === true) return [name, described];
      return [
        name,
        {
          anyOf: [schema, undefinedType],
          ...(described.description === undefined ? {} : { description: described.description }),
        },
      ];
    }),
  );
  const required = own.filter((parameter) => parameter.required === true).map(({ name }) => name);
  const type = describeSchema({ type: "object", properties, required }, indent);
  return [`${place}${required.length > 0 ? "" : "?"}: ${names.get(type) ?? type};`];
}

/** A reference is written as its name. */
const undefinedType: DocumentSchema = { $ref: "undefined" };

function comment(text: string | undefined): string {
  return text === undefined ? "" : `/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n`;
}
