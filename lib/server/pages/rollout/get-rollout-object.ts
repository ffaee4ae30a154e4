import { z } from "zod";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { findProvider } from "#lib/domain/providers.ts";
import { explainExcess, measureObject } from "#lib/domain/storable/measure-object.ts";
import { redactObject } from "#lib/domain/storable/redact-object.ts";
import { redactBeginning } from "#lib/domain/storable/redact-text.ts";
import { makeClusterIdentity } from "#lib/server/acting/permission/cluster-identity.ts";
import type { ClusterResponse } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { isClusterUnreachableError, isForbiddenIdentityError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { objectPath } from "#lib/server/clusters/object-api.ts";
import { assertReadable } from "#lib/server/people/permission/read-scope.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { largestInline, redactInThread, redactWithinMs } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import type { Call } from "#lib/server/process/service-context.ts";

const JsonObject = z.record(z.string(), z.unknown());
/** The characters that Kubernetes allows in a name: none can change the path. */
const pathSegment = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** Fetches the live object, redacted, with the caller's own rights at the cluster. */
export async function getRolloutObject({ ctx, input }: Call<RolloutPath>): Promise<Record<string, unknown>> {
  const { runtime, actor } = ctx;
  const cluster = runtime.config().config.clusters.find(({ name }) => name === input.cluster);
  const client = runtime.cluster(input.cluster);
  const missingText = `${formatObjectRef(input)} is not in its cluster.`;
  const missing = new ServiceError("not_found", missingText);
  assertReadable(actor.rights, input, missingText);
  if (cluster === undefined || client === undefined) throw missing;
  if (!pathSegment.test(input.namespace) || !pathSegment.test(input.name)) throw missing;
  const resource = findProvider(input.kind)?.acting.resourceOf(input.kind);
  if (resource === undefined) throw missing;
  const path = objectPath({ resource, namespace: input.namespace, name: input.name });
  const response = await client
    .request({ method: "GET", path, as: makeClusterIdentity({ actor, cluster }), timeoutMs: 10_000 })
    .catch((error: unknown) => {
      throw asRefusal(error, input.cluster);
    });
  if (response.status === 404) throw missing;
  const object = JsonObject.safeParse(response.json);
  if (response.status === 200 && object.success) return redactLive({ ctx, input, object: object.data });
  if (response.status === 401 || response.status === 403)
    throw new ServiceError("cluster_refused", `${input.cluster} refused: ${messageOf(response)}`);
  throw new ServiceError("unavailable", `${input.cluster} answered ${response.status}: ${messageOf(response)}`);
}

/** Redacts the object: in a thread if it is large, and not at all beyond the limits of what the recorder reads. */
async function redactLive({
  ctx: { runtime, actor, requestId },
  input,
  object,
}: Call<RolloutPath> & { object: unknown }): Promise<Record<string, unknown>> {
  const size = measureObject(object);
  const excess = explainExcess(object, size);
  const hidden = (why: string, error?: string): ServiceError => {
    runtime.log.warn({ requestId, rollout: formatObjectRef(input), why, error }, "a live object was not shown");
    return new ServiceError("unavailable", `${formatObjectRef(input)} is not shown: ${why}. Read it with kubectl.`);
  };
  if (excess !== undefined) throw hidden(excess);
  if (size.characters <= largestInline) return JsonObject.parse(redactObject(object));
  const request = { owner: `object ${actorKey(actor)}`, most: 4, limitMs: redactWithinMs, waitMs: 5000 };
  const outcome = await redactInThread(runtime.evaluations, object, request);
  if ("value" in outcome) return JsonObject.parse(outcome.value.value);
  if (outcome.refused === "too-many")
    throw new ServiceError("rate_limited", "You read 4 large objects already; try again when one has arrived.", {
      retryAfterSeconds: 1,
    });
  if (outcome.refused === "busy")
    throw new ServiceError("unavailable", "All threads are busy; try again in a moment.", { retryAfterSeconds: 5 });
  throw hidden(`it could not be redacted within ${redactWithinMs / 1000} seconds`, outcome.error);
}

function asRefusal(error: unknown, cluster: string): unknown {
  if (isForbiddenIdentityError(error)) return new ServiceError("cluster_refused", error.message);
  if (isClusterUnreachableError(error))
    return new ServiceError("unavailable", `${cluster} does not answer.`, { cause: error });
  return error;
}

const Status = z.looseObject({ message: z.string() });

/** Returns the API server's own message if it sent a Status; any other body stays out of our answer. */
function messageOf(response: ClusterResponse): string {
  const status = Status.safeParse(response.json);
  return status.success ? redactBeginning(status.data.message).slice(0, 300) : "no reason given";
}
