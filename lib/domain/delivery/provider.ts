import type { Component } from "#lib/domain/controllers/component.ts";
import type { ActingObject, ActingProvider } from "#lib/domain/delivery/acting.ts";
import type { RevisionMark, RevisionSet } from "#lib/domain/delivery/attribute-revision.ts";
import type { Attention, DeliveryDetail } from "#lib/domain/delivery/detail.ts";
import type { MeasuringProvider } from "#lib/domain/delivery/measuring.ts";
import type { DeliveryState, Observation } from "#lib/domain/delivery/observation.ts";
import type { RelatedState } from "#lib/domain/delivery/related-state.ts";
import type { ReportingProvider } from "#lib/domain/delivery/reporting.ts";
import type { MetricSeries, RolloutSample, SamplingProvider, TrafficRoute } from "#lib/domain/delivery/sampling.ts";
import type { Setting } from "#lib/domain/delivery/set-differences.ts";
import type { PodOwner } from "#lib/domain/kube/find-owned-pods.ts";
import type { ObjectMeta, Parsed } from "#lib/domain/kube/kube-object.ts";
import type { WatchedKind } from "#lib/domain/kube/watched-kind.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";
import type { Trouble, UnaskedChange } from "#lib/domain/oversight/provider-reports.ts";

/**
 * A progressive-delivery controller that Gatehouse supports. Everything specific to it is behind this type, in the
 * folder of its name; `lib/domain/providers.ts` lists all providers. Pure: it has no clock, and reads only through the
 * readers that it is given.
 */
export type Provider = {
  /** Stored with each observation. */
  name: string;
  /** The kind whose objects are rollouts, such as `Rollout`. */
  kind: string;
  /**
   * The kinds watched for it: its rollouts and related objects. ReplicaSets, pods, Deployments and Events are always
   * watched.
   */
  watchedKinds: readonly WatchedKind[];
  /** Parses an object as the cluster gave it. A reason instead of a value sends it to quarantine. */
  parse(object: unknown): Parsed<DeliveryObject>;
  /**
   * Whether its rollouts can be judged only with their workloads, their memory and the controller's version, which take
   * more reads.
   */
  readsRelatedState: boolean;
  /** Names of the controller's images without registry and tag, such as `argo-rollouts`: the tag is its version. */
  controllerImages: readonly string[];
  /** Field managers of the controller as shipped; the config may name others. */
  managers: readonly string[];
  /** The controller's name for its own actions. */
  controllerName: string;
  /** Finds the changes between the last two observations of the trail that the controller did not make. */
  findChanges(trail: Trail): UnaskedChange[];
  /**
   * The fields of its objects that a client writes to make a change, by the name of the change: `status.abort`. A change
   * that is absent may be made by any write.
   */
  writtenFields?: Readonly<Record<string, readonly string[]>>;
  /** Parses a stored result of `DeliveryObject.observe`, including those of older versions. */
  readObservation(stored: StoredObservation): Observation;
  /** Reads which revision a ReplicaSet is; an empty mark if the ReplicaSet is not of this provider. */
  readRevisionMark(metadata: ObjectMeta): RevisionMark;
  /**
   * Lists the values that it does not recognise, in an object as received and of any shape. Empty for kinds that it
   * does not have.
   */
  findUnknownValues(kind: string, object: unknown): UnknownValue[];
  /**
   * Returns a stored object without the fields that its controller rewrites at every check even if nothing has changed.
   * A version that differs only in these is recorded, but is no change. Absent if the controller writes only changes.
   */
  withoutTicks?(stored: unknown): unknown;
  /**
   * Removes the controller's additions from a pod template that it copied to the stable workload. `released`: the
   * template that it is compared with. Absent if the controller copies none.
   */
  cleanStableTemplate?(stable: unknown, released: unknown): unknown;
  /**
   * Lists the values of a stored spec, without its pod template and of any shape, by which rollouts of one version are
   * compared. Absent if its objects have none.
   */
  listSettings?(spec: unknown): Setting[];
  acting: ActingProvider;
  /** Absent if it has no objects for measuring. */
  measuring?: MeasuringProvider;
  /** Absent if its controller's messages add no information to its objects. */
  reporting?: ReportingProvider;
  /** Absent if its controller has no metrics about its rollouts. */
  sampling?: SamplingProvider;
  /** The description of its controller's own health; absent if the controller has no metrics about itself. */
  health?: Component;
};

/**
 * A value from the cluster that Gatehouse does not recognise. `field` is one of a few, suitable as a metric's label.
 */
export type UnknownValue = { field: string; value: string };

/** An observation as it is stored; only its provider reads the projection. */
export type StoredObservation = {
  /** ISO 8601; when the recorder saw it. */
  observedAt: string;
  resourceVersion: string;
  /** The field manager that wrote it, as `DeliveryObject.nameWriter` names it; null if unknown. */
  writer: string | null;
  projection: unknown;
};

export type TrailItem = Pick<StoredObservation, "writer" | "projection"> & {
  /** Milliseconds since 1970. */
  at: number;
};

export type Trail = {
  /** The newest observations of a rollout, oldest first. */
  items: readonly TrailItem[];
  /** The revisions that were wanted before the last one, by key, each with its number. */
  former: ReadonlyMap<string, number | null>;
};

/** A rollout's object, parsed by its provider. */
export type DeliveryObject = {
  metadata: ObjectMeta;
  /** The revisions that its status names: the wanted one and the stable one; empty ones are left out. */
  runKeys: readonly string[];
  /** Key of the wanted revision; empty until the controller has seen it. */
  runKey: string;
  /** Digest of the view that a person decides on: 64 lowercase hex digits, from the unredacted object. */
  viewDigest: string;
  /**
   * The checksum that decisions about the run in progress are bound to; absent without such a run, or without gates.
   */
  runChecksum?: string | undefined;
  /**
   * Whether its controller may pass pauses by itself in this state: then the pauses that a person let pass must be
   * known.
   */
  mayLoseGates: boolean;
  /** Names of the analysis runs that its status names. */
  runNames: readonly string[];
  /** The analysis templates that it names: `Kind/name`, or `Kind/namespace/name` for one of another namespace. */
  templateRefs: readonly string[];
  /** The Deployment whose pod template it runs; null if it has its own template, or another kind of workload. */
  workloadRef: string | null;
  /** The workloads that `summarize` and the others need beside it. A change of one shows the rollout again. */
  workloads: readonly WorkloadName[];
  /** Its steps with the weight that each sets, in percent; undefined if its strategy sets no weights. */
  weightSteps: readonly { setWeight?: number | undefined }[] | undefined;
  /** Reads its samples from its controller's metrics, oldest first; absent if its provider has no sampling. */
  readSamples?(series: readonly MetricSeries[]): RolloutSample[];
  /**
   * Returns the object that routes its traffic; undefined if it is unknown or contains no weight. `defaultRouter`: the
   * controller's, for a rollout that names none. Absent if its provider reads no routes.
   */
  findTrafficRoute?(defaultRouter: string | undefined): TrafficRoute | undefined;
  /** Returns the fields that lists and pages show. */
  summarize(related: RelatedState): DeliverySummary;
  /** Returns the fields that only its own page shows. */
  describe(related: RelatedState): DeliveryDetail;
  /** Lists the owners of its pods, the new version first. Only the logs of these pods may be read as its logs. */
  listVersionPods(related: RelatedState): VersionPods[];
  /**
   * Returns one name for the controller's own writes, for any name of its binary; the manager itself for all others.
   */
  nameWriter(manager: string, controllerManagers: readonly string[]): string;
  /** Returns the projection to store with an observation. `summary.message` must not contain secrets. */
  observe(at: Observing): unknown;
  /**
   * Returns whether a stored projection was made before its workloads were recorded, and lacks their data. Absent if no
   * part of a projection comes from a workload.
   */
  lacksWorkloads?(stored: unknown): boolean;
  /** Returns the projection in `beside.memory` with the missing data; undefined if that is still unknown. */
  completeProjection?(at: Completing): unknown;
  /** Hides the object's secrets in a text, such as a message of its status. */
  redact(text: string): string;
  /**
   * Returns its controller's next automatic action; undefined if the controller waits, or if the action is not known.
   * Absent if its controller has no timed actions.
   */
  findOwnAct?(related: RelatedState): OwnAct | undefined;
  /** Returns why it waits for a person; undefined if it does not. */
  findAttention(at: AttentionInput): Attention | undefined;
  /** Lists its present problems beyond those that all providers share. Absent if the provider has none of its own. */
  listTroubles?(related: RelatedState): Trouble[];
  acting: ActingObject;
};

export type WorkloadName = { kind: WorkloadState["kind"]; name: string };

/** The memory is the projection to complete; the workloads have their templates. */
export type Completing = { summary: DeliverySummary; related: RelatedState };

export type Observing = {
  summary: DeliverySummary;
  /** Hides the object's secrets in a text that the projection repeats. */
  toStorable(text: string): string;
  /** Its memory is the projection that was stored with the previous observation. */
  related: RelatedState;
  writer: string | null;
  /** ISO 8601. */
  observedAt: string;
  isDeleted: boolean;
  /**
   * Indices of the pauses of this revision that a person knowingly let the controller pass: a warning came before the
   * click.
   */
  knownPasses: readonly number[];
};

export type AttentionInput = {
  summary: DeliverySummary;
  /** Its memory is the projection of this observation. */
  related: RelatedState;
  state: DeliveryState;
  /** If the reason is the same, the start time is kept. */
  previous: Pick<Attention, "reason" | "since"> | undefined;
  /** ISO 8601; used if the object does not contain the start of the wait. */
  now: string;
};

export type DeliveryPhase = "Healthy" | "Progressing" | "Paused" | "Degraded" | "Unknown";

export type DeliverySummary = {
  strategy: string | null;
  phase: DeliveryPhase;
  /** The controller's own word, such as `WaitingPromotion`; null if the controller has the words of `phase` itself. */
  providerPhase: string | null;
  /** The controller's own message; may quote secrets of the object. */
  message: string;
  /** Completed steps; null if the strategy has none or the status does not give them. */
  step: number | null;
  stepCount: number;
  /** Percent; null for strategies without weights. `actual` is null if it cannot be known. */
  weight: { set: number | null; actual: number | null } | null;
  /** With the roles of the pods that run them, such as `stable`. */
  images: { image: string; tags: string[] }[];
  revision: number | null;
  revisionKey: string;
  /** Newest first, with their roles. */
  replicaSets: (RevisionSet & { tags: string[] })[];
};

/** The owner of the pods of one version of a rollout. */
export type VersionPods = {
  owner: PodOwner;
  /** `new`: the version being rolled out; `stable`: the one that it is compared with. */
  side: "new" | "stable" | "other";
  revision: number | null;
  images: string[];
  /** The Experiment that runs them beside the rollout's own versions, and its name for this version. */
  experiment?: { uid: string; name: string; template: string };
  /** The analysis run that measured by this Job, which runs no version. */
  run?: { uid: string; name: string };
};

/** The controller's next automatic action, unless a person acts first. */
export type OwnAct = {
  /** A verb phrase that needs no context, such as "Continues by itself with step 5 of 6". */
  text: string;
  /** When it is due, in ISO 8601. It may have passed: controllers act a little later. */
  at: string;
};

/** The wording of a provider's controller in the objects that it writes. Small: it is sent to the browser. */
export type ControllerWords = {
  /** The kind whose objects it writes into. */
  kind: string;
  /** The provider's messages are whole sentences for a person, and need no words around them. */
  areSentences: boolean;
  /** Words a bare reason, such as that of a pause; undefined for any other text. */
  nameReason(reason: string): string | undefined;
  /** Explains who aborted, followed by `place`, and why; undefined if the message is not about an abort. */
  explainAbort(message: string, place: string): string | undefined;
  /** Whether an abort was requested, by its message; undefined if the message leaves that open. */
  isAbortOnRequest(message: string): boolean | undefined;
  /** Explains who paused it, followed by `place`; undefined if the message is not about a person's pause. */
  explainPause(message: string, place: string): string | undefined;
};
