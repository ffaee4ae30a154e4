import type { Problem, ProblemCode } from "#lib/contract/problem.ts";
import { hasBrand } from "#lib/util/has-brand.ts";
import { parseJson } from "#lib/util/json.ts";

/** Codes of failures that never reached the server, or whose response was not a problem document. */
export type LocalCode = "network" | "unreadable";

type ApiErrorInput = {
  status: number;
  code: ProblemCode | LocalCode;
  detail: string;
  requestId?: string | undefined;
  problem?: Problem | undefined;
};

/** A failed request, with words that may be shown: what happened and, if known, what to do. */
export class ApiError extends Error {
  readonly brand = "api-error";
  readonly status: number;
  readonly code: ProblemCode | LocalCode;
  readonly requestId: string | undefined;
  readonly problem: Problem | undefined;

  constructor({ status, code, detail, requestId, problem }: ApiErrorInput) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.problem = problem;
  }
}

export function isApiError(error: unknown): error is ApiError {
  return hasBrand(error, "api-error");
}

/** Returns whether a retry may help: the server was unreachable, busy, or failed by itself. */
export function isTransient(error: unknown): boolean {
  return isApiError(error) && (error.code === "network" || error.status >= 500 || error.status === 429);
}

const maximumShownLength = 300;

/**
 * Turns a failed response into an ApiError. Text that is not a problem document is shown only if it is short and not
 * markup: a proxy's error page says nothing to a person.
 */
export function parseErrorBody(status: number, text: string, requestId: string | undefined): ApiError {
  const problem = parseProblem(text);
  if (problem !== undefined) {
    return new ApiError({ status, code: problem.code, detail: problem.detail, requestId: problem.requestId, problem });
  }
  const plain = text.trim();
  const presentable = plain !== "" && plain.length <= maximumShownLength && !plain.startsWith("<");
  return new ApiError({
    status,
    code: status === 401 ? "unauthenticated" : "unreadable",
    detail: presentable ? plain : `The server answered ${status} without saying why.`,
    requestId,
  });
}

function parseProblem(text: string): Problem | undefined {
  const value = parseJson(text);
  return isProblem(value) ? value : undefined;
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "detail" in value &&
    typeof value.detail === "string"
  );
}
