import type { Readiness, WorkloadNotReady } from "./flagger-message.ts";
import { type MessageRule, ofCanary, ofTarget, splitName } from "./message-parts.ts";

/** Starts, steps and ends of a run: fluxcd/flagger pkg/controller/scheduler.go, controller.go and finalizer.go. */
export const lifecycleRules: readonly MessageRule[] = [
  { pattern: /^all the metrics providers are available!$/, read: () => ({ kind: "metric-providers-ok" }) },
  {
    pattern: /^Error checking metric providers: (?<detail>.*)$/s,
    read: ({ detail = "" }) => ({ kind: "metric-providers-error", detail }),
  },
  {
    pattern: /^Initialization done! (?<canary>\S+)$/,
    read: ({ canary }) => withName(ofCanary(canary), { kind: "initialized" }),
  },
  {
    pattern: /^New revision detected! Scaling up (?<target>\S+)$/,
    read: ({ target }) => withName(ofTarget(target), { kind: "run-started", runBoundary: true }),
  },
  {
    pattern: /^New revision detected! Restarting analysis for (?<target>\S+)$/,
    read: ({ target }) => withName(ofTarget(target), { kind: "run-restarted", runBoundary: true }),
  },
  {
    pattern: /^Starting canary analysis for (?<target>\S+)$/,
    read: ({ target }) => withName(ofTarget(target), { kind: "analysis-tick-zero", runBoundary: false }),
  },
  { pattern: /^skipping canary run as object is suspended$/, read: () => ({ kind: "suspended" }) },
  {
    pattern: /^Terminating canary (?<canary>\S+)$/,
    read: ({ canary }) => withName(ofCanary(canary), { kind: "terminating" }),
  },
  {
    pattern: /^Terminated canary (?<canary>\S+)$/,
    read: ({ canary }) => withName(ofCanary(canary), { kind: "terminated" }),
  },
  {
    pattern: /^Advance (?<canary>\S+) canary weight (?<weight>\d+)$/,
    read: ({ canary, weight }) => withName(ofCanary(canary), { kind: "weight-advanced", canaryWeight: Number(weight) }),
  },
  {
    pattern: /^Advance (?<canary>\S+) canary iteration (?<iteration>-?\d+)\/(?<iterations>\d+)$/,
    read: ({ canary, iteration, iterations }) =>
      withName(ofCanary(canary), {
        kind: "iteration-advanced",
        iteration: Number(iteration),
        iterations: Number(iterations),
      }),
  },
  {
    pattern: /^Advance (?<canary>\S+) primary weight (?<weight>\d+)$/,
    read: ({ canary, weight }) =>
      withName(ofCanary(canary), { kind: "primary-weight-advanced", primaryWeight: Number(weight) }),
  },
  {
    pattern: /^Routing all traffic to canary$/,
    read: () => ({ kind: "traffic-to-canary", mirroringStopped: false }),
  },
  {
    pattern: /^Stop traffic mirroring and route all traffic to canary$/,
    read: () => ({ kind: "traffic-to-canary", mirroringStopped: true }),
  },
  { pattern: /^Routing all traffic to primary$/, read: () => ({ kind: "traffic-to-primary" }) },
  {
    pattern: /^Copying (?<target>\S+) template spec to (?<primary>\S+)$/,
    read: ({ target, primary }) => {
      const copied = splitName(primary);
      return copied && withName(ofTarget(target), { kind: "promotion-started", primary: copied.name });
    },
  },
  {
    pattern: /^Promotion completed! (?<how>Scaling down|Canary analysis was skipped for) (?<target>\S+)$/,
    read: ({ how, target }) =>
      withName(ofTarget(target), { kind: "run-succeeded", analysisSkipped: how !== "Scaling down" }),
  },
  {
    pattern: /^Rolling back (?<canary>\S+) failed checks threshold reached (?<checks>\d+)$/,
    read: ({ canary, checks }) =>
      withName(ofCanary(canary), { kind: "rollback-threshold", failedChecks: Number(checks) }),
  },
  {
    pattern: /^Rolling back (?<canary>\S+) manual webhook invoked$/,
    read: ({ canary }) => withName(ofCanary(canary), { kind: "rollback-manual" }),
  },
  {
    // Releases before 1.36.1 only.
    pattern: /^Rolling back (?<canary>\S+) progress deadline exceeded(?: (?<detail>.*))?$/s,
    read: ({ canary, detail = "" }) => withName(ofCanary(canary), { kind: "rollback-deadline", detail }),
  },
  {
    pattern: /^Canary failed! Scaling down (?<canary>\S+)$/,
    read: ({ canary }) => withName(ofCanary(canary), { kind: "run-failed-rolled-back" }),
  },
  {
    pattern: /^Promotion of (?<target>\S+) failed, primary not ready: (?<detail>.*)$/s,
    read: ({ target, detail = "" }) => {
      const { reason } = parseReadiness(detail);
      return withName(ofTarget(target), {
        kind: "promotion-failed",
        cause: reason === "other" ? undefined : reason,
        detail,
        severity: "critical",
        minFlaggerVersion: "1.44.0",
      });
    },
  },
  {
    pattern: /^(?<detail>(?:A\/B testing|Progressive traffic) is not supported when using the kubernetes provider)$/,
    read: ({ detail = "" }) => ({ kind: "config-warning", detail }),
  },
  {
    pattern: /^(?<detail>Setting canaryAnalysis\.iterations: (?<iterations>\d+))$/,
    read: ({ detail = "", iterations }) => ({ kind: "config-warning", iterations: Number(iterations), detail }),
  },
];

function withName<const Name extends object, const Facts extends object>(
  name: Name | undefined,
  facts: Facts,
): (Name & Facts) | undefined {
  return name === undefined ? undefined : { ...name, ...facts };
}

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
