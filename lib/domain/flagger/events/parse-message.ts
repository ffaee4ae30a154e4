import type { FlaggerMessage, MessageFacts } from "./flagger-message.ts";
import { failedHookRules, hookRules } from "./hook-rules.ts";
import { lifecycleRules, readinessRules } from "./lifecycle-rules.ts";
import { applyRules } from "./message-parts.ts";
import { metricRules } from "./metric-rules.ts";

/** The order decides where formats overlap: a metric may be called "waiting for approval rate". */
const rules = [...lifecycleRules, ...failedHookRules, ...metricRules, ...hookRules, ...readinessRules];

/** What client-go writes before the newest of more than ten similar events within ten minutes. */
const aggregation = "(combined from similar events): ";

/**
 * Parses the message of a Kubernetes event or of the event webhook. Flagger writes its state only as text: these are
 * the formats of release 1.44.0 (fluxcd/flagger pkg/controller, pkg/canary), and older ones that are still in use. A
 * message of no known format becomes `unknown`. Never throws.
 */
export function parseMessage(message: string): FlaggerMessage {
  const aggregated = message.startsWith(aggregation);
  const text = aggregated ? message.slice(aggregation.length) : message;
  return { ...parseFacts(text), text, aggregated };
}

/**
 * The rules read no more of a message. Kubernetes allows an event 1,024 bytes; the event webhook has no limit. Only what
 * another server said to Flagger is that long, and a rule takes it as it is, up to its end.
 */
const maxRead = 4_096;

function parseFacts(text: string): MessageFacts {
  const head = text.slice(0, maxRead);
  const facts = applyRules(rules, head);
  if (facts === undefined)
    return isControllerError(head) ? { kind: "controller-error", detail: text } : { kind: "unknown" };
  if (head.length === text.length || !("detail" in facts) || facts.detail === undefined) return facts;
  return head.endsWith(facts.detail) ? { ...facts, detail: facts.detail + text.slice(maxRead) } : facts;
}

/**
 * Flagger records the errors of its routers and of the Kubernetes API as they are: fluxcd/flagger pkg/router and
 * pkg/canary. They share no prefix, only these forms.
 */
const forms: readonly RegExp[] = [
  /\b(?:get|query|update|create|patch|initializing|backendWeights) (?:error|failed)\b/,
  /\bfailed ?: /,
  /\b(?:failed to|failed after retries|unable to|could not get|cannot have|can't (?:use|access)) /,
  /\b(?:not found|not exist|traffic spec invalid|selector is empty|no valid weights|scaled to zero)\b/,
  /\bmust (?:have RollingUpdate strategy|contain one of|be specified)\b/,
  /\bdoes not contain routes for\b/,
  /^TargetRef\.Kind invalid: /,
  /^Invalid request matching selectors: /,
  /^Gateway API doesn't support the specified /,
  /^(?:Knative Revision|HTTPRoute) .* is not ready\b/,
  / spec\.http is empty$/,
  / only one http backend is supported$/,
  /^Can not find \S+ backend /,
];

/** Returns whether a message that fits no format is an error that ended a tick. */
export function isControllerError(text: string): boolean {
  return forms.some((form) => form.test(text));
}
