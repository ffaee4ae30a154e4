import type { GateName } from "#lib/domain/delivery/gate-decision.ts";
import { decideHook } from "#lib/domain/flagger/gates/decide-hook.ts";
import type { HookAnswer } from "#lib/domain/flagger/gates/hook-answer.ts";
import type { HookPayload } from "#lib/domain/flagger/gates/hook-payload.ts";
import { type GateFacts, refuse } from "#lib/domain/flagger/gates/judge-gate.ts";
import { readWatchedCanary, type WatchedCanary } from "#lib/domain/flagger/gates/watched-canary.ts";
import { explainOtherCluster, explainStaleness } from "#lib/server/clusters/sources/source-freshness.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { type Deadline, type HookCall, msUntil } from "#lib/server/webhooks/hook-call.ts";
import type { CallFacts } from "#lib/server/webhooks/read-call-facts.ts";
import { type LiveRead, readLiveCanary, readLiveTemplate } from "#lib/server/webhooks/read-live.ts";

type Judging = {
  runtime: Pick<Runtime, "cluster" | "config" | "configStatus">;
  call: HookCall;
  gate: GateName;
  payload: HookPayload;
  facts: CallFacts;
  deadline: Deadline;
};
type KnownFacts = Omit<GateFacts, "gate" | "payload">;

/**
 * Judges a call of a gate by the recorded state. If that could make it pass, but depends on fields that may have
 * changed since, the cluster is asked first: for the target's pod template at a start, for the weight at a step.
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
  const canary = live.canary ?? needs.recorded;
  return judgeKnown(judging, { ...known, canary, templateHash: live.templateHash });
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
