import type { GateName } from "#lib/domain/delivery/gate-decision.ts";
import { hashPodTemplate } from "#lib/domain/flagger/gates/checksum.ts";
import { decideHook } from "#lib/domain/flagger/gates/decide-hook.ts";
import type { HookAnswer } from "#lib/domain/flagger/gates/hook-answer.ts";
import type { HookPayload } from "#lib/domain/flagger/gates/hook-payload.ts";
import { type GateFacts, refuse } from "#lib/domain/flagger/gates/judge-gate.ts";
import { readWatchedCanary, type WatchedCanary } from "#lib/domain/flagger/gates/watched-canary.ts";
import { type ApiResource, deployments, formatResourcePath } from "#lib/domain/kube/api-resource.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { explainOtherCluster, explainStaleness } from "#lib/server/clusters/sources/source-freshness.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { type Deadline, type HookCall, msUntil } from "#lib/server/webhooks/hook-call.ts";
import type { CallFacts } from "#lib/server/webhooks/read-call-facts.ts";

type Judging = {
  runtime: Pick<Runtime, "cluster" | "config" | "configStatus">;
  call: HookCall;
  gate: GateName;
  payload: HookPayload;
  facts: CallFacts;
  /** Reads the facts again. */
  readFacts: () => Promise<CallFacts>;
  deadline: Deadline;
};
type KnownFacts = Omit<GateFacts, "gate" | "payload">;

/**
 * Judges a call of a gate by the recorded state. If that could make it pass, but depends on fields that may have
 * changed since, the cluster is asked first: for the target's pod template at a start, for the weight at a step. Before
 * it passes then, decisions and freezes are read again: they may have been made meanwhile.
 */
export async function judgeCall(judging: Judging): Promise<HookAnswer> {
  const known = toKnownFacts(judging);
  const first = judgeKnown(judging, known);
  const needs = findNeeds(judging, { known, first });
  if (needs === undefined) return first;
  const live = await readNeeded(judging, needs);
  if (live.kind === "failed") return refuse(judging.gate, live.why);
  if (live.canary !== undefined && live.canary.uid !== needs.recorded.uid)
    return refuse(judging.gate, "canary_recreated");
  const asked = { canary: live.canary ?? needs.recorded, templateHash: live.templateHash };
  const answer = judgeKnown(judging, { ...known, ...asked });
  if (answer.httpStatus !== 200) return answer;
  const { decisions } = await judging.readFacts();
  return judgeKnown(judging, { ...known, ...asked, decisions });
}

function judgeKnown({ call }: Judging, gate: KnownFacts): HookAnswer {
  return decideHook({ request: call, world: { kind: "known", access: "granted", gate } });
}

function toKnownFacts({ runtime, call, facts: { rollout, source, decisions } }: Judging): KnownFacts {
  const cluster = runtime.config().config.clusters.find(({ name }) => name === call.cluster);
  const isThere = rollout?.presence === "live";
  const canary = isThere ? readWatchedCanary(rollout.object) : undefined;
  return {
    canary,
    isViewFresh: explainStaleness(source, rollout?.is_held) === null && explainOtherCluster(source) === undefined,
    isQuarantined: isThere && (rollout.is_quarantined || canary === undefined || canary.uid !== rollout.uid),
    hasConfigError: runtime.configStatus().state === "error",
    allowsNoChecksum: cluster?.controllers.acceptMissingChecksum === true,
    templateHash: undefined,
    decisions,
  };
}

type Needs = { recorded: WatchedCanary; canary: boolean; template: boolean };

/** Finds the objects to read from the cluster; undefined if the first answer stands. */
function findNeeds(
  { gate, payload }: Judging,
  { known: { canary: recorded, decisions }, first }: { known: KnownFacts; first: HookAnswer },
): Needs | undefined {
  if (recorded === undefined) return undefined;
  const isRedacted = recorded.checksum === undefined;
  const template = gate === "confirm-rollout" || payload.checksum === undefined;
  const word = decisions.find(
    (decision) => decision.gate === gate && decision.uid === recorded.uid && !decision.isExpired && !decision.isVoided,
  );
  // An unbound hold hides a newer approval until the facts that the approval is bound to are known.
  const isOvertaken = first.reason === "rejected" && word?.verdict === "approve";
  const mayChange =
    mayPass.includes(first.reason) || isOvertaken || (isRedacted && first.reason === "checksum_mismatch");
  if (word === undefined || !mayChange) return undefined;
  const canary = isRedacted || (gate === "confirm-traffic-increase" && (template || first.httpStatus === 200));
  return canary || template ? { recorded, canary, template } : undefined;
}

/** Answers that live facts may turn into another one; all others stand. */
const mayPass: readonly HookAnswer["reason"][] = [
  "approved",
  "revision_changed_since_approval",
  "not_approved",
  "no_abort_requested",
  "abort_is_for_another_run",
];

type Live =
  | { kind: "found"; canary: WatchedCanary | undefined; templateHash: string | undefined }
  | Extract<LiveRead<never>, { kind: "failed" }>;

async function readNeeded({ runtime, call, payload, deadline }: Judging, needs: Needs): Promise<Live> {
  const client = runtime.cluster(call.cluster);
  if (client === undefined) return { kind: "failed", why: "cluster_unreachable" };
  const { namespace, name } = payload;
  const reading = { client, namespace, timeoutMs: Math.max(1, Math.floor(msUntil(deadline))) };
  const nothing = { kind: "found", value: undefined } as const;
  const [canary, template] = await Promise.all([
    needs.canary ? readLiveCanary({ ...reading, name }) : nothing,
    needs.template ? readLiveTemplate({ ...reading, target: needs.recorded.target }) : nothing,
  ]);
  if (canary.kind === "failed") return canary;
  if (template.kind === "failed") return template;
  return { kind: "found", canary: canary.value, templateHash: template.value };
}

/** Workloads with a pod template that a canary may have as its target. */
const targetResources: Readonly<Record<string, ApiResource>> = {
  Deployment: deployments,
  DaemonSet: { group: "apps", version: "v1", name: "daemonsets" },
};
const canaries: ApiResource = { group: "flagger.app", version: "v1beta1", name: "canaries" };

/** `unreachable`: the cluster did not answer in time, or refused. `unusable`: the object is not there, or not usable. */
type LiveRead<Value> =
  | { kind: "found"; value: Value }
  | { kind: "failed"; why: "cluster_unreachable" | "object_unreadable" };

type Reading = { client: ClusterClient; namespace: string; timeoutMs: number };

/** Reads the hash of the target's pod template from the cluster, as Gatehouse itself. */
async function readLiveTemplate({
  target,
  ...reading
}: Reading & { target: WatchedCanary["target"] }): Promise<LiveRead<string>> {
  const resource = Object.hasOwn(targetResources, target.kind) ? targetResources[target.kind] : undefined;
  if (resource === undefined) return { kind: "failed", why: "object_unreadable" };
  return readLive({ ...reading, resource, name: target.name, parse: hashPodTemplate });
}

/** Reads the canary from the cluster, as Gatehouse itself: the recorded object may be a moment old, or redacted. */
async function readLiveCanary({ name, ...reading }: Reading & { name: string }): Promise<LiveRead<WatchedCanary>> {
  return readLive({ ...reading, resource: canaries, name, parse: readWatchedCanary });
}

async function readLive<Value>({
  client,
  namespace,
  name,
  resource,
  timeoutMs,
  parse,
}: Reading & {
  name: string;
  resource: ApiResource;
  parse: (object: unknown) => Value | undefined;
}): Promise<LiveRead<Value>> {
  const path = `${formatResourcePath(resource, namespace)}/${encodeURIComponent(name)}`;
  try {
    const { status, json } = await client.request({ method: "GET", path, timeoutMs });
    if (status === 404) return { kind: "failed", why: "object_unreadable" };
    if (status !== 200) return { kind: "failed", why: "cluster_unreachable" };
    const value = isNamed(json, { namespace, name }) ? parse(json) : undefined;
    return value === undefined ? { kind: "failed", why: "object_unreadable" } : { kind: "found", value };
  } catch (error) {
    if (!isClusterUnreachableError(error)) throw error;
    return { kind: "failed", why: "cluster_unreachable" };
  }
}

/** Returns whether the answer is the object that was asked for. */
function isNamed(json: unknown, asked: { namespace: string; name: string }): boolean {
  if (typeof json !== "object" || json === null || !("metadata" in json)) return false;
  const { metadata } = json;
  if (typeof metadata !== "object" || metadata === null) return false;
  return (
    "name" in metadata &&
    metadata.name === asked.name &&
    "namespace" in metadata &&
    metadata.namespace === asked.namespace
  );
}
