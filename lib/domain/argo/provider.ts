import { computeAttention } from "#lib/domain/argo/view/compute-attention.ts";
import { computeViewDigest } from "#lib/domain/argo/view/decision-view.ts";
import { describeDetail, listCurrentRuns } from "#lib/domain/argo/view/describe-detail.ts";
import { findOwnAct } from "#lib/domain/argo/view/find-own-act.ts";
import { listSettings } from "#lib/domain/argo/view/list-settings.ts";
import { computeRolloutView } from "#lib/domain/argo/view/rollout-view.ts";
import { listWeightSteps } from "#lib/domain/argo/view/weights.ts";
import type {
  AttentionInput,
  DeliveryObject,
  DeliverySummary,
  Observing,
  Provider,
  Trail,
  TrailItem,
  VersionPods,
} from "#lib/domain/delivery/provider.ts";
import type { UnaskedChange } from "#lib/domain/oversight/provider-reports.ts";
import { redactTextOf } from "#lib/domain/storable/redact-object.ts";
import { argoActing, toActingObject } from "./acting.ts";
import { argoHealth } from "./health.ts";
import { toObservation } from "./history/delivery-state.ts";
import { rememberGates } from "./history/find-skipped-gates.ts";
import { findTemplateWrite } from "./history/find-template-write.ts";
import { findUnaskedChanges } from "./history/find-unasked-changes.ts";
import { computeProjection, type RolloutProjection } from "./history/rollout-projection.ts";
import { argoMeasuring } from "./measuring.ts";
import { findUnknownValues } from "./objects/find-unknown-values.ts";
import { parseRollout, type RolloutObject, readRevisionMark } from "./objects/rollout-object.ts";
import { collectTemplateRefs } from "./objects/template-object.ts";
import { knownControllerManagers, nameWriter } from "./recognise-controller.ts";
import { watchedKinds, writtenFields } from "./resources.ts";

/** Argo Rollouts: canary and blue-green by the steps and analyses of a `Rollout`. */
export const argoProvider: Provider = {
  name: "argo",
  kind: "Rollout",
  watchedKinds,
  readsRelatedState: false,
  controllerImages: ["argo-rollouts"],
  managers: knownControllerManagers,
  controllerName: "Argo Rollouts controller",
  findChanges,
  writtenFields,
  parse(object) {
    const parsed = parseRollout(object);
    return parsed.ok ? { ok: true, value: toDeliveryObject(parsed.value) } : parsed;
  },
  // The stored data was made by `observe` of this provider.
  readObservation: ({ projection, ...stored }) =>
    toObservation({ ...stored, projection: projection as RolloutProjection }),
  readRevisionMark,
  findUnknownValues,
  listSettings,
  acting: argoActing,
  measuring: argoMeasuring,
  health: argoHealth,
};

function toDeliveryObject(rollout: RolloutObject): DeliveryObject {
  const { metadata, spec, status } = rollout;
  const { currentPodHash, stableRS } = status;
  return {
    metadata,
    runKeys: [...new Set([currentPodHash, stableRS])].filter((key) => key !== ""),
    runKey: currentPodHash,
    // Computed lazily: not every reader needs these, and they traverse the whole object.
    get viewDigest() {
      return computeViewDigest(rollout);
    },
    get runNames() {
      return [...new Set(listCurrentRuns(rollout).map(({ name }) => name))];
    },
    get templateRefs() {
      return collectTemplateRefs(spec);
    },
    mayLoseGates: status.pauseConditions?.some(({ reason }) => reason === "InconclusiveAnalysisRun") === true,
    workloadRef: workloadRefOf(rollout),
    workloads: [],
    weightSteps: spec.strategy.canary === undefined ? undefined : listWeightSteps(rollout),
    summarize: ({ replicaSets = [] }) => computeRolloutView({ rollout, replicaSets }),
    listVersionPods: ({ replicaSets = [] }) => listVersionPods(computeRolloutView({ rollout, replicaSets })),
    describe: () => describeDetail(rollout),
    nameWriter: (manager, managers) =>
      nameWriter(manager, { kind: "Rollout", managedFields: metadata.managedFields, managers }),
    observe: (at) => observe(rollout, at),
    redact: (text) => redactTextOf(rollout, text),
    findOwnAct: () => findOwnAct(rollout),
    findAttention: (at) => findAttention(rollout, at),
    acting: toActingObject(rollout),
  };
}

function observe(
  rollout: RolloutObject,
  { summary, related, writer, observedAt, isDeleted, knownPasses, toStorable }: Observing,
): RolloutProjection {
  const seen = computeProjection(rollout, summary, { isDeleted, toStorable });
  const gates = rememberGates({
    // It was made by this function.
    previous: related.memory as RolloutProjection | undefined,
    next: seen,
    writer,
    at: observedAt,
    known: knownPasses,
  });
  return { ...seen, view: { ...seen.view, ...gates } };
}

function findAttention(
  rollout: RolloutObject,
  { summary, state, previous, now }: AttentionInput,
): ReturnType<DeliveryObject["findAttention"]> {
  return computeAttention({ rollout, view: summary, skippedGates: state.skippedGates, previous, now });
}

/** Returns the reference if it is recorded: only Deployments are; a workloadRef may name other kinds. */
function workloadRefOf({ spec }: RolloutObject): string | null {
  const { kind, name } = spec.workloadRef ?? {};
  return name === undefined || (kind !== undefined && kind !== "Deployment") ? null : name;
}

/** Finds changes between the last two observations of the trail that the controller did not make. */
function findChanges({ items, former }: Trail): UnaskedChange[] {
  // The stored data was made by `observe` of this provider.
  const trail = items as readonly (TrailItem & { projection: RolloutProjection })[];
  const [previous, next] = trail.slice(-2);
  if (previous === undefined || next === undefined) return [];
  const { currentPodHash } = next.projection;
  const isNewHash = currentPodHash !== "" && currentPodHash !== previous.projection.currentPodHash;
  const write = isNewHash ? findTemplateWrite(trail) : undefined;
  const changes = findUnaskedChanges({
    previous: previous.projection,
    next: next.projection,
    writer: next.writer,
    former,
    templateWriter: write?.client ?? null,
  });
  if (write === undefined) return changes;
  // A template is dated by its write: the controller may act on it much later.
  const written = { at: write.at, previousAt: write.previousAt };
  return changes.map((change) => (change.action === "undo" ? { ...change, written } : change));
}

/**
 * Lists the ReplicaSets that have pods or a role, newest first. After a blue-green switch the active version is still
 * the new one, until the controller calls it stable.
 */
function listVersionPods({ replicaSets }: Pick<DeliverySummary, "replicaSets">): VersionPods[] {
  return replicaSets
    .filter(({ tags, desired, replicas }) => tags.length > 0 || desired > 0 || replicas > 0)
    .map(({ name, tags, revision, images }) => ({
      owner: { kind: "ReplicaSet", name },
      side: tags.includes("stable") ? "stable" : tags.length > 0 ? "new" : "other",
      revision: revision ?? null,
      images,
    }));
}
