import type { Problem } from "./generated/operations.ts";
import { readWhole } from "./read-body.ts";

/** Codes of failures that are no answer of Gatehouse. */
export type LocalCode = "network" | "timeout" | "unreadable";

type Given = {
  status: number;
  code: Problem["code"] | LocalCode;
  detail: string;
  problem?: Problem | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/**
 * A request that failed. Decide by `code`: a later version of Gatehouse may have further codes, so treat one that you do
 * not know like its `status`.
 */
export class GatehouseError extends Error {
  override readonly name = "GatehouseError";
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly code: Problem["code"] | LocalCode;
  /** The whole problem, if Gatehouse answered with one: `invalidParams`, `changes`, and so on. */
  readonly problem: Problem | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, detail, problem, requestId, retryAfterSeconds, cause }: Given) {
    super(detail, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.problem = problem;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same request may succeed later: no answer, too many requests, or a failure of the server itself. */
  get isTransient(): boolean {
    return this.code === "network" || this.code === "timeout" || this.status === 429 || this.status >= 500;
  }
}

/** Returns whether something thrown is a `GatehouseError`, of this code if one is given. */
export function isGatehouseError(error: unknown, code?: GatehouseError["code"]): error is GatehouseError {
  return (
    error instanceof Error &&
    error.name === "GatehouseError" &&
    (code === undefined || (error as GatehouseError).code === code)
  );
}

const longestShown = 300;

/** Reads the error of an answer. Text that is no problem is passed on only if it is short and no markup. */
export async function readError(response: Response): Promise<GatehouseError> {
  const text = await readWhole(response).catch(() => "");
  const problem = parseProblem(text);
  const answer = describeAnswer(response);
  if (problem !== undefined) {
    const { code, detail, requestId } = problem;
    return new GatehouseError({ requestId, ...answer, code, detail, problem });
  }
  const plain = text.trim();
  const isShown = plain !== "" && plain.length <= longestShown && !plain.startsWith("<");
  return new GatehouseError({
    ...answer,
    code: response.status === 401 ? "unauthenticated" : "unreadable",
    detail: isShown ? plain : `The server answered ${response.status} without saying why.`,
  });
}

/** Returns what the head of an answer tells about a failure. */
export function describeAnswer({
  status,
  headers,
}: Response): Pick<Given, "status" | "requestId" | "retryAfterSeconds"> {
  const requestId = headers.get("x-request-id");
  const retryAfter = headers.get("retry-after");
  return {
    status,
    ...(requestId === null ? {} : { requestId }),
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
  };
}

function parseProblem(text: string): Problem | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { code, detail } = (typeof value === "object" && value !== null ? value : {}) as Partial<Problem>;
  return typeof code === "string" && typeof detail === "string" ? (value as Problem) : undefined;
}
