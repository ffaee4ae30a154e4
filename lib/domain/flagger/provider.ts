import type {
  AttentionInput,
  Completing,
  DeliveryObject,
  Observing,
  Provider,
  Trail,
  UnknownValue,
  VersionPods,
  WorkloadName,
} from "#lib/domain/delivery/provider.ts";
import type { NamedWorkload, RelatedState } from "#lib/domain/delivery/related-state.ts";
import type { ChangeAction, UnaskedChange } from "#lib/domain/oversight/provider-reports.ts";
import { redactTextOf } from "#lib/domain/storable/redact-object.ts";
import { flaggerActing, toActingObject } from "./acting.ts";
import { computeChecksum } from "./gates/checksum.ts";
import { flaggerHealth } from "./health.ts";
import {
  type CanaryProjection,
  completeProjection,
  computeProjection,
  lacksWorkloads,
  readMemory,
} from "./history/canary-projection.ts";
import { toObservation } from "./history/delivery-state.ts";
import { type RunMemory, rememberRun } from "./history/run-memory.ts";
import { cleanCopy, isSameVersion, isTargetBehind, rememberTemplate } from "./history/run-template.ts";
import { flaggerMeasuring } from "./measuring.ts";
import {
  analysingPhases,
  type CanaryObject,
  isKnownPhase,
  parseCanary,
  withoutTicks,
} from "./objects/canary-object.ts";
import { findTrafficRoute } from "./objects/canary-route.ts";
import { analysisOf, primaryNameOf, recogniseHooksOf, targetNameOf } from "./objects/canary-spec.ts";
import { runKeyOf, stableKeyOf } from "./objects/run-key.ts";
import { toAssessInput } from "./plan/read-surroundings.ts";
import { flaggerReporting } from "./reporting.ts";
import { controllerManager, watchedKinds } from "./resources.ts";
import { flaggerSampling, readCanarySamples } from "./sampling.ts";
import { assessCanary } from "./view/canary-state.ts";
import { computeCanaryAttention, listTroubles } from "./view/compute-attention.ts";
import { computeCanaryViewDigest } from "./view/decision-view.ts";
import { describeCanary } from "./view/describe-canary.ts";
import { findOwnAct } from "./view/find-own-act.ts";
import { listSettings } from "./view/list-settings.ts";
import { computeStepPlan } from "./view/step-plan.ts";
import { summarizeCanary } from "./view/summarize.ts";

/** Flagger: canary, A/B and blue-green releases of a workload by a `Canary`. */
export const flaggerProvider: Provider = {
  name: "flagger",
  kind: "Canary",
  watchedKinds,
  readsRelatedState: true,
  controllerImages: ["flagger"],
  managers: [controllerManager],
  controllerName: "Flagger",
  findChanges,
  writtenFields: {
    suspend: ["spec.suspend"],
    unsuspend: ["spec.suspend"],
    "skip-analysis": ["spec.skipAnalysis"],
  },
  parse(object) {
    const parsed = parseCanary(object);
    return parsed.ok ? { ok: true, value: toDeliveryObject(parsed.value) } : parsed;
  },
  readObservation: toObservation,
  // Flagger marks no ReplicaSets: they belong to its workloads.
  readRevisionMark: () => ({ podHash: undefined, revision: undefined, revisions: [] }),
  findUnknownValues,
  withoutTicks,
  cleanStableTemplate: cleanCopy,
  listSettings,
  acting: flaggerActing,
  measuring: flaggerMeasuring,
  reporting: flaggerReporting,
  sampling: flaggerSampling,
  health: flaggerHealth,
};

function toDeliveryObject(canary: CanaryObject): DeliveryObject {
  const { metadata } = canary;
  const runKey = runKeyOf(canary);
  return {
    metadata,
    runKeys: [...new Set([runKey, stableKeyOf(canary) ?? ""])].filter((key) => key !== ""),
    runKey,
    get viewDigest() {
      return computeCanaryViewDigest(canary);
    },
    get runChecksum() {
      return analysingPhases.includes(canary.status.phase) ? computeChecksum(canary.status) : undefined;
    },
    mayLoseGates: false,
    runNames: [],
    templateRefs: listTemplateRefs(canary),
    workloadRef: null,
    workloads: listWorkloads(canary),
    get weightSteps() {
      const { strategy, canaryWeights } = computeStepPlan(canary);
      return strategy === "Canary" ? canaryWeights.map((setWeight) => ({ setWeight })) : undefined;
    },
    readSamples: (series) => readCanarySamples(canary, series),
    findTrafficRoute: (defaultRouter) => findTrafficRoute(canary, defaultRouter),
    summarize: (related) => summarizeCanary(assess(canary, related)),
    describe: (related) => describeCanary(assess(canary, related)),
    listVersionPods: ({ workloads }) =>
      listVersionPods(listWorkloads(canary), { workloads, primary: primaryNameOf(canary) }),
    nameWriter: (manager, managers) => (managers.includes(manager) ? controllerManager : manager),
    observe: (at) => observe(canary, at),
    lacksWorkloads,
    completeProjection: (at) => complete(canary, at),
    redact: (text) => redactTextOf(canary, text),
    findOwnAct: (related) => findOwnAct(assess(canary, related).assessment),
    findAttention: (at) => findAttention(canary, at),
    listTroubles: (related) => listTroubles(assess(canary, related).assessment, { runKey, since: undefined }),
    acting: toActingObject(canary),
  };
}

/** The templates of its metrics, which may be in another namespace. */
function listTemplateRefs(canary: CanaryObject): string[] {
  const { namespace: own } = canary.metadata;
  const refs = (analysisOf(canary)?.metrics ?? []).flatMap(({ templateRef }) => templateRef ?? []);
  const named = refs.map(({ namespace = own, name }) =>
    namespace === own ? `MetricTemplate/${name}` : `MetricTemplate/${namespace}/${name}`,
  );
  return [...new Set(named)];
}

/** The target and the primary; other kinds, such as a Service, say nothing about pods. */
function listWorkloads(canary: CanaryObject): WorkloadName[] {
  const { kind } = canary.spec.targetRef;
  if (kind !== "Deployment" && kind !== "DaemonSet") return [];
  return [targetNameOf(canary), primaryNameOf(canary)].map((name) => ({ kind, name }));
}

function assess(canary: CanaryObject, related: RelatedState) {
  const input = toAssessInput(canary, related);
  const { primary, target, meshProvider } = input;
  return {
    canary,
    assessment: assessCanary(input),
    primary,
    target,
    meshProvider,
    isOurHook: recogniseHooksOf(related.cluster),
  };
}

function observe(canary: CanaryObject, { summary, related, observedAt, isDeleted }: Observing): CanaryProjection {
  const { assessment } = assess(canary, related);
  const known = readMemory(related.memory);
  const { target, primary, ...run } = knowRun(canary, { run: rememberRun(canary, known, observedAt), known, related });
  // Until the promotion, the primary has the version before. Its record may already be newer than that of the Canary.
  const hasVersionBefore = analysingPhases.includes(canary.status.phase) && !isSameVersion(target, primary);
  const stableTemplate = hasVersionBefore ? primary?.template?.digest : undefined;
  return computeProjection({ canary, summary, assessment, ...run, stableTemplate, isDeleted });
}

function complete(canary: CanaryObject, { summary, related }: Completing): CanaryProjection | undefined {
  const known = readMemory(related.memory);
  if (known === undefined) return undefined;
  const { memory, isTargetBehind } = knowRun(canary, { run: known, known, related });
  // A projection with a memory was made by `observe`.
  return completeProjection(related.memory as CanaryProjection, { canary, summary, memory, isTargetBehind });
}

/** Adds to what is remembered of a run what its workloads tell. `known` is what was remembered before. */
function knowRun(
  canary: CanaryObject,
  { run, known, related: { workloads } }: { run: RunMemory; known: RunMemory | undefined; related: RelatedState },
) {
  const find = (wanted: string) => workloads.find(({ name }) => name === wanted);
  const [target, primary] = [find(targetNameOf(canary)), find(primaryNameOf(canary))];
  const template = rememberTemplate({ canary, run, known, target, primary });
  const memory = template === undefined ? run : { ...run, template };
  return { memory, isTargetBehind: isTargetBehind(memory, { target, primary }), target, primary };
}

function findAttention(
  canary: CanaryObject,
  { related, previous, now }: AttentionInput,
): ReturnType<DeliveryObject["findAttention"]> {
  const input = toAssessInput(canary, { ...related, now });
  return computeCanaryAttention({ canary, assessment: assessCanary(input), history: input.previous, previous, now });
}

/**
 * Finds what somebody did to a Canary between the last two observations of the trail. Flagger never writes these
 * fields. A new version is deployed by changing another object, which is not seen here.
 */
function findChanges({ items }: Trail): UnaskedChange[] {
  const [previous, next] = items.slice(-2);
  if (previous === undefined || next === undefined) return [];
  // The stored data was made by `observe` of this provider.
  const [before, after] = [previous, next].map(({ projection }) => (projection as CanaryProjection).view);
  if (before === undefined || after === undefined) return [];
  const client = next.writer === controllerManager ? null : next.writer;
  const actions: ChangeAction[] = [
    ...(before.suspend === after.suspend ? [] : [after.suspend ? ("suspend" as const) : ("unsuspend" as const)]),
    ...(!before.skipAnalysis && after.skipAnalysis ? ["skip-analysis" as const] : []),
  ];
  return actions.map((action) => ({ action, client }));
}

/** Lists the words of a Canary that have no meaning here: such a canary is shown, and nothing is done with it. */
function findUnknownValues(kind: string, object: unknown): UnknownValue[] {
  if (kind !== "Canary") return [];
  const phase = (object as { status?: { phase?: unknown } | null } | null)?.status?.phase;
  return typeof phase !== "string" || isKnownPhase(phase) ? [] : [{ field: "Canary.status.phase", value: phase }];
}

/** The target runs the new version; the primary, which Flagger made from it, the stable one. */
function listVersionPods(
  names: readonly WorkloadName[],
  { workloads, primary }: { workloads: readonly NamedWorkload[]; primary: string },
): VersionPods[] {
  return names.map(({ kind, name }) => ({
    owner: { kind, name },
    side: name === primary ? "stable" : "new",
    revision: null,
    images: workloads.find((workload) => workload.name === name)?.images ?? [],
  }));
}
