import { z } from "zod";
import type { RevisionChoice } from "#lib/domain/acting/plan.ts";
import { type RolloutObject, revisionOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { controllerOf, ObjectMeta, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import { extractReplicaSetFacts, type ReplicaSetObject } from "#lib/domain/kube/replica-set-object.ts";
import { podHashLabel } from "#lib/domain/kube/watched-kind.ts";
import { dropNulls, isSame } from "#lib/util/diff-merge.ts";
import { isRecord } from "#lib/util/json.ts";

type Fields = Record<string, unknown>;

/** The complete Deployment that a `workloadRef` names: undo and set-image change its template. */
const WorkloadObject = z.looseObject({
  kind: z.literal("Deployment"),
  metadata: ObjectMeta,
  spec: z.looseObject({ template: z.looseObject({}) }),
});
export type WorkloadObject = z.infer<typeof WorkloadObject>;

export function parseWorkload(object: unknown): Parsed<WorkloadObject> {
  return parseKubeObject(WorkloadObject, object);
}

/** Live, unredacted objects from which a change of the template is planned. */
export type LiveObjects = {
  /** Those of the rollout's namespace and selector; some may not be the rollout's own. */
  replicaSets: readonly ReplicaSetObject[];
  /** Present if the rollout has a `workloadRef` to a Deployment. */
  workload?: WorkloadObject | undefined;
};

export type Revision = RevisionChoice & { replicaSet: ReplicaSetObject };

/**
 * Lists the revisions whose ReplicaSets the rollout still controls, newest first; with `workloadRef` too (cmd/undo of
 * 9f8d111).
 */
export function listRevisions({
  rollout,
  replicaSets,
}: {
  rollout: RolloutObject;
  replicaSets: readonly ReplicaSetObject[];
}): Revision[] {
  return replicaSets
    .flatMap((replicaSet) => {
      const { metadata } = replicaSet;
      const owner = controllerOf(metadata);
      const revision = revisionOf(metadata);
      const isOurs = owner?.kind === "Rollout" && owner.uid === rollout.metadata.uid && owner.controller === true;
      if (!isOurs || revision === undefined || metadata.deletionTimestamp !== undefined) return [];
      const podHash = metadata.labels[podHashLabel] ?? "";
      const { images } = extractReplicaSetFacts(replicaSet);
      return [{ ...choiceOf({ rollout, revision, podHash, images }), replicaSet }];
    })
    .toSorted((one, other) => other.revision - one.revision);
}

export function choiceOf({
  rollout: { status },
  ...found
}: Pick<RevisionChoice, "revision" | "podHash" | "images"> & { rollout: RolloutObject }): RevisionChoice {
  const { podHash } = found;
  return {
    ...found,
    current: podHash !== "" && podHash === status.currentPodHash,
    stable: podHash !== "" && podHash === status.stableRS,
  };
}

/**
 * Returns the template that a revision ran, without the controller's additions to the ReplicaSet. These are the hash
 * label, the metadata of canary, stable, preview and active pods, and the anti-affinity against the stable version.
 * With any of these it would be another version, and none of the running pods could be reused.
 */
export function templateOfRevision({
  replicaSet,
  current,
  rollout,
}: {
  replicaSet: ReplicaSetObject;
  current: Fields;
  rollout: RolloutObject;
}): { template: Fields; leftOut: string[] } {
  const template = fieldsOf(dropNulls(replicaSet.spec?.template ?? {}));
  const leftOut: string[] = [];
  const metadata = cleanMetadata({ replicaSet, template, current, rollout, leftOut });
  const spec = cleanAffinity({ spec: fieldsOf(template.spec), current: fieldsOf(current.spec), leftOut });
  return { template: { ...template, ...metadata, ...(template.spec === undefined ? {} : { spec }) }, leftOut };
}

function cleanMetadata({
  replicaSet,
  template,
  current,
  rollout,
  leftOut,
}: {
  replicaSet: ReplicaSetObject;
  template: Fields;
  current: Fields;
  rollout: RolloutObject;
  leftOut: string[];
}): { metadata?: Fields } {
  if (!isRecord(template.metadata)) return {};
  const metadata: Fields = { ...template.metadata };
  const own = fieldsOf(current.metadata);
  const injected = [readInjected(replicaSet), ...readStrategyMetadata(rollout)];
  for (const part of ["labels", "annotations"] as const) {
    if (!isRecord(metadata[part])) continue;
    const kept: Fields = { ...metadata[part] };
    if (part === "labels") delete kept[podHashLabel];
    for (const { values, isCertain } of injected)
      for (const [key, value] of Object.entries(fieldsOf(values[part]))) {
        if (!Object.hasOwn(kept, key) || !(isCertain || kept[key] === value)) continue;
        const ownValue = fieldsOf(own[part])[key];
        if (ownValue !== undefined) kept[key] = ownValue;
        else {
          delete kept[key];
          leftOut.push(`${part.slice(0, -1)} ${key}`);
        }
      }
    const isEmptied = Object.keys(kept).length === 0 && !isRecord(own[part]);
    if (isEmptied) delete metadata[part];
    else metadata[part] = kept;
  }
  return { metadata };
}

type Injected = { values: Fields; isCertain: boolean };

/**
 * Reads the metadata that the controller added, by its own note (utils/replicaset/canary.go,
 * EphemeralMetadataAnnotation).
 */
function readInjected({ metadata }: ReplicaSetObject): Injected {
  const text = metadata.annotations["rollout.argoproj.io/ephemeral-metadata"];
  try {
    return { values: fieldsOf(JSON.parse(text ?? "{}")), isCertain: true };
  } catch {
    return { values: {}, isCertain: true };
  }
}

/**
 * Reads the strategy's metadata. Older controllers left no such note: then equal metadata is assumed to come from
 * there.
 */
function readStrategyMetadata({ spec: { strategy } }: RolloutObject): Injected[] {
  const { canary, blueGreen } = strategy;
  return [canary?.canaryMetadata, canary?.stableMetadata, blueGreen?.previewMetadata, blueGreen?.activeMetadata].map(
    (values) => ({ values: fieldsOf(values), isCertain: false }),
  );
}

const antiAffinityLists = [
  "requiredDuringSchedulingIgnoredDuringExecution",
  "preferredDuringSchedulingIgnoredDuringExecution",
] as const;

/**
 * Removes terms that name a pod hash, which are the controller's (utils/replicaset, CreateInjectedAntiAffinityRule),
 * and parents emptied by that.
 */
function cleanAffinity({ spec, current, leftOut }: { spec: Fields; current: Fields; leftOut: string[] }): Fields {
  const affinity = fieldsOf(spec.affinity);
  if (!isRecord(affinity.podAntiAffinity)) return spec;
  const anti: Fields = { ...affinity.podAntiAffinity };
  const own = fieldsOf(fieldsOf(current.affinity).podAntiAffinity);
  let taken = 0;
  for (const list of antiAffinityLists) {
    const terms = anti[list];
    if (!Array.isArray(terms)) continue;
    const owned: unknown[] = Array.isArray(own[list]) ? own[list] : [];
    const kept = terms.filter((term) => !namesPodHash(term) || owned.some((one) => isSame(one, term)));
    taken += terms.length - kept.length;
    if (kept.length === 0) delete anti[list];
    else anti[list] = kept;
  }
  if (taken === 0) return spec;
  leftOut.push("anti-affinity against the stable version");
  const rest: Fields = { ...affinity };
  if (Object.keys(anti).length === 0) delete rest.podAntiAffinity;
  else rest.podAntiAffinity = anti;
  const cleaned: Fields = { ...spec };
  if (Object.keys(rest).length === 0) delete cleaned.affinity;
  else cleaned.affinity = rest;
  return cleaned;
}

function namesPodHash(term: unknown): boolean {
  const inner = fieldsOf(fieldsOf(term).podAffinityTerm ?? term);
  const expressions = fieldsOf(inner.labelSelector).matchExpressions;
  return Array.isArray(expressions) && expressions.some((one) => fieldsOf(one).key === podHashLabel);
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
