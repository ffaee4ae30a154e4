import type { Redaction } from "#lib/domain/storable/redact-object.ts";
import type { EvaluationPool, EvaluationRequest, Outcome } from "./evaluation-pool.ts";

/** In characters. Up to this size, redaction takes a few milliseconds (every rule is linear): no thread is needed. */
export const largestInline = 64 * 1024;

/** After this long a redaction is stopped, with its thread. One of the largest object takes about half a second. */
export const redactWithinMs = 5000;

/** Redacts an object in a thread. It is sent as text, which takes a fraction of the time that a clone would. */
export async function redactInThread(
  evaluations: Pick<EvaluationPool, "run">,
  object: unknown,
  request: Omit<EvaluationRequest, "parts">,
): Promise<Outcome<Redaction>> {
  const outcome = await evaluations.run("redact", JSON.stringify(object), request);
  if ("refused" in outcome) return outcome;
  const { text, secrets } = outcome.value;
  return { value: { value: JSON.parse(text), secrets } };
}
