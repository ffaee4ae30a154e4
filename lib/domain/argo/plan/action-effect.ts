import { z } from "zod";
import { currentStepOf, type RolloutObject, type RolloutRunStatus } from "#lib/domain/argo/objects/rollout-object.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

type EffectFacts = {
  /** After this many seconds a missing effect is reported. The action is still followed after that. */
  seconds: number;
  /** It concerns any revision: the next one does not replace it. */
  ofAnyRevision?: true;
  /** An abort does not end it. */
  outlastsAbort?: true;
  /** Our patch changes nothing that the view digest covers: an unchanged view does not prove that it was not applied. */
  leavesView?: true;
};

/**
 * The effects that Gatehouse waits for; `assess-effect.ts` recognises each. A full promotion and a restart wait for pods.
 * An Experiment ends once its pods and runs have; a referenced Deployment is picked up at the next resync at the latest.
 */
const effectKinds = {
  resumed: { seconds: 30 },
  "step-passed": { seconds: 30 },
  "steps-skipped": { seconds: 600 },
  "measured-again": { seconds: 30 },
  promoted: { seconds: 600, outlastsAbort: true },
  paused: { seconds: 30, ofAnyRevision: true, outlastsAbort: true },
  unpaused: { seconds: 30, ofAnyRevision: true, outlastsAbort: true },
  restarted: { seconds: 600, outlastsAbort: true, leavesView: true },
  aborted: { seconds: 30, outlastsAbort: true },
  retried: { seconds: 30, outlastsAbort: true },
  "template-set": { seconds: 120, ofAnyRevision: true, outlastsAbort: true },
  ended: { seconds: 120 },
  "experiment-retried": { seconds: 120 },
} as const satisfies Readonly<Record<string, EffectFacts>>;

export type EffectKind = keyof typeof effectKinds;

export function effectFacts(kind: EffectKind): EffectFacts {
  return effectKinds[kind];
}

/** The patched object if it is not the rollout itself; `resourceVersion` as it was when the plan was made. */
export const PatchTarget = z.object({
  resource: z.enum(["deployments", "analysisruns", "experiments"]),
  kind: z.enum(["Deployment", "AnalysisRun", "Experiment"]),
  name: z.string(),
  uid: z.string(),
  resourceVersion: z.string(),
});
export type PatchTarget = z.infer<typeof PatchTarget>;

const Pause = z.object({ reason: z.string(), startTime: z.string().optional() });
export type Pause = { reason: string; startTime?: string | undefined };

/**
 * The state by which an action's effect can later be recognised in the Rollout; stored with the action. `kind` is the
 * required event. The other fields are the state when the action was planned, and right after its last patch.
 */
export const ExpectedEffect = z.object({
  kind: z.enum(Object.keys(effectKinds) as [EffectKind, ...EffectKind[]]),
  uid: z.string(),
  podHash: z.string(),
  step: z.number(),
  pauses: z.array(Pause),
  abortedAt: z.string().optional(),
  /** Names of the runs that were Inconclusive: new ones replace them. */
  runs: z.array(z.string()).default([]),
  experiment: z.string().optional(),
  restartAt: z.string().optional(),
  /** Digests of the pod template, since its values may be secret; the images are not. */
  template: z
    .object({
      before: z.string(),
      wanted: z.string(),
      podHash: z.string().optional(),
      images: z.array(z.object({ name: z.string(), image: z.string() })),
    })
    .optional(),
  /** The patched object if it is not the rollout itself. */
  target: PatchTarget.optional(),
  /** When the retried experiment had ended. */
  endedAt: z.string().optional(),
  /**
   * Digest of the fields that only the controller writes, as of then (`readControllerTrace`); absent in actions of
   * older versions.
   */
  trace: z.string().optional(),
  /**
   * From the cluster's answer to the last patch: older objects do not include that patch yet. Absent while no answer is
   * known.
   */
  answered: z
    .object({ resourceVersion: z.string(), generation: z.number().optional(), pauses: z.array(Pause) })
    .optional(),
});
export type ExpectedEffect = z.infer<typeof ExpectedEffect>;

/**
 * The input to the assessment: the expected effect, and the Rollout at or after the version that includes our last
 * patch.
 */
export type SeenEffect = { expected: ExpectedEffect; rollout: RolloutObject; promoted: boolean };

export function planEffect({
  rollout,
  kind,
  runs = [],
  restartAt,
  clearsStepRun = false,
}: {
  rollout: RolloutObject;
  kind: ExpectedEffect["kind"];
  runs?: string[];
  restartAt?: string;
  /** The patch itself removes the step's run from the status, so its absence is not a trace of the controller. */
  clearsStepRun?: boolean;
}): ExpectedEffect {
  const { metadata, status } = rollout;
  return {
    kind,
    uid: metadata.uid,
    podHash: status.currentPodHash,
    step: currentStepOf(rollout),
    pauses: listPauses(rollout),
    abortedAt: status.abortedAt,
    runs,
    experiment: status.canary?.currentExperiment || undefined,
    restartAt,
    trace: readControllerTrace(clearsStepRun ? withoutStepRun(rollout) : rollout),
  };
}

function withoutStepRun(rollout: RolloutObject): RolloutObject {
  const { status } = rollout;
  if (status.canary === undefined) return rollout;
  return { ...rollout, status: { ...status, canary: { ...status.canary, currentStepAnalysisRunStatus: undefined } } };
}

/** Adds the cluster's answer to the last patch: the Rollout as it then was. */
export function noteAnswer({
  expected,
  rollout,
}: {
  expected: ExpectedEffect;
  rollout: RolloutObject;
}): ExpectedEffect {
  const { resourceVersion, generation } = rollout.metadata;
  return {
    ...expected,
    trace: readControllerTrace(rollout),
    answered: { resourceVersion, generation, pauses: listPauses(rollout) },
  };
}

function listPauses({ status }: RolloutObject): { reason: string; startTime?: string | undefined }[] {
  return (status.pauseConditions ?? []).map(({ reason, startTime }) => ({ reason, startTime }));
}

/** Returns the seconds after which a missing effect is reported; a restart may be due only later. */
export function effectDeadlineSeconds(
  { kind, restartAt }: Pick<ExpectedEffect, "kind" | "restartAt">,
  now: Date,
): number {
  const { seconds } = effectFacts(kind);
  if (restartAt === undefined) return seconds;
  return seconds + Math.max(0, (Date.parse(restartAt) - now.getTime()) / 1000);
}

/**
 * Returns a digest of the fields in a Rollout's status that only the controller writes: neither our patches nor any
 * command of `kubectl argo rollouts` touches them. While it stays the same, the controller has written nothing visible.
 *
 * Each pass ends in `persistRolloutStatus`, or at the start, if pauses were set or lifted, in `checkPausedConditions`,
 * which rewrites the conditions Paused and Progressing with new times (rollout/sync.go of argo-rollouts 1.10.2, and of
 * 1.9.3). Fields that people write too are left out: step index, pauses, controllerPause, abort, promoteFull. Of a
 * message only the reason counts, since the recorded object may have the rest redacted.
 */
function readControllerTrace({ status }: RolloutObject): string {
  const { canary, blueGreen } = status;
  return digestOf({
    generations: [status.observedGeneration, status.workloadObservedGeneration],
    phase: [status.phase, status.message.split(":")[0]],
    hashes: [status.currentPodHash, status.stableRS, status.currentStepHash],
    counts: [status.replicas, status.updatedReplicas, status.readyReplicas, status.availableReplicas],
    times: [status.abortedAt ?? null, status.restartedAt ?? null],
    runs: [
      canary?.currentStepAnalysisRunStatus,
      canary?.currentBackgroundAnalysisRunStatus,
      blueGreen?.prePromotionAnalysisRunStatus,
      blueGreen?.postPromotionAnalysisRunStatus,
    ].map(runOf),
    canary: [canary?.currentExperiment || null, canary?.weights ?? null, canary?.stepPluginStatuses ?? null],
    blueGreen: [
      blueGreen?.activeSelector ?? "",
      blueGreen?.previewSelector ?? "",
      blueGreen?.scaleUpPreviewCheckPoint ?? false,
    ],
    conditions: (status.conditions ?? [])
      .map(({ type, status: is, reason, lastUpdateTime, lastTransitionTime }) =>
        [type, is, reason, lastUpdateTime ?? "", lastTransitionTime ?? ""].join(" "),
      )
      .toSorted(),
  });
}

/**
 * Returns whether the controller has written since `trace` was read. Actions of older versions have no trace: then it
 * is unknown.
 */
export function hasControllerWritten({
  trace,
  rollout,
}: {
  trace: string | undefined;
  rollout: RolloutObject;
}): boolean {
  return trace === undefined || trace !== readControllerTrace(rollout);
}

function runOf(run: RolloutRunStatus | undefined): string[] | null {
  return run === undefined ? null : [run.name, run.status ?? ""];
}
