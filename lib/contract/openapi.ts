import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { requestExamples } from "#lib/contract/examples/requests.ts";
import { listNamedSchemas, tidySchemas } from "#lib/contract/named-schemas.ts";
import { Problem, type ProblemCode, problemStatus } from "#lib/contract/problem.ts";

type Name = keyof typeof endpoints;
type TableEntry = Omit<Endpoint, "status"> & { status?: number };

/** Actions, which are carried out once for a key. */
const idempotent: ReadonlySet<Name> = new Set(["actOnRollout", "actOnRun", "actOnExperiment", "actOnMany"]);
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

/** The meaning of each code for a client program, and how it may react. */
const problemMeanings: Readonly<Record<ProblemCode, string>> = {
  invalid_request: "A parameter or the body does not fit; `invalidParams` names each. Do not repeat it unchanged.",
  reason_required: "The action needs a reason, or a ticket in it; `detail` says which.",
  unauthenticated: "No valid token or session. Nothing of the request was parsed.",
  forbidden: "Your role or its scope does not allow it.",
  reauthentication_required: "It needs a fresh sign-in of a person.",
  cluster_refused: "The cluster's own RBAC or admission refused; `detail` has its words.",
  not_found: "It does not exist, or you may not see it.",
  method_not_allowed: "The path does not take this method; `Allow` lists those that it takes.",
  stale_view: "It has changed since you looked; `changes` says how. Read it again and decide again.",
  not_allowed_now: "The state of the object does not allow it at the moment.",
  source_stale: "The record of the cluster is out of date, so it cannot be decided.",
  frozen: "A freeze is in force, or no release window is open.",
  barrier: "Members of its set have not reached this pause.",
  second_person_required: "A policy requires the approval of a second person.",
  ticket_refused: "The system that decides about the ticket in the reason did not allow it, or did not answer in time.",
  conflict: "Another request was faster, or the same idempotency key came with another body.",
  read_only: "The cluster is configured as read-only.",
  config_error: "The configuration in force has an error, so nothing is changed.",
  payload_too_large: "The body is too large: most endpoints take 64 KiB.",
  unsupported_media_type: "The body is not `application/json`.",
  rate_limited: "Too many requests; wait as long as `Retry-After` says.",
  internal: "A defect of Gatehouse; its log has the details under `requestId`.",
  audit_unavailable: "The audit log cannot be written, so nothing was done.",
  unavailable: "The database or the cluster does not answer; try again later.",
};

const acting: readonly ProblemCode[] = [
  ..."reason_required forbidden reauthentication_required cluster_refused not_found stale_view".split(" "),
  ..."not_allowed_now source_stale frozen barrier second_person_required ticket_refused conflict read_only config_error".split(
    " ",
  ),
] as ProblemCode[];
const planning: readonly ProblemCode[] = ["cluster_refused", "not_allowed_now", "source_stale", "read_only"];
const seen: readonly ProblemCode[] = ["stale_view", "not_allowed_now"];

/** Codes of an endpoint beyond those that follow from its place in the table. */
const further: Partial<Record<Name, readonly ProblemCode[]>> = {
  actOnRollout: acting,
  actOnRun: acting,
  actOnExperiment: acting,
  actOnMany: ["conflict", "not_found", "not_allowed_now"],
  withdrawScheduledAction: ["conflict"],
  replayPolicies: ["not_found"],
  planRolloutAction: planning,
  planRunAction: planning,
  planExperimentAction: planning,
  requestApproval: [...seen, "not_found", "frozen", "reason_required"],
  decideApproval: ["conflict", "stale_view"],
  acknowledge: seen,
  withdrawAcknowledgement: ["conflict"],
  claim: [...seen, "conflict"],
  releaseClaim: ["conflict"],
  snooze: seen,
  wake: ["conflict"],
  acknowledgeFinding: ["conflict"],
  withdrawFinding: ["conflict"],
  createFreeze: ["conflict"],
  setLinkTemplates: ["conflict"],
  setNotificationSetting: ["conflict"],
  createToken: ["conflict"],
  getDeviceRequest: ["forbidden"],
  decideDeviceRequest: ["conflict"],
  createSavedView: ["conflict"],
  changeSavedView: ["conflict"],
  confirmConfig: ["conflict"],
  releaseHeld: ["not_found", "not_allowed_now"],
  retryNotification: ["not_allowed_now"],
  getRolloutObject: ["cluster_refused"],
  getRolloutLogs: ["cluster_refused", "not_allowed_now"],
  streamRolloutLogLines: ["cluster_refused", "not_allowed_now"],
  lintAnalysis: ["not_found"],
  assessAnalysis: ["not_found"],
  composeAnalysis: ["not_found"],
  backtestAnalysis: ["not_found"],
  evaluateAnalysis: ["not_found"],
  createHookCredential: ["not_found"],
  explainPermissions: ["not_found"],
  askClusterPermissions: ["not_found", "cluster_refused"],
  listSandboxFaults: ["not_found"],
  playSandboxFault: ["not_found"],
};

/** Returns the codes that an endpoint may answer with, in the order of their status. */
export function problemCodesOf(name: Name, entry: Omit<Endpoint, "status">): ProblemCode[] {
  const hasInput = [entry.params, entry.query, entry.body].some((schema) => schema !== undefined);
  const isChange = entry.method !== "GET";
  const codes = new Set<ProblemCode>([
    ...(hasInput ? (["invalid_request"] as const) : []),
    "unauthenticated",
    ...(isChange || entry.role !== "viewer" || name === "exportAudit" ? (["forbidden"] as const) : []),
    ...(entry.params === undefined ? [] : (["not_found"] as const)),
    ...(entry.body === undefined ? [] : (["payload_too_large", "unsupported_media_type"] as const)),
    "rate_limited",
    "internal",
    // Refusals are audited as well, so a restricted read needs the log too.
    ...(isChange || entry.role !== "viewer" || name === "exportAudit" ? (["audit_unavailable"] as const) : []),
    "unavailable",
    ...(further[name] ?? []),
  ]);
  return (Object.keys(problemStatus) as ProblemCode[]).filter((code) => codes.has(code));
}
