import { type DocumentSchema, describeSchema } from "#lib/contract/describe-schema.ts";
import { createOpenApiDocument } from "#lib/contract/openapi.ts";

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

/** Returns the operations of the OpenAPI document as texts for people, by tag. */
export function listOperations(): { tag: string; operations: OperationText[] }[] {
  const all = Object.entries(createOpenApiDocument().paths ?? {}).flatMap(([path, methods]) =>
    // The document is ours: every operation has these members, as its test checks.
    Object.entries(methods as unknown as Record<string, Operation>).map(([method, operation]) => ({
      tag: operation.tags[0],
      operation: describeOperation({ method, path, operation }),
    })),
  );
  return [...Map.groupBy(all, ({ tag }) => tag)]
    .map(([tag, among]) => ({ tag, operations: among.map(({ operation }) => operation) }))
    .toSorted((one, other) => one.tag.localeCompare(other.tag));
}

function describeOperation({
  method,
  path,
  operation,
}: {
  method: string;
  path: string;
  operation: Operation;
}): OperationText {
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
