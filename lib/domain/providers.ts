import { argoEngine } from "#lib/domain/argo/engine.ts";
import type { RevisionMark } from "#lib/domain/delivery/attribute-revision.ts";
import { type DeliveryKind, isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { MeasuringProvider } from "#lib/domain/delivery/measuring.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import type { Provider, StoredObservation, UnknownValue } from "#lib/domain/delivery/provider.ts";
import type { SamplingProvider } from "#lib/domain/delivery/sampling.ts";
import type { ApiResource } from "#lib/domain/kube/api-resource.ts";
import type { ObjectMeta } from "#lib/domain/kube/kube-object.ts";
import { isImageNamed } from "#lib/domain/kube/read-image-version.ts";
import type { WatchedKind } from "#lib/domain/kube/watched-kind.ts";
import { firstProvider, providers } from "./provider-list.ts";

/** The kinds that any provider needs to watch. */
export const providedKinds: readonly WatchedKind[] = providers.flatMap(({ watchedKinds }) => watchedKinds);

/** The resources that the plans of any provider patch, each once. */
export const patchedResources = [
  ...new Map(
    providers
      .flatMap(({ acting }) => acting.patched)
      .map((patched) => [`${patched.resource.group}/${patched.resource.name}/${patched.subresource ?? ""}`, patched]),
  ).values(),
];

/** What the endpoints below `/analysis` offer. Their contract is in Argo's terms, so no other provider can have it. */
export const analysisEngine = argoEngine;

/** The field managers of all providers' controllers, as they are shipped. */
export const knownManagers: readonly string[] = providers.flatMap(({ managers }) => managers);

/** The kinds whose objects are rollouts. */
export const rolloutKinds: readonly string[] = providers.map(({ kind }) => kind);

/** The kinds of rollouts whose controllers tell in messages what their objects do not say. */
export const reportingKinds: readonly string[] = providers.flatMap(({ kind, reporting }) => (reporting ? [kind] : []));

/** Returns the kinds of rollouts that are judged by the version of a controller, if one of these images is it. */
export function kindsControlledBy(images: readonly string[]): DeliveryKind[] {
  return providers.flatMap(({ kind, readsRelatedState, controllerImages }) => {
    const isControlled = readsRelatedState && images.some((image) => isImageNamed(image, controllerImages));
    return isControlled && isDeliveryKind(kind) ? [kind] : [];
  });
}

/** The kinds of rollouts whose controllers have metrics about them, with how these are read. */
export const sampledKinds: readonly { kind: DeliveryKind; sampling: SamplingProvider }[] = providers.flatMap(
  ({ kind, sampling }) => (sampling === undefined || !isDeliveryKind(kind) ? [] : [{ kind, sampling }]),
);

export type RolloutResource = { resource: ApiResource; controllerName: string };

/** Where the rollouts of each provider are listed. */
export const rolloutResources: readonly RolloutResource[] = providers.flatMap(({ kind, acting, controllerName }) => {
  const resource = acting.resourceOf(kind);
  return resource === undefined ? [] : [{ resource, controllerName }];
});

/** The provider whose rollouts are of this kind. Throws for a kind that is nobody's. */
export function providerOfKind(kind: string): Provider {
  return find(({ kind: own }) => own === kind, `kind ${kind}`);
}

export function isRolloutKind(kind: string | null): boolean {
  return kind !== null && rolloutKinds.includes(kind);
}

/** Returns the provider whose rollouts are of this kind; undefined if no provider has the kind. */
export function findProvider(kind: string): Provider | undefined {
  return providers.find((provider) => provider.kind === kind);
}

/** The provider that acts on runs or Experiments of this kind. Throws for a kind that is nobody's. */
export function providerOfSubject(kind: string): Provider {
  return find(({ acting }) => acting.resourceOf(kind) !== undefined, `subject ${kind}`);
}

/** What reads runs, Experiments or templates of this kind. Throws for a kind that is nobody's. */
export function measuringProviderOf(kind: string): MeasuringProvider {
  const found = providers.find(({ measuring }) => measuring?.kinds.includes(kind))?.measuring;
  if (found === undefined) throw new Error(`no provider of measured kind ${kind}`);
  return found;
}

/** Returns the kind of rollouts that have the controller of runs and templates of this kind. */
export function rolloutKindOf(kind: string): string {
  return find(({ measuring }) => measuring?.kinds.includes(kind) === true, `measured kind ${kind}`).kind;
}

/** The kinds of runs that can be replayed under other rules. */
export const backtestedKinds: readonly string[] = providers.flatMap(({ measuring }) =>
  measuring?.backtesting === undefined ? [] : measuring.kinds,
);

/** A kind of template that the lab edits: its contract is in Argo's terms, so no other provider can have it. */
export const labKind = "AnalysisTemplate";

/** Which revision a ReplicaSet is; an empty mark if no provider's controller has marked it. */
export function readRevisionMark(metadata: ObjectMeta): RevisionMark {
  for (const provider of providers) {
    const mark = provider.readRevisionMark(metadata);
    if (mark.podHash !== undefined || mark.revisions.length > 0) return mark;
  }
  return { podHash: undefined, revision: undefined, revisions: [] };
}

/** Lists the words of an object that no provider has a meaning for. */
export function findUnknownValues(kind: string, object: unknown): UnknownValue[] {
  return providers.flatMap((provider) => provider.findUnknownValues(kind, object));
}

/** The provider by its own name, as stored. Throws for a name that this version does not know. */
export function providerNamed(name: string): Provider {
  return find(({ name: own }) => own === name, `name ${name}`);
}

/** The provider of a stored action; undefined for a name that this version does not know. */
export function providerOfAction(name: string | undefined): Provider | undefined {
  // Actions of older versions name none: there was only this one.
  return name === undefined ? firstProvider : providers.find((provider) => provider.name === name);
}

/** Reads a stored observation in the terms that all providers share. */
export function readObservation({ provider, ...stored }: StoredObservation & { provider: string }): Observation {
  return providerNamed(provider).readObservation(stored);
}

function find(isWanted: (provider: Provider) => boolean, what: string): Provider {
  const found = providers.find(isWanted);
  if (found === undefined) throw new Error(`no provider of ${what}`);
  return found;
}
