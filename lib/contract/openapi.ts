import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { problemCodesOf, problemMeanings } from "#lib/contract/endpoint-problems.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { requestExamples } from "#lib/contract/examples/requests.ts";
import { listNamedSchemas, tidySchemas } from "#lib/contract/named-schemas.ts";
import { Problem, type ProblemCode, problemStatus } from "#lib/contract/problem.ts";

type Name = keyof typeof endpoints;
type TableEntry = Omit<Endpoint, "status"> & { status?: number };

/** Actions, which are carried out once for a key. */
const idempotent: ReadonlySet<Name> = new Set(["actOnRollout", "actOnRun", "actOnExperiment"]);
const problemContent = { "application/problem+json": { schema: Problem.meta({ id: "Problem" }) } };

export type OpenApiDocument = ReturnType<typeof createDocument>;

// Next bundles each route separately, so a module variable would exist several times.
const handle = Symbol.for("gatehouse.openapi");
type Holder = { [handle]?: OpenApiDocument };

/** Returns the document, made once per process: making it takes a quarter of a second of the event loop. */
export function readOpenApiDocument(): OpenApiDocument {
  const holder = globalThis as Holder;
  holder[handle] ??= createOpenApiDocument();
  return holder[handle];
}

/** Creates the OpenAPI 3.1 document of `/api/v1` from the endpoint table and its schemas. */
export function createOpenApiDocument(): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, entry] of Object.entries(endpoints) as [Name, TableEntry][]) {
    paths[entry.path] = { ...paths[entry.path], [entry.method.toLowerCase()]: describeOperation(name, entry) };
  }
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      version: "1",
      description: "Errors are RFC 9457 problems with a code from a closed set. Times are ISO 8601 in UTC.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      schemas: listNamedSchemas(),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API token, `ght_...`." },
        session: { type: "apiKey", in: "cookie", name: "gatehouse.session", description: "A browser's session." },
      },
    },
  });
  return tidySchemas(document);
}

function describeOperation(name: Name, entry: TableEntry): ZodOpenApiOperationObject {
  const tag = entry.path.split("/")[3] ?? "api";
  const headers = idempotent.has(name) ? z.object({ "Idempotency-Key": z.string().max(200).optional() }) : undefined;
  return {
    operationId: name,
    summary: entry.summary,
    description: `Least role: ${entry.role}.`,
    tags: [tag],
    requestParams: withoutAbsent({ path: asObject(entry.params), query: asObject(entry.query), header: headers }),
    ...(entry.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: entry.body, ...exampleOf(requestExamples[name]) } },
          },
        }),
    responses: {
      [String(entry.status ?? 200) as "200"]: {
        description: "Success",
        content:
          entry.response === undefined
            ? Object.fromEntries((entry.contentTypes ?? []).map((type) => [type, { schema: z.string() }]))
            : { "application/json": { schema: entry.response, ...exampleOf(answerExamples[name]) } },
      },
      ...describeProblems(problemCodesOf(name, entry)),
      default: { description: "A problem", content: problemContent },
    },
  };
}

/** Answers of the real handlers to an operator, for the main resources. */
export const answerExamples: Partial<Record<Name, unknown>> = answers;

function exampleOf(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example };
}

/** One response for each status, whose description says what each code of it means. */
function describeProblems(codes: readonly ProblemCode[]): ZodOpenApiOperationObject["responses"] {
  const byStatus = Map.groupBy(codes, (code) => problemStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, among]) => [
      String(status),
      {
        description: among.map((code) => `\`${code}\`: ${problemMeanings[code]}`).join("\n\n"),
        content: problemContent,
      },
    ]),
  );
}

/** Narrows to an object schema: parameters in the table are objects, but the table's type does not say so. */
function asObject(schema: z.ZodType | undefined): z.ZodObject | undefined {
  return schema instanceof z.ZodObject ? schema : undefined;
}

/** Drops undefined members: the generator takes every member that is present for a schema, even undefined. */
function withoutAbsent<Members extends Record<string, unknown>>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as Members;
}
