import { z } from "zod";
import { ActionNeeds } from "#lib/contract/action-needs.ts";
import { AuditActor, AuditOutcome } from "#lib/contract/audit.ts";
import {
  AnalysisPhase,
  ClusterIdentity,
  Link,
  RolloutKind,
  RolloutPhase,
  Strategy,
  Timestamp,
} from "#lib/contract/common.ts";
import { MetricEvidence } from "#lib/contract/evidence.ts";
import { OpenFindings } from "#lib/contract/open-findings.ts";
import { WaitHandling } from "#lib/contract/wait-handling.ts";
import { actionNames } from "#lib/domain/acting/action-catalogue.ts";
import { gateNames } from "#lib/domain/delivery/gate-decision.ts";

export const Attention = z.object({
  reason: z.enum(["inconclusive", "pause", "blueGreenPromotion", "gate", "degraded", "finding"]),
  since: Timestamp,
  severity: z.enum(["info", "warning", "critical"]),
});
export type Attention = z.infer<typeof Attention>;

/** Traffic weight in percent: as set by the strategy, and as in effect. Null if unknown. */
export const Weight = z.object({ set: z.number().nullable(), actual: z.number().nullable() });
export type Weight = z.infer<typeof Weight>;

/** An image and the roles of the ReplicaSets that run it: stable, canary, active, preview, ping, pong. */
export const RolloutImage = z.object({ image: z.string(), tags: z.array(z.string()) });
export type RolloutImage = z.infer<typeof RolloutImage>;

export const ActionName = z.enum(actionNames);
export type ActionName = z.infer<typeof ActionName>;

export const AllowedAction = z.object({
  action: ActionName,
  label: z.string().describe("The button's words, such as `Accept and continue`."),
  protective: z.boolean().describe("Protective actions work even when a source is stale and take at most two clicks."),
  allowed: z.boolean(),
  reasonCode: z.string().optional(),
  reason: z.string().optional().describe("Why it is not allowed, in a sentence."),
  effect: z.string().optional().describe("The effect, in a sentence with numbers."),
  waives: z.string().optional().describe("The results that it overrides: a run, an analysis."),
  warnings: z.array(z.string()).optional().describe("What else to know before the click."),
  passesPauses: z
    .array(z.number().int())
    .optional()
    .describe("Indices of the pauses that the controller may pass because of it; send them back with the request."),
  targetVersion: z
    .string()
    .optional()
    .describe("Identifies the desired version of the workload; send it back with the request."),
  needs: ActionNeeds,
  patches: z.array(z.object({ subresource: z.enum(["", "status"]), body: z.unknown() })).optional(),
  kubectl: z.string().optional().describe("The equivalent command; for set-image, fill in CONTAINER and IMAGE."),
  revisions: z
    .array(
      z.object({
        revision: z.number().int(),
        podHash: z.string(),
        images: z.array(z.string()),
        current: z.boolean(),
        stable: z.boolean(),
      }),
    )
    .optional()
    .describe("undo: the revisions to choose from, newest first."),
  containers: z
    .array(z.object({ name: z.string(), image: z.string() }))
    .optional()
    .describe("set-image: the containers; empty if a workload has the template (the plan lists them)."),
  clusterAccess: z
    .enum(["allowed", "denied", "unknown"])
    .optional()
    .describe("The cluster's answer about your rights there; absent if it was not asked."),
});
export type AllowedAction = z.infer<typeof AllowedAction>;

const TeamName = z.string().nullable().describe("The team of the config that owns it; null if none does.");

export const RolloutSummary = z.object({
  id: z.string().describe("cluster/namespace/Kind/name"),
  uid: z.string(),
  cluster: z.string(),
  namespace: z.string(),
  kind: RolloutKind,
  name: z.string(),
  labels: z
    .record(z.string(), z.string())
    .describe("Its labels and annotations that `recording.labels` of the config names."),
  team: TeamName,
  strategy: Strategy.nullable(),
  phase: RolloutPhase,
  providerPhase: z
    .string()
    .nullable()
    .describe("The controller's own word, such as Flagger's WaitingPromotion; null for Argo Rollouts."),
  message: z.string(),
  step: z.number().int().nullable().describe("Completed steps."),
  stepCount: z.number().int(),
  abortPoint: z
    .object({
      step: z.number().int().nullable().describe("Completed steps; null if not observed."),
      weight: z.number().nullable().describe("The set weight, in percent."),
      images: z
        .array(z.string())
        .optional()
        .describe("Those of the aborted version; absent if its release was not recorded."),
    })
    .nullable()
    .describe("The step of an aborted rollout at the abort; the controller itself resets to the first step."),
  weight: Weight.nullable(),
  images: z.array(RolloutImage),
  attention: Attention.nullable(),
  waitingSince: Timestamp.nullable(),
  stableSince: Timestamp.nullable().describe(
    "Of a healthy rollout: when its version was promoted, if that was recorded.",
  ),
  findings: OpenFindings,
  sentence: z.string().nullish().describe("In lists: why it waits or needs a fix, as in the inbox; null if neither."),
  viewDigest: z.string(),
  revisionKey: z.string(),
  revision: z.number().int().nullable(),
  presence: z.enum(["live", "deleted", "absent"]).describe("Whether the cluster still has it."),
  access: z.enum(["read", "act"]),
  updatedAt: Timestamp,
});
export type RolloutSummary = z.infer<typeof RolloutSummary>;

export const StepPluginStatus = z.object({
  name: z.string(),
  operation: z.string().describe("Run, or Terminate or Abort after that."),
  phase: z.string().describe("Running, Successful, Failed or Error, as the controller writes it."),
  message: z.string(),
  executions: z.number().int().nullable().describe("How often the operation was executed."),
  backoff: z.string().nullable().describe("How long the controller waits before it executes it again, such as 30s."),
  disabled: z.boolean().describe("The controller's config disables the plugin: its steps are passed over."),
  startedAt: Timestamp.nullable(),
  updatedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
});
export type StepPluginStatus = z.infer<typeof StepPluginStatus>;

export const RolloutStep = z.object({
  index: z.number().int(),
  kind: z.enum([
    "setWeight",
    "pause",
    "analysis",
    "experiment",
    "setCanaryScale",
    "setHeaderRoute",
    "setMirrorRoute",
    "plugin",
    "unknown",
  ]),
  text: z.string().describe("In the words of `kubectl argo rollouts`, such as `setWeight: 20`."),
  state: z.enum(["done", "current", "pending"]),
  endsAt: Timestamp.nullable().describe("When a running timed pause ends."),
  pluginStatuses: z
    .array(StepPluginStatus)
    .describe("The answer of the step's plugin; empty for other kinds, and before it was called."),
});
export type RolloutStep = z.infer<typeof RolloutStep>;

export const Follows = z.object({
  text: z.string().describe("Such as `Then 70 % → wait 10 s → 100 %, no further analysis.`"),
  parts: z
    .array(
      z.object({
        kind: z.enum([
          "weight",
          "pause",
          "gate",
          "analysis",
          "experiment",
          "other",
          "promotion",
          "switch",
          "scaleDown",
        ]),
        text: z.string(),
        step: z.number().int().nullable().describe("Counted from 1; null if it is not a step."),
      }),
    )
    .describe("All steps in order; the sentence shortens the middle of a long plan."),
});
export type Follows = z.infer<typeof Follows>;

export const PauseCondition = z.object({ reason: z.string(), startTime: Timestamp.nullable() });
export type PauseCondition = z.infer<typeof PauseCondition>;

export const CurrentRun = z.object({
  role: z.enum(["step", "background", "prePromotion", "postPromotion"]),
  name: z.string(),
  uid: z.string().nullable().describe("Null until the recorder has seen the run."),
  phase: AnalysisPhase,
  message: z.string(),
});
export type CurrentRun = z.infer<typeof CurrentRun>;

/** An analysis run of the rollout's current release. */
export const ReleaseRun = z.object({
  uid: z.string(),
  name: z.string(),
  type: z.enum(["Step", "Background", "PrePromotion", "PostPromotion", "Experiment", "Manual", "Release"]),
  stepIndex: z.number().int().nullable(),
  phase: AnalysisPhase,
  message: z.string(),
  startedAt: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  decided: z.boolean().describe("The run that caused the rollout's current state."),
  contradiction: z.boolean().describe("The verdict check found that the recorded measurements contradict the verdict."),
});
export type ReleaseRun = z.infer<typeof ReleaseRun>;

export const RolloutDetail = RolloutSummary.extend({
  steps: z.array(RolloutStep),
  pauseConditions: z.array(PauseCondition),
  follows: Follows.nullable().describe(
    "The rest of the plan after the current step; null when no update is under way.",
  ),
  controllerPause: z.boolean(),
  paused: z.boolean().describe("spec.paused: the rollout itself was paused."),
  aborted: z.boolean(),
  promoteFull: z.boolean(),
  stableRevisionKey: z.string().nullable(),
  replicas: z.object({
    desired: z.number().int(),
    current: z.number().int(),
    updated: z.number().int(),
    ready: z.number().int(),
    available: z.number().int(),
  }),
  conditions: z.array(
    z.object({
      type: z.string(),
      status: z.string(),
      reason: z.string(),
      message: z.string(),
      at: Timestamp.nullable(),
    }),
  ),
  currentRuns: z.array(CurrentRun),
  releaseRuns: z
    .array(ReleaseRun)
    .describe("The analyses of its current release, newest first, at most twenty; also after an abort."),
  sentence: z
    .string()
    .nullable()
    .describe("Why it waits, in one sentence, as in the inbox; null unless a person's decision lets it continue."),
  evidence: z.array(MetricEvidence).describe("The evidence for a decision: the same as in the inbox and in dialogs."),
  replicaSets: z.array(
    z.object({
      name: z.string(),
      revision: z.number().int().nullable(),
      podHash: z.string(),
      tags: z.array(z.string()),
      images: z.array(z.string()),
      replicas: z.number().int(),
      available: z.number().int(),
      pods: z
        .object({ total: z.number().int(), ready: z.number().int(), restarts: z.number().int() })
        .describe("Its pods that the cluster has, as recorded."),
    }),
  ),
  workload: z
    .object({
      kind: z.string(),
      name: z.string(),
      recorded: z
        .object({
          images: z.array(z.string()),
          desired: z.number().int(),
          replicas: z.number().int(),
          ready: z.number().int(),
          available: z.number().int(),
          presence: z.enum(["live", "deleted"]),
        })
        .nullable()
        .describe("Null if it is not recorded: the recorder keeps only Deployments."),
    })
    .nullable()
    .describe("What spec.workloadRef refers to."),
  currentExperiment: z.string().nullable().describe("The name of the Experiment that the current step runs."),
  blueGreen: z
    .object({
      activeService: z.string().nullable(),
      previewService: z.string().nullable(),
      promotion: z
        .enum(["immediate", "timed", "person"])
        .describe("What makes the preview the active version: being ready, a time, or a person."),
      promotesAt: Timestamp.nullable().describe("When a timed promotion that runs is due."),
      autoPromotionSeconds: z.number().nullable().describe("Null if no time is set or it has no effect."),
      scaleDownDelaySeconds: z.number().describe("How long the previous version is kept after the switch."),
    })
    .nullable()
    .describe("Null for other strategies."),
  notices: z
    .array(
      z.object({
        severity: z.enum(["info", "attention", "warning", "critical"]),
        text: z.string(),
        deadline: Timestamp.nullable().describe("When the controller acts by itself; null if nothing is due."),
      }),
    )
    .describe("What to know now, most urgent first."),
  gates: z
    .array(
      z.object({
        gate: z.enum(gateNames),
        hooks: z.array(
          z.object({ name: z.string(), isOurs: z.boolean().describe("Gatehouse answers it."), host: z.string() }),
        ),
      }),
    )
    .nullable()
    .describe("Its gates that have hooks, with who answers them; null if its controller has no gates."),
  source: z
    .object({ state: z.string(), lastContact: Timestamp.nullable(), fresh: z.boolean(), reason: z.string().nullable() })
    .describe("Freshness of the watch that this view rests on."),
  advanceRefused: z
    .object({ reasonCode: z.string(), reason: z.string() })
    .nullable()
    .describe("Why Gatehouse refuses every action that advances it, whoever asks; null if it does not."),
  allowedActions: z.array(AllowedAction),
  clusterIdentity: ClusterIdentity.nullable().describe(
    "Your identity on the cluster; null if the cluster is no longer in the config.",
  ),
  firstSeenAt: Timestamp,
  handling: WaitHandling.nullable().describe("Null if it does not wait for a person."),
  links: z.array(Link).describe("From the config and from its annotations `gatehouse.dev/link.NAME`."),
  onCall: z.string().nullable().describe("The on-call link of its team, an https address; null without one."),
});
export type RolloutDetail = z.infer<typeof RolloutDetail>;

/** The longest name that Kubernetes allows. */
const PathName = z.string().min(1).max(253);

export const RolloutPath = z.strictObject({
  cluster: PathName,
  namespace: PathName,
  kind: RolloutKind,
  name: PathName,
});
export type RolloutPath = z.infer<typeof RolloutPath>;

/** Something that was done to a release, from its entry in the audit log. Refused requests are left out. */
export const ReleaseAct = z.object({
  seq: z.number().int().describe("The audit entry."),
  time: z.string().describe("The entry's time, UTC; for changes made outside Gatehouse, the time of observation."),
  action: z.string(),
  actor: AuditActor.describe("Who requested it, even if the recorder found out the outcome."),
  source: z.enum(["gatehouse", "cluster", "system"]).describe("cluster: done outside Gatehouse."),
  who: z
    .string()
    .describe("Such as `oncall`, `kubectl, outside Gatehouse`, or `client unknown, outside Gatehouse`: never guessed."),
  did: z.string().describe("Such as `aborted it at 50 %`."),
  reason: z.string().nullable(),
  outcome: AuditOutcome.nullable(),
  effect: z.object({ state: z.string(), seconds: z.number().nullable(), why: z.string().nullable() }).nullable(),
});
export type ReleaseAct = z.infer<typeof ReleaseAct>;

export const Release = z.object({
  id: z.string(),
  rollout: z.object({ id: z.string(), cluster: z.string(), namespace: z.string(), kind: z.string(), name: z.string() }),
  team: TeamName,
  runKey: z.string().describe("Pod hash of the revision."),
  revision: z.number().int().nullable(),
  attempt: z.number().int(),
  state: z.enum(["progressing", "paused", "promoted", "aborted", "superseded", "unknown"]),
  waitsFor: Attention.shape.reason.nullable().describe("Why it waits for a person; null if it does not."),
  sentence: z
    .string()
    .nullable()
    .describe("Why it waits, in one sentence, as in the inbox; null unless a person's decision lets it continue."),
  message: z.string(),
  findings: OpenFindings,
  images: z.array(z.string()),
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
  runs: z.object({
    total: z.number().int(),
    byPhase: z.record(z.string(), z.number().int()),
    contradicted: z
      .record(z.string(), z.number().int())
      .describe("Those of `byPhase` whose recorded measurements contradict the phase."),
  }),
  acts: z
    .object({
      total: z.number().int(),
      latest: z.array(ReleaseAct).describe("Newest first, at most ten: overrides, then the newest."),
    })
    .describe("What people and other clients did to it, matched by revision and time; only entries you may read."),
  links: z.array(Link),
});
export type Release = z.infer<typeof Release>;
