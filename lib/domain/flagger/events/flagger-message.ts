/** The hook types of Flagger that hold a canary until it is approved. */
export type WaitingGate = "confirm-rollout" | "confirm-promotion" | "confirm-traffic-increase";

/** `nameIs`: the owner of the name in the message. Flagger names the Canary in some messages, its target in others. */
type OfCanary = { name: string; namespace: string; nameIs: "canary" };
type OfTarget = { name: string; namespace: string; nameIs: "target" };

/** Why a workload is not ready. Numbers are pods; undefined if the message has none. */
export type Readiness = {
  reason:
    | "generation-not-observed"
    | "replicas-updating"
    | "old-replicas-pending"
    | "replicas-unavailable"
    | "progress-deadline-exceeded"
    /** A text unknown to this version. */
    | "other";
  updated?: number;
  /** Old pods that are still there. */
  pending?: number;
  available?: number;
  wanted?: number;
  /** Percent of the wanted pods. */
  readyThreshold?: number;
  deadlineSeconds?: number;
};
export type ReadinessReason = Readiness["reason"];

type Lifecycle =
  | { kind: "metric-providers-ok" }
  | { kind: "metric-providers-error"; detail: string }
  | ({ kind: "initialized" } & OfCanary)
  | ({ kind: "run-started"; runBoundary: true } & OfTarget)
  | ({ kind: "run-restarted"; runBoundary: true } & OfTarget)
  /** May repeat while the weight is 0: never the start of a run. */
  | ({ kind: "analysis-tick-zero"; runBoundary: false } & OfTarget)
  | { kind: "suspended" }
  | ({ kind: "terminating" | "terminated" } & OfCanary);

type Progress =
  | ({ kind: "weight-advanced"; canaryWeight: number } & OfCanary)
  | ({ kind: "iteration-advanced"; iteration: number; iterations: number } & OfCanary)
  | { kind: "traffic-to-canary"; mirroringStopped: boolean }
  /** From here on the primary holds the new spec. */
  | ({ kind: "promotion-started"; primary: string } & OfTarget)
  | { kind: "traffic-to-primary" }
  | ({ kind: "primary-weight-advanced"; primaryWeight: number } & OfCanary)
  | ({ kind: "run-succeeded"; analysisSkipped: boolean } & OfTarget);

/** Failed checks of metrics. `metric` is undefined if the message does not name it. */
export type MetricHalt =
  | ({
      kind: "halt-metric";
      metric: string;
      /** In `unit`; may be infinite. */
      value: number;
      operator: "<" | ">";
      /** In `unit`. */
      threshold: number;
      /** Undefined for metrics other than the two that are built in. */
      unit: "percent" | "seconds" | undefined;
      countsAsFailedCheck: true;
    } & OfCanary)
  | {
      kind: "halt-no-values";
      metric: string;
      /** The mesh provider whose query it was; undefined for metrics with a query of their own. */
      provider: string | undefined;
      name?: string;
      namespace?: string;
      nameIs?: "target";
      detail: string | undefined;
      countsAsFailedCheck: true;
    }
  | { kind: "metric-query-error"; metric: string | undefined; detail: string; countsAsFailedCheck: true }
  | {
      kind: "metric-config-error";
      metric: undefined;
      /** The MetricTemplate, if the message names one. */
      template?: string;
      templateNamespace?: string;
      detail: string;
      countsAsFailedCheck: true;
    };

type Hooks =
  | ({ kind: "gate-waiting"; gate: WaitingGate; hookName: string; countsAsFailedCheck: false } & OfCanary)
  | { kind: "gate-passed"; gate: WaitingGate; hookName: string }
  | { kind: "hook-passed"; hook: "pre-rollout" | "post-rollout"; hookName: string }
  | ({
      kind: "halt-hook";
      hook: "pre-rollout" | "rollout";
      hookName: string;
      /** The hook's answer, or the reason why it is missing. May quote the hook's URL. */
      detail: string;
      /** Given if Flagger had retried: such answers are not quoted. */
      upstreamStatusClass: "5xx-or-429" | undefined;
      countsAsFailedCheck: true;
    } & OfCanary)
  | { kind: "post-rollout-failed"; hookName: string; detail: string; countsAsFailedCheck: false }
  | { kind: "rollback-hook-idle"; hookName: string }
  /** The hook asked for a rollback. */
  | { kind: "rollback-hook-fired"; hookName: string };

type Ends =
  | ({ kind: "rollback-threshold"; failedChecks: number } & OfCanary)
  | ({ kind: "rollback-manual" } & OfCanary)
  | ({ kind: "rollback-deadline"; detail: string } & OfCanary)
  /** Does not contain the cause; see `findCause`. */
  | ({ kind: "run-failed-rolled-back" } & OfCanary)
  | ({
      kind: "promotion-failed";
      cause: ReadinessReason | undefined;
      detail: string;
      severity: "critical";
      minFlaggerVersion: "1.44.0";
    } & OfTarget);

export type WorkloadNotReady = {
  kind: "workload-not-ready";
  role: "primary" | "canary";
  /** Undefined in the one old form that does not name it. */
  workload: string | undefined;
  namespace: string | undefined;
  /** False: Flagger gives up at once. Undefined if the message does not contain it. */
  retriableFromMessage: boolean | undefined;
  /** A form of releases before 1.0. */
  legacyFormat: boolean;
  detail: string;
} & Readiness;

type Others =
  | { kind: "config-warning"; iterations?: number; detail: string }
  /** An error of the Kubernetes API or of the router, which ended the tick. */
  | { kind: "controller-error"; detail: string }
  | { kind: "unknown" };

/** The parsed content of a message. */
export type MessageFacts = Lifecycle | Progress | MetricHalt | Hooks | Ends | WorkloadNotReady | Others;

export type FlaggerMessage = MessageFacts & {
  /** The message without the prefix of aggregation, else verbatim. */
  text: string;
  /** Kubernetes had replaced earlier, similar messages by this one: they are lost. */
  aggregated: boolean;
};
export type MessageKind = FlaggerMessage["kind"];
