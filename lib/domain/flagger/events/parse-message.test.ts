import { describe, expect, it } from "vitest";
import { eventMessages } from "#test/fixtures/conformance/flagger-cases.json" with { type: "json" };
import { readRealFlagger, realFlaggerVersions } from "#test/real-flagger.ts";
import { parseMessage } from "./parse-message.ts";

/** Fields whose words have underscores in the cases and hyphens in our code. */
const wordFields = ["kind", "reason", "cause", "upstreamStatusClass"];
/** The fields of a case in prose; `detailContains` is compared on its own. */
const proseFields = ["note", "detailContains"];

const shop = { name: "shop.api.v2", namespace: "prod" };
const ofShop = { ...shop, nameIs: "canary" };

/** The formats and ambiguities that the conformance cases leave out. */
const cases: { message: string; facts: object }[] = [
  // Starts, steps and ends.
  { message: "Initialization done! shop.api.v2.prod", facts: { kind: "initialized", ...ofShop } },
  {
    message: "New revision detected! Restarting analysis for shop.api.v2.prod",
    facts: { kind: "run-restarted", ...shop, nameIs: "target", runBoundary: true },
  },
  { message: "skipping canary run as object is suspended", facts: { kind: "suspended" } },
  {
    message: "Advance shop.api.v2.prod canary iteration 10/10",
    facts: { kind: "iteration-advanced", ...ofShop, iteration: 10, iterations: 10 },
  },
  {
    message: "Advance shop.api.v2.prod primary weight 90",
    facts: { kind: "primary-weight-advanced", ...ofShop, primaryWeight: 90 },
  },
  { message: "Routing all traffic to canary", facts: { kind: "traffic-to-canary", mirroringStopped: false } },
  { message: "Routing all traffic to primary", facts: { kind: "traffic-to-primary" } },
  {
    message: "Promotion completed! Scaling down shop.api.v2.prod",
    facts: { kind: "run-succeeded", ...shop, nameIs: "target", analysisSkipped: false },
  },
  {
    message: "Rolling back shop.api.v2.prod progress deadline exceeded canary deployment not ready",
    facts: { kind: "rollback-deadline", ...ofShop, detail: "canary deployment not ready" },
  },
  {
    message: "Promotion of shop.api.v2.prod failed, primary not ready: quota used up",
    facts: { kind: "promotion-failed", cause: undefined, detail: "quota used up" },
  },
  {
    message:
      "Promotion of a.b failed, primary not ready: primary daemonset a-primary.b not ready: exceeded its progressDeadlineSeconds: 60",
    facts: { kind: "promotion-failed", cause: "progress-deadline-exceeded" },
  },
  {
    message: "Progressive traffic is not supported when using the kubernetes provider",
    facts: { kind: "config-warning" },
  },
  // Metrics.
  {
    message: "Halt shop.api.v2.prod advancement success rate 98.50% < 99%",
    facts: {
      kind: "halt-metric",
      ...ofShop,
      metric: "request-success-rate",
      value: 98.5,
      operator: "<",
      threshold: 99,
    },
  },
  {
    message: "Halt a.b advancement success rate 100.00% > 99.5%",
    facts: { value: 100, operator: ">", threshold: 99.5, unit: "percent" },
  },
  {
    message: "Halt a.b advancement success rate 0.00% < 99%",
    facts: { metric: "request-success-rate", value: 0, unit: "percent" },
  },
  {
    message: "Halt a.b advancement success rate 7.00 < 9",
    facts: { kind: "halt-metric", metric: "success rate", value: 7, threshold: 9, unit: undefined },
  },
  {
    message: "Halt a.b advancement request duration 1h2m0.5s > 1m0s",
    facts: { metric: "request-duration", value: 3720.5, threshold: 60, unit: "seconds" },
  },
  {
    message: "Halt a.b advancement request duration 0s < 15ms",
    facts: { metric: "request-duration", value: 0, operator: "<", threshold: 0.015 },
  },
  {
    message: "Halt a.b advancement request duration 150\u00b5s > 100ns",
    facts: { metric: "request-duration", value: 0.00015, threshold: 0.0000001 },
  },
  {
    message: "Halt a.b advancement request duration 725.40 > 500",
    facts: { metric: "request duration", value: 725.4, threshold: 500, unit: undefined },
  },
  {
    message: "Halt a.b advancement advancement of the check v1.2 -0.50 < 1e-05",
    facts: { kind: "halt-metric", metric: "advancement of the check v1.2", value: -0.5, threshold: 0.00001 },
  },
  {
    message: "Halt a.b advancement queue 1.00 > 0 2.00 > 1e+06",
    facts: { metric: "queue 1.00 > 0", value: 2, threshold: 1_000_000 },
  },
  {
    message: "Halt a.b advancement lag +Inf > 5",
    facts: { metric: "lag", value: Number.POSITIVE_INFINITY, operator: ">", threshold: 5 },
  },
  {
    message: "Halt a.b advancement waiting for approval rate 0.50 < 1",
    facts: { kind: "halt-metric", metric: "waiting for approval rate" },
  },
  {
    message: "Halt a.b advancement external check latency 5.00 > 3",
    facts: { kind: "halt-metric", metric: "external check latency" },
  },
  {
    message:
      "Halt advancement no values found for kubernetes:service metric request-duration probably a.b is not receiving traffic",
    facts: {
      kind: "halt-no-values",
      metric: "request-duration",
      provider: "kubernetes:service",
      name: "a",
      namespace: "b",
      detail: undefined,
    },
  },
  {
    message: "Halt advancement no values found for metric: 404s of the check v1.2",
    facts: { kind: "halt-no-values", metric: "404s of the check v1.2" },
  },
  {
    message:
      "Halt advancement no values found for custom metric: 404s percentage: invalid response: []: no values found",
    facts: { metric: "404s percentage", detail: "invalid response: []: no values found" },
  },
  {
    message: "Metric query failed for p95 of v1.2: error response: 500",
    facts: { kind: "metric-query-error", metric: "p95 of v1.2", detail: "error response: 500" },
  },
  {
    message: 'Metric template latency.monitoring error: metrictemplates.flagger.app "latency" not found',
    facts: {
      kind: "metric-config-error",
      template: "latency",
      templateNamespace: "monitoring",
      countsAsFailedCheck: true,
    },
  },
  {
    message: 'Metric template latency.monitoring secret keys error: secrets "keys" not found',
    facts: { kind: "metric-config-error", template: "latency", detail: 'secret keys error: secrets "keys" not found' },
  },
  {
    message: "Metric template latency.monitoring query render error: template parsing failed",
    facts: { kind: "metric-config-error", template: "latency" },
  },
  {
    message: "Error building Prometheus client for http://metrics parse error",
    facts: { kind: "metric-config-error", metric: undefined, countsAsFailedCheck: true },
  },
  // Hooks.
  {
    message: "Halt shop.api.v2.prod advancement waiting for approval ask the check",
    facts: { kind: "gate-waiting", gate: "confirm-rollout", hookName: "ask the check", ...ofShop },
  },
  {
    message: "Confirm-rollout check check passed passed",
    facts: { kind: "gate-passed", gate: "confirm-rollout", hookName: "check passed" },
  },
  {
    message: "Confirm-traffic-increase check traffic gate passed",
    facts: { kind: "gate-passed", gate: "confirm-traffic-increase", hookName: "traffic gate" },
  },
  {
    message: "Halt a.b advancement pre-rollout check helm test v1.2 failed test failed 5.00 > 3",
    facts: {
      kind: "halt-hook",
      hook: "pre-rollout",
      hookName: "helm test v1.2",
      detail: "test failed 5.00 > 3",
      upstreamStatusClass: undefined,
    },
  },
  {
    message: "Halt a.b advancement external check failed check failed <html>\n</html>",
    facts: { kind: "halt-hook", hook: "rollout", hookName: "failed check", detail: "<html>\n</html>" },
  },
  { message: "Halt a.b advancement external check load failed ", facts: { hookName: "load", detail: "" } },
  { message: "Halt a.b advancement external check load failed", facts: { hookName: "load", detail: "" } },
  { message: "Post-rollout check notify passed", facts: { kind: "hook-passed", hook: "post-rollout" } },
  { message: "Rollback check undo gate passed", facts: { kind: "rollback-hook-fired", hookName: "undo gate" } },
  // Readiness.
  {
    message: "canary damonset agent.infra not ready with retryable false: exceeded its progressDeadlineSeconds: 600",
    facts: {
      kind: "workload-not-ready",
      role: "canary",
      workload: "agent",
      namespace: "infra",
      reason: "progress-deadline-exceeded",
      deadlineSeconds: 600,
      retriableFromMessage: false,
    },
  },
  {
    message:
      "canary damonset agent.infra not ready with retryable true: waiting for rollout to finish: 2 out of 5 new pods have been updated",
    facts: { reason: "replicas-updating", updated: 2, wanted: 5, retriableFromMessage: true, legacyFormat: false },
  },
  {
    message:
      "primary daemonset agent-primary.infra not ready: waiting for rollout to finish: observed daemonset generation less than desired generation",
    facts: { role: "primary", workload: "agent-primary", reason: "generation-not-observed" },
  },
  {
    message: 'shop.api-primary.prod not ready: deployment "shop.api-primary" exceeded its progress deadline',
    facts: {
      role: "primary",
      workload: "shop.api-primary",
      namespace: "prod",
      reason: "progress-deadline-exceeded",
      retriableFromMessage: false,
    },
  },
  {
    message: "podinfo-primary.test not ready: the moon is in the way",
    facts: { kind: "workload-not-ready", reason: "other", detail: "the moon is in the way" },
  },
  {
    message: "Halt advancement podinfo.test waiting for rollout to finish: 1 of 2 updated replicas are available",
    facts: {
      role: "canary",
      reason: "replicas-unavailable",
      available: 1,
      wanted: 2,
      legacyFormat: true,
      retriableFromMessage: undefined,
    },
  },
  {
    message:
      "halt advancement agent-primary.infra waiting for rollout to finish: observed daemonset generation less then desired generation",
    facts: { role: "primary", reason: "generation-not-observed", legacyFormat: true },
  },
  {
    message: "deployment does not have minimum availability for more than 60s",
    facts: { kind: "workload-not-ready", role: "canary", workload: undefined, deadlineSeconds: 60, legacyFormat: true },
  },
  // Errors without a format of their own.
  ...[
    "TrafficSplit a.b get query error the server could not find the requested resource",
    "updating canary a.b status failed: conflict",
    "failed after retries: canary a.b get query failed: timeout",
    "scaling up a.b to 2 failed: forbidden",
    "halt a.b advancement: primary deployment is scaled to zero",
    "Halt a.b advancement primary deployment is scaled to zero",
    "deployment a.b spec.selector.matchLabels must contain one of [app name]",
    "VirtualService a.b does not contain routes for a-primary and a-canary",
    "Knative Revision a-1.b is not ready",
  ].map((message) => ({ message, facts: { kind: "controller-error", detail: message } })),
  // Kept as they are.
  ...[
    "",
    "Halt",
    "Halt nodot advancement x 1.00 > 2",
    "Advance a.b canary weight many",
    "Confirm-lunch check x passed",
  ].map((message) => ({ message, facts: { kind: "unknown", text: message, aggregated: false } })),
  {
    message: "(combined from similar events): something new",
    facts: { kind: "unknown", text: "something new", aggregated: true },
  },
];

describe("parseMessage", () => {
  it.each(eventMessages)("$id $message", ({ message, expect: wanted }) => {
    const parsed: Record<string, unknown> = parseMessage(message);
    const named = Object.entries(wanted).filter(([field]) => !proseFields.includes(field));
    const expected = named.map(([field, value]) => [
      field,
      wordFields.includes(field) ? String(value).replaceAll("_", "-") : (value ?? undefined),
    ]);
    expect(Object.fromEntries(named.map(([field]) => [field, parsed[field]]))).toEqual(Object.fromEntries(expected));
    if ("detailContains" in wanted) expect(parsed.detail).toContain(wanted.detailContains);
    expect(parsed.text).toBe(parsed.aggregated === true ? message.slice(message.indexOf(": ") + 2) : message);
  });

  it.each(realFlaggerVersions)("knows every message that Flagger %s recorded", (version) => {
    const messages = readRealFlagger<RealEvent>(version, "events")
      .filter(({ object }) => object.involvedObject.kind === "Canary")
      .map(({ object }) => object.message);
    expect(messages.length).toBeGreaterThan(100);
    expect(new Set(messages.filter((message) => parseMessage(message).kind === "unknown"))).toEqual(new Set());
  });

  it.each(cases)("$message", ({ message, facts }) => {
    expect(parseMessage(message)).toMatchObject(facts);
  });
});

type RealEvent = { involvedObject: { kind: string }; message: string };
