import type { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import type { InvalidParam } from "#lib/contract/problem.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { jsonShape } from "#lib/util/json.ts";
import { readLimited } from "#lib/util/read-limited.ts";

type Schemas = Pick<Endpoint, "params" | "query" | "body" | "maxBodyKib">;

/**
 * Merges path parameters, query and body into one object, each checked by its schema. All problems of path and query
 * are reported at once. Invariant: the three share no name (a test of the endpoint table checks that).
 */
export async function parseInput({
  schemas,
  params,
  request,
}: {
  schemas: Schemas;
  params: unknown;
  request: Request;
}): Promise<Record<string, unknown>> {
  const invalidParams: InvalidParam[] = [];
  const input: Record<string, unknown> = {};
  const take = (schema: z.ZodType | undefined, value: unknown) => {
    if (schema === undefined) return;
    const result = schema.safeParse(value);
    if (result.success) Object.assign(input, result.data);
    else invalidParams.push(...invalidParamsOf(result.error));
  };
  const query = readQuery(new URL(request.url).searchParams);
  invalidParams.push(...findNul(params), ...findNul(query));
  take(schemas.params, params);
  take(schemas.query, query);
  if (schemas.body !== undefined) take(schemas.body, await readJsonBody(request, schemas.maxBodyKib));
  if (invalidParams.length === 0) return input;
  const [first] = invalidParams;
  throw new ServiceError("invalid_request", `${first?.name}: ${first?.reason}`, { invalidParams });
}

/** Finds NUL characters: PostgreSQL's text cannot store them, and no name contains one. */
function findNul(values: unknown): InvalidParam[] {
  return Object.entries(values ?? {})
    .filter(([, value]) => typeof value === "string" && value.includes("\u0000"))
    .map(([name]) => ({ name, reason: "holds a NUL character" }));
}

/** Reads the query. A repeated parameter becomes a list, which none of our schemas accepts. */
function readQuery(search: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? "") : values;
  }
  return query;
}

/** A request with more problems was never meant for us: nobody reads ten thousand, and listing them takes long. */
const maxListed = 100;

function invalidParamsOf(error: z.ZodError): InvalidParam[] {
  const listed = error.issues.slice(0, maxListed).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys
        .slice(0, maxListed)
        .map((name) => ({ name: [...issue.path, name].join("."), reason: "not known" }));
    }
    return [{ name: issue.path.join(".") || "body", reason: issue.message }];
  });
  return listed.slice(0, maxListed);
}

const usualKib = 64;
/** Code that walks a body is recursive; nothing that we accept is half as deep. */
const maxDepth = 64;
/** Each value is checked on the main thread, and one that does not fit costs ten times as much as one that does. */
const maxValues = 10_000;

/**
 * Reads the JSON body of a request: at most 64 KiB unless the endpoint takes more, 64 levels and 10 000 values. Refuses
 * any other type than `application/json` before reading.
 */
async function readJsonBody(request: Request, maxKib?: number): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";")[0]?.trim().toLowerCase() !== "application/json")
    throw new ServiceError("unsupported_media_type", "Send the body as application/json.");
  return parseBody(await readLimitedText(request, maxKib));
}

/** Parses the body; throws `invalid_request` if it is not JSON, or nested too deeply. */
export function parseBody(text: string): unknown {
  const refuse = (detail: string, reason: string) =>
    new ServiceError("invalid_request", detail, { invalidParams: [{ name: "body", reason }] });
  const { depth, values } = jsonShape(text);
  if (values > maxValues) throw refuse(`The body has more than ${maxValues} values.`, `more than ${maxValues} values`);
  if (depth > maxDepth)
    throw refuse(`The body is nested deeper than ${maxDepth} levels.`, `nested deeper than ${maxDepth} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw refuse("The body is not JSON.", "not JSON");
  }
}

/** Reads the body as text; throws `payload_too_large` and stops reading once the limit is passed. */
export async function readLimitedText(request: Request, maxKib: number = usualKib): Promise<string> {
  const maxBytes = maxKib * 1024;
  const isTooLarge = Number(request.headers.get("content-length") ?? 0) > maxBytes;
  const text = isTooLarge ? undefined : await readLimited(request.body, maxBytes);
  if (text === undefined) throw new ServiceError("payload_too_large", `The body is larger than ${maxKib} KiB.`);
  return text;
}
