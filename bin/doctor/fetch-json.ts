import { readLimited } from "#lib/util/read-limited.ts";

const answerWithinMs = 5000;
const maxAnswerBytes = 1024 * 1024;

/** Gets a JSON object. Throws one sentence that ends with what to mend. */
export async function fetchJson(address: string, mend: string): Promise<Record<string, unknown>> {
  const response = await fetchOnce(address, mend);
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}: ${mend}`);
  const value = await readLimited(response.body, maxAnswerBytes)
    .then((text): unknown => JSON.parse(text ?? ""))
    .catch(() => undefined);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${address} does not answer with a JSON object: ${mend}`);
  return { ...value };
}

/** Gets an address once, without following redirects. Throws if there is no answer. */
export async function fetchOnce(address: string, mend: string): Promise<Response> {
  const signal = AbortSignal.timeout(answerWithinMs);
  try {
    return await fetch(address, { redirect: "manual", signal });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = signal.aborted ? `no answer within ${answerWithinMs / 1000} s` : reasonOf(cause);
    throw new Error(`${address} cannot be reached (${reason}): ${mend}`);
  }
}

/** Returns the code of a system error, which says more than its message, or the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
