import type { ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import { readMissingRight } from "#lib/domain/kube/read-missing-right.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

type Place = { cluster: string; namespace: string; username: string };

/** Says which right a person lacks at the cluster to read logs. `message` is the API server's. */
export function describeMissingRight({ cluster, namespace, username }: Place, message: string): string {
  const right = readMissingRight(message);
  if (right === undefined) return `Cluster ${cluster} refused ${username}: ${message}`;
  // Those of constrained impersonation begin with it too.
  if (right.verb.startsWith("impersonate"))
    return `Gatehouse's account may not act for ${username} on cluster ${cluster}: it lacks the right to ${right.verb} ${right.resource}.`;
  const where = right.namespace === undefined ? "" : ` in namespace ${right.namespace}`;
  return `On cluster ${cluster}, ${username} lacks the right to ${right.verb} ${right.resource}${where || ` in namespace ${namespace}`}.`;
}

/** Turns a failed read into a sentence about one version. */
export function describeReadFailure(place: Place, failure: ReadFailure): string {
  if (failure.kind === "refused") return describeMissingRight(place, failure.message);
  if (failure.kind === "missing") return "The cluster no longer has it.";
  // It names the cluster by itself.
  return endSentence(`${failure.message.charAt(0).toUpperCase()}${failure.message.slice(1)}`);
}

/** Turns an answer of the API server other than 200 to the request for one log into what the person is told. */
export function asLogRefusal(
  place: Place,
  asked: { pod: string; container: string; previous: boolean },
  answer: { status: number; message: string },
): ServiceError {
  const { status, message } = answer;
  if (status === 401 || status === 403)
    return new ServiceError("cluster_refused", describeMissingRight(place, message));
  if (status === 404) return new ServiceError("not_found", `Pod ${asked.pod} is gone, and its log with it.`);
  if (status === 400 && asked.previous)
    return new ServiceError(
      "not_allowed_now",
      `Container ${asked.container} of pod ${asked.pod} has no previous instance whose log is kept.`,
    );
  if (status === 400) return new ServiceError("not_allowed_now", endSentence(message));
  return new ServiceError("unavailable", `Cluster ${place.cluster} answered ${status}: ${message}`);
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
