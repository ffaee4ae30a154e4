import type { FlaggerMessage, MessageFacts } from "./flagger-message.ts";
import { failedHookRules, hookRules } from "./hook-rules.ts";
import { isControllerError } from "./is-controller-error.ts";
import { lifecycleRules } from "./lifecycle-rules.ts";
import { applyRules } from "./message-parts.ts";
import { metricRules } from "./metric-rules.ts";
import { readinessRules } from "./readiness-rules.ts";

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

function parseFacts(text: string): MessageFacts {
  return (
    applyRules(rules, text) ??
    (isControllerError(text) ? { kind: "controller-error", detail: text } : { kind: "unknown" })
  );
}
