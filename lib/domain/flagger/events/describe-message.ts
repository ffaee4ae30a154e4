import type { FlaggerMessage, Readiness, WaitingGate } from "./flagger-message.ts";

const waits: Readonly<Record<WaitingGate, string>> = {
  "confirm-rollout": "to start",
  "confirm-promotion": "to promote",
  "confirm-traffic-increase": "to increase the traffic",
};

/** Describes a message in a short sentence for the timeline; an unknown one in its own words. */
export function describeMessage(message: FlaggerMessage): string {
  switch (message.kind) {
    case "metric-providers-ok":
      return "The metrics providers are available";
    case "metric-providers-error":
      return `The metrics providers are not available: ${message.detail}`;
    case "initialized":
      return "Initialized: the primary runs";
    case "run-started":
      return "New revision: the canary scales up";
    case "run-restarted":
      return "Newer revision: the analysis begins again";
    case "analysis-tick-zero":
      return "The analysis begins";
    case "suspended":
      return "Suspended: Flagger does nothing";
    case "terminating":
      return "Deletion has begun";
    case "terminated":
      return "Deleted";
    case "weight-advanced":
      return `Canary weight ${message.canaryWeight} %`;
    case "iteration-advanced":
      return `Iteration ${message.iteration} of ${message.iterations}`;
    case "traffic-to-canary":
      return message.mirroringStopped ? "Mirroring stops; all traffic to the canary" : "All traffic to the canary";
    case "promotion-started":
      return "Promotion: the new spec is copied to the primary";
    case "traffic-to-primary":
      return "All traffic to the primary";
    case "primary-weight-advanced":
      return `Primary weight ${message.primaryWeight} %`;
    case "run-succeeded":
      return message.analysisSkipped ? "Promoted without analysis" : "Promoted";
    default:
      return describeTrouble(message);
  }
}

/** Describes halts, hooks and bad ends. */
function describeTrouble(message: FlaggerMessage): string {
  switch (message.kind) {
    case "halt-metric":
      return `Check failed: ${message.metric} ${formatHalt(message)}`;
    case "halt-no-values":
      return `Check failed: no values for ${message.metric}`;
    case "metric-query-error":
      return `Check failed: ${message.metric ?? "a built-in metric"} could not be queried: ${message.detail}`;
    case "metric-config-error":
      return message.template === undefined
        ? `Check failed: ${message.detail}`
        : `Check failed: metric template ${message.template}: ${message.detail}`;
    case "gate-waiting":
      return `Waits for approval ${waits[message.gate]} (${message.hookName})`;
    case "gate-passed":
      return `Approved ${waits[message.gate]} (${message.hookName})`;
    case "hook-passed":
      return `Hook ${message.hookName} passed`;
    case "halt-hook":
      return `Check failed: hook ${message.hookName}${suffix(message.detail)}`;
    case "post-rollout-failed":
      return `Hook ${message.hookName} failed${suffix(message.detail)}`;
    case "rollback-hook-idle":
      return `Hook ${message.hookName} asks for no rollback`;
    case "rollback-hook-fired":
      return `Hook ${message.hookName} asks for a rollback`;
    case "rollback-threshold":
      return `Rolls back: ${message.failedChecks} failed ${message.failedChecks === 1 ? "check" : "checks"}`;
    case "rollback-manual":
      return "Rolls back because a hook asked for it";
    case "rollback-deadline":
      return `Rolls back: progress deadline exceeded${suffix(message.detail)}`;
    case "run-failed-rolled-back":
      return "Failed: all traffic to the primary, the canary scales down";
    case "promotion-failed":
      return `Promotion failed: the primary is not ready${suffix(message.detail)}`;
    case "workload-not-ready":
      return `The ${message.role} is not ready: ${describeReadiness(message)}`;
    default:
      return message.text;
  }
}

function suffix(detail: string): string {
  return detail === "" ? "" : `: ${detail}`;
}

function formatHalt(halt: Extract<FlaggerMessage, { kind: "halt-metric" }>): string {
  const unit = halt.unit === "percent" ? " %" : halt.unit === "seconds" ? " s" : "";
  const word = halt.operator === "<" ? "below" : "above";
  return `${halt.value}${unit} is ${word} ${halt.threshold}${unit}`;
}

function describeReadiness({ reason, updated, pending, available, wanted, detail }: Readiness & { detail: string }) {
  switch (reason) {
    case "generation-not-observed":
      return "its controller has not seen the new spec yet";
    case "replicas-updating":
      return `${updated} of ${wanted} pods are updated`;
    case "old-replicas-pending":
      return `${pending} old ${pending === 1 ? "pod is" : "pods are"} still there`;
    case "replicas-unavailable":
      return `${available} of ${wanted} updated pods are available`;
    case "progress-deadline-exceeded":
      return "its progress deadline is exceeded";
    default:
      return detail;
  }
}
