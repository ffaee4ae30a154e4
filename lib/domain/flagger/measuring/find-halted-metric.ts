import type { FlaggerMessage } from "#lib/domain/flagger/events/flagger-message.ts";
import type { MetricCheck } from "./analysis-spec.ts";
import { readBounds, unitOf } from "./draw-range.ts";

/** The result of a halted round for each metric, by label. A metric that is in none of the lists is unknown. */
export type HaltedRound = {
  /** The metric that halted it; undefined for hooks, or if the message does not name it. */
  halted: string | undefined;
  passed: string[];
  notEvaluated: string[];
};

/**
 * Finds the metric that halted a round: the checks before it passed, those behind it were not evaluated. A metric that
 * the spec no longer has leaves the others unknown.
 */
export function findHaltedMetric(message: FlaggerMessage, checks: readonly MetricCheck[]): HaltedRound {
  const all = unique(checks);
  if (message.kind === "halt-hook") return { halted: undefined, passed: [], notEvaluated: all };
  const found = findChecks(message, checks);
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return { halted: nameOf(message), passed: [], notEvaluated: [] };
  const candidates = new Set(found.map((index) => checks[index]?.label));
  const isCertain = candidates.size === 1;
  const early = new Set(unique(checks.slice(0, first)));
  const late = new Set(unique(checks.slice((isCertain ? first : last) + 1)));
  const others = all.filter((label) => !candidates.has(label));
  return {
    halted: isCertain ? checks[first]?.label : undefined,
    passed: others.filter((label) => early.has(label) && !late.has(label)),
    notEvaluated: others.filter((label) => late.has(label)),
  };
}

/** Returns the indexes of the checks that a message can be about. */
function findChecks(message: FlaggerMessage, checks: readonly MetricCheck[]): number[] {
  const indexesOf = (fits: (check: MetricCheck) => boolean) =>
    checks.flatMap((check, index) => (fits(check) ? [index] : []));
  switch (message.kind) {
    case "halt-metric": {
      const isBuiltin = message.unit !== undefined;
      const named = indexesOf(({ metric, how }) => metric.name === message.metric && (how === "builtin") === isBuiltin);
      const bound = named.filter((index) => setsBound(checks[index], message));
      return bound.length > 0 ? bound.slice(0, 1) : named.slice(0, 1);
    }
    case "halt-no-values":
    case "metric-query-error": {
      const { metric: name, detail } = message;
      if (name === undefined) return indexesOf(({ how }) => how === "builtin");
      const own = indexesOf(({ metric, how }) => metric.name === name && (how === "builtin") === isOfMesh(message));
      if (own.length > 0) return own.slice(0, 1);
      // A name may contain ": ", which ends it in the message.
      const text = `${name}: ${detail ?? ""}`;
      return indexesOf(({ metric }) => text.startsWith(`${metric.name}: `)).slice(0, 1);
    }
    case "metric-config-error": {
      if (message.template !== undefined) {
        const { template, templateNamespace } = message;
        const isNamed = ({ metric: { templateRef }, how }: MetricCheck) =>
          how === "template" &&
          templateRef?.name === template &&
          (!templateRef.namespace || templateRef.namespace === templateNamespace);
        return indexesOf(isNamed).slice(0, 1);
      }
      return message.detail.startsWith("no usable") ? indexesOf(({ how }) => how === "none").slice(0, 1) : [];
    }
    default:
      return [];
  }
}

function isOfMesh(message: FlaggerMessage): boolean {
  return message.kind === "halt-no-values" && message.provider !== undefined;
}

function setsBound(
  check: MetricCheck | undefined,
  { operator, threshold, unit }: Extract<FlaggerMessage, { kind: "halt-metric" }>,
): boolean {
  if (check === undefined || unitOf(check.metric) !== unit) return false;
  return readBounds(check.metric).some(
    ({ side, value }) => side === (operator === "<" ? "min" : "max") && value === threshold,
  );
}

function nameOf(message: FlaggerMessage): string | undefined {
  return "metric" in message ? message.metric : undefined;
}

function unique(checks: readonly MetricCheck[]): string[] {
  return [...new Set(checks.map(({ label }) => label))];
}
