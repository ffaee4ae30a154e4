import type { RevisionSet } from "#lib/domain/delivery/attribute-revision.ts";
import type { ReportedMessage } from "#lib/domain/delivery/reporting.ts";
import type { MetricPoint } from "#lib/domain/delivery/sampling.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";

export type NamedWorkload = WorkloadState & {
  name: string;
  uid: string;
  /** Absent if it was not read, or is not recorded. */
  template?: RecordedTemplate | undefined;
};

/** A pod template as it is recorded: redacted, with the digest that it is stored by. */
export type RecordedTemplate = { digest: string; content: unknown };

/** Identifies the desired version of a workload, as one text: it changes with each spec change and each re-creation. */
export function versionOf({ uid, generation }: Pick<NamedWorkload, "uid" | "generation">): string {
  return `${uid}/${generation ?? ""}`;
}

/** The facts about a rollout besides its own object. Its provider decides which of them matter. */
export type RelatedState = {
  /** The cluster's name in the config; empty if it does not matter. */
  cluster: string;
  /** The ReplicaSets that it controls; undefined if they were not read. */
  replicaSets: readonly RevisionSet[] | undefined;
  /** Those of `DeliveryObject.workloads` that are known. */
  workloads: readonly NamedWorkload[];
  /** The result of `observe` of its provider for the newest observation; undefined before the first. */
  memory: unknown;
  /** When it is judged, in ISO 8601; without it, deadlines count as not reached. */
  now: string | undefined;
  /** Version of its controller; undefined if it is not known. */
  controllerVersion: string | undefined;
  /** The router that is used if the rollout names none; undefined if the controller's metrics were not read. */
  defaultRouter: string | undefined;
  /** Percentage of the traffic on the new version by the object that routes it; undefined if it was not read recently. */
  routeWeight: MetricPoint | undefined;
  /** The same by its controller's metrics. */
  sampledWeight: MetricPoint | undefined;
  /**
   * The last messages of its controller, oldest first; a bounded number, also from before the present run. Empty for
   * providers whose controllers send no messages that matter.
   */
  messages: readonly ReportedMessage[];
};

export const nothingRelated: RelatedState = {
  cluster: "",
  replicaSets: undefined,
  workloads: [],
  memory: undefined,
  now: undefined,
  controllerVersion: undefined,
  defaultRouter: undefined,
  routeWeight: undefined,
  sampledWeight: undefined,
  messages: [],
};
