import type { Readiness, WorkloadNotReady } from "./flagger-message.ts";
import { type MessageRule, splitName } from "./message-parts.ts";

/**
 * Workloads that are not ready: fluxcd/flagger pkg/canary/deployment_ready.go and daemonset_ready.go. The last two are
 * forms of releases before 1.0, which named no role: a primary is told by its suffix.
 */
export const readinessRules: readonly MessageRule[] = [
  {
    pattern: /^(?:primary (?:deployment|daemonset) )?(?<workload>\S+-primary\.[^\s.]+) not ready: (?<why>.*)$/s,
    read: ({ workload, why = "" }) => readNotReady({ role: "primary", workload, why }),
  },
  {
    // "damonset" is upstream's spelling.
    pattern:
      /^canary (?:deployment|dae?monset) (?<workload>\S+) not ready(?: with retryable (?<retriable>true|false))?: (?<why>.*)$/s,
    read: ({ workload, retriable, why = "" }) =>
      readNotReady({
        role: "canary",
        workload,
        why,
        retriable: retriable === undefined ? undefined : retriable === "true",
      }),
  },
  {
    pattern:
      /^[Hh]alt advancement (?<workload>\S+) (?<why>(?:waiting for rollout to finish|deployment ".*" exceeded|daemonset \S+ exceeded).*)$/s,
    read: ({ workload, why = "" }) =>
      readNotReady({
        role: splitName(workload)?.name.endsWith("-primary") === true ? "primary" : "canary",
        workload,
        why,
        isLegacy: true,
      }),
  },
  {
    pattern: /^(?<detail>deployment does not have minimum availability for more than (?<seconds>\d+)s)$/,
    read: ({ detail = "", seconds }) => ({
      kind: "workload-not-ready",
      role: "canary",
      workload: undefined,
      namespace: undefined,
      reason: "progress-deadline-exceeded",
      deadlineSeconds: Number(seconds),
      retriableFromMessage: false,
      legacyFormat: true,
      detail,
    }),
  },
];

function readNotReady({
  role,
  workload,
  why,
  retriable,
  isLegacy = false,
}: {
  role: "primary" | "canary";
  workload: string | undefined;
  why: string;
  retriable?: boolean | undefined;
  isLegacy?: boolean;
}): WorkloadNotReady | undefined {
  const named = splitName(workload);
  if (named === undefined) return undefined;
  const readiness = parseReadiness(why);
  return {
    kind: "workload-not-ready",
    role,
    workload: named.name,
    namespace: named.namespace,
    ...readiness,
    retriableFromMessage: readiness.reason === "progress-deadline-exceeded" ? false : retriable,
    legacyFormat: isLegacy,
    detail: why,
  };
}

const forms: readonly { pattern: RegExp; reason: Readiness["reason"] }[] = [
  { pattern: /observed (?:deployment|daemonset) generation less th[ae]n desired/, reason: "generation-not-observed" },
  {
    pattern: /(?<!\d)(?<updated>\d+) out of (?<wanted>\d+) new (?:replicas|pods) have been updated/,
    reason: "replicas-updating",
  },
  { pattern: /(?<!\d)(?<pending>\d+) old replicas are pending termination/, reason: "old-replicas-pending" },
  {
    pattern:
      /(?<!\d)(?<available>\d+) of (?<wanted>\d+)(?: \(readyThreshold (?<readyThreshold>\d+)%\))? updated (?:replicas|pods) are available/,
    reason: "replicas-unavailable",
  },
  { pattern: /exceeded its progressDeadlineSeconds: (?<deadlineSeconds>\d+)/, reason: "progress-deadline-exceeded" },
  { pattern: /exceeded its progress deadline/, reason: "progress-deadline-exceeded" },
];

/** Reads why a workload is not ready from the text behind "not ready: ". */
export function parseReadiness(why: string): Readiness {
  for (const { pattern, reason } of forms) {
    const match = pattern.exec(why);
    if (match === null) continue;
    const numbers = Object.entries(match.groups ?? {}).filter(([, digits]) => digits !== undefined);
    return { reason, ...Object.fromEntries(numbers.map(([name, digits]) => [name, Number(digits)])) };
  }
  return { reason: "other" };
}
