import type { ActingObject, ActingProvider } from "#lib/domain/delivery/acting.ts";
import type { Attention } from "#lib/domain/delivery/attention.ts";
import type { DeliveryDetail } from "#lib/domain/delivery/detail.ts";
import type { MeasuringProvider } from "#lib/domain/delivery/measuring.ts";
import type { DeliveryState, Observation } from "#lib/domain/delivery/observation.ts";
import type { RevisionMark, RevisionSet } from "#lib/domain/delivery/revision-set.ts";
import type { ObjectMeta, Parsed } from "#lib/domain/kube/kube-object.ts";
import type { WatchedKind } from "#lib/domain/kube/watched-kind.ts";
import type { UnaskedChange } from "#lib/domain/oversight/unasked-change.ts";

/**
 * A progressive-delivery controller that Gatehouse knows. All that is particular to it is behind this type, in the
 * folder of its name; `lib/domain/providers.ts` lists them all. Pure: it has no clock, and reads only what a reader
 * gives it.
 */
export type Provider = {
  /** Stored with each observation. */
  name: string;
  /** The kind whose objects are rollouts, such as `Rollout`. */
  kind: string;
  /**
   * What is watched for it: its rollouts, and what tells of them. ReplicaSets, pods, Deployments and Events are anyway.
   */
  watchedKinds: readonly WatchedKind[];
  /** Takes an object as the cluster gave it. A reason instead of a value sends it to quarantine. */
  parse(object: unknown): Parsed<DeliveryObject>;
  /** Field managers of the controller as it is shipped; the config may name others. */
  managers: readonly string[];
  /** What the controller is called where it acts by itself. */
  controllerName: string;
  /** What somebody other than the controller did between the last two observations of the trail. */
  findChanges(trail: Trail): UnaskedChange[];
  /** Reads back what `DeliveryObject.observe` gave, older versions' too. */
  readObservation(stored: StoredObservation): Observation;
  /** Which revision a ReplicaSet is; an empty mark if the ReplicaSet is not of this provider. */
  readRevisionMark(metadata: ObjectMeta): RevisionMark;
  /**
   * Lists words of an object, as received and of any shape, that it has no meaning for; none of a kind that it has not.
   */
  findUnknownValues(kind: string, object: unknown): UnknownValue[];
  acting: ActingProvider;
  /** Absent if it measures nothing that has an object of its own. */
  measuring?: MeasuringProvider;
};

/** A word of the cluster's that Gatehouse has no meaning for. `field` is one of a few, fit for a metric's label. */
export type UnknownValue = { field: string; value: string };

/** An observation as it is stored; only its provider reads the projection. */
export type StoredObservation = {
  /** ISO 8601; when the recorder saw it. */
  observedAt: string;
  resourceVersion: string;
  /** The field manager that wrote it, as `DeliveryObject.nameWriter` names it; null if nobody is known. */
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
  /** The revisions that its status names: the wanted one and the stable one; without empty ones. */
  runKeys: readonly string[];
  /** Key of the wanted revision; empty until the controller has seen it. */
  runKey: string;
  /** What a person saw who decided on it, as one hash: 64 lowercase hex digits, from the unredacted object. */
  viewDigest: string;
  /**
   * Whether its controller may pass pauses by itself in this state, so that it must be known which a person let pass.
   */
  mayLoseGates: boolean;
  /** Names of the analysis runs that its status names. */
  runNames: readonly string[];
  /** The analysis templates that it names. */
  templateRefs: readonly string[];
  /** The Deployment whose pod template it runs; null if it has a template of its own, or another kind of workload. */
  workloadRef: string | null;
  /** What lists and pages show. `replicaSets` are those that it controls. */
  summarize(replicaSets: readonly RevisionSet[]): DeliverySummary;
  /** What its own page shows besides. */
  describe(): DeliveryDetail;
  /** One name for the controller's own writes, whatever its binary is called; the manager itself for all others. */
  nameWriter(manager: string, controllerManagers: readonly string[]): string;
  /** The projection to store with an observation. `summary.message` must hold no secret. */
  observe(at: Observing): unknown;
  /** Hides in a text, such as a message of its status, what the object holds as a secret. */
  redact(text: string): string;
  /** Why it waits for a person; undefined if it does not. */
  attend(at: Attending): Attention | undefined;
  acting: ActingObject;
};

export type Observing = {
  summary: DeliverySummary;
  /** The projection that is stored with the observation before. */
  previous: unknown;
  writer: string | null;
  /** ISO 8601. */
  observedAt: string;
  isDeleted: boolean;
  /** Indices of the pauses of this revision that a person let the controller pass, told so before the click. */
  knownPasses: readonly number[];
};

export type Attending = {
  summary: DeliverySummary;
  state: DeliveryState;
  /** For the same reason, the time since when is kept. */
  previous: Pick<Attention, "reason" | "since"> | undefined;
  /** ISO 8601; counts if the object does not say since when. */
  now: string;
};

export type DeliveryPhase = "Healthy" | "Progressing" | "Paused" | "Degraded" | "Unknown";

export type DeliverySummary = {
  strategy: string | null;
  phase: DeliveryPhase;
  /** The controller's own words; may quote secrets of the object. */
  message: string;
  /** Completed steps; null if the strategy has none or the status does not say. */
  step: number | null;
  stepCount: number;
  /** Percent; null for strategies without weights. `actual` is null if it cannot be known. */
  weight: { set: number | null; actual: number | null } | null;
  /** With the roles of the pods that run them, such as `stable`. */
  images: { image: string; tags: string[] }[];
  revision: number | null;
  revisionKey: string;
  /** Newest first, with the roles that they have. */
  replicaSets: (RevisionSet & { tags: string[] })[];
};
