import type { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import type { InvalidParam } from "#lib/contract/problem.ts";
import { readJsonBody } from "#lib/server/edge/http/read-json-body.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

type Schemas = Pick<Endpoint, "params" | "query" | "body">;

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
  if (schemas.body !== undefined) take(schemas.body, await readJsonBody(request));
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
