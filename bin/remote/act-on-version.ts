import { setTimeout as sleep } from "node:timers/promises";
import { bindMember, explainBlock, isReady } from "#lib/client/group-plan.ts";
import type { ActionGroup, ActionGroupRequest, GroupPlan, PlannedMember } from "#lib/contract/action-group.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { SetMember } from "#lib/contract/version-set.ts";
import { groupActions, mostMembers } from "#lib/domain/acting/group-actions.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { cleanText } from "../clean-text.ts";
import { CommandError, UsageError } from "../command-line.ts";
import { postOnce, type RemoteApi, withApi } from "./api.ts";
import { assertReason } from "./assert-reason.ts";
import { formatAnswer, formatTable, type Output } from "./format.ts";
import { readAll } from "./rollouts.ts";

type Asked = {
  word: string;
  version: string;
  /** The image without its version. */
  repository: string | undefined;
  clusters: readonly string[];
  namespaces: readonly string[];
  reason: string | undefined;
  yes: boolean;
  timeoutMs: number;
  output: Output;
};

/**
 * Acts on the rollouts whose current revision has the version. Without `yes`, only lists them with the effect on each.
 * Returns exit status 0 if the action took effect in every rollout, or if they were only listed.
 */
export async function actOnVersion(asked: Asked): Promise<number> {
  const action = groupActions.find((name) => name === asked.word);
  if (action === undefined)
    throw new UsageError(
      `${JSON.stringify(asked.word)} cannot be requested for many rollouts; actions: ${groupActions.join(" ")}`,
    );
  return withApi(async (api) => {
    const rollouts = await readRollouts(api, asked);
    const members = rollouts.map(({ cluster, namespace, kind, name }) => ({ cluster, namespace, kind, name }));
    const { items } = await api.post<GroupPlan>("/api/v1/action-groups/plan", { action, members });
    const ready = items.filter(isReady);
    const needs = ready.map(({ plan }) => plan.needs);
    if (asked.yes) assertReason(action, needs, asked.reason);
    if (!asked.yes) {
      const todo = `nothing was done; --yes acts on ${ready.length} of ${items.length}\n`;
      process.stdout.write(asked.output === "table" ? formatPlan(items) + todo : formatAnswer(items, asked.output));
      return 0;
    }
    process.stderr.write(formatBlocked(rollouts, items));
    if (ready.length === 0) throw new CommandError(`none of ${items.length} rollouts allows ${action} now`);
    const body: ActionGroupRequest = {
      action,
      ...(asked.reason === undefined ? {} : { reason: asked.reason }),
      of: asked.version,
      members: ready.map(bindMember),
    };
    const { seq } = await postOnce<ActionGroup>(api, "/api/v1/action-groups", body);
    const group = await untilSettled(api, seq, asked.timeoutMs);
    process.stdout.write(asked.output === "table" ? formatGroup(group) : formatAnswer(group, asked.output));
    const done = group.members.filter(({ state }) => state === "effective").length;
    return done === members.length ? 0 : 1;
  });
}

/** Reads the rollouts with the version in these clusters and namespaces. Throws if there are none, or too many. */
async function readRollouts(
  api: RemoteApi,
  { version, repository, clusters, namespaces }: Asked,
): Promise<RolloutSummary[]> {
  const path = `/api/v1/sets/version/${encodeURIComponent(version)}/members`;
  // By address, no member moves to another page meanwhile.
  const found = await readAll<SetMember>(api, path, { image: repository, order: "address" });
  const members = new Map(found.map((member) => [member.rollout.id, member]));
  const rollouts = [...members.values()]
    .filter(({ current, rollout }) => current && rollout.presence === "live")
    .map(({ rollout }) => rollout)
    .filter(({ cluster, namespace }) => matchesAny(clusters, cluster) && matchesAny(namespaces, namespace));
  if (rollouts.length === 0) throw new CommandError(`no rollout runs or receives version ${version} there`);
  if (rollouts.length > mostMembers)
    throw new CommandError(
      `${rollouts.length} rollouts match, and at most ${mostMembers} can be acted on at once: narrow it down with --cluster or --namespace`,
    );
  return rollouts;
}

/** Waits until every member has an effect or cannot change any more. */
async function untilSettled(api: RemoteApi, seq: number, timeoutMs: number): Promise<ActionGroup> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const isLast = Date.now() >= until;
    try {
      const group = await api.get<ActionGroup>(`/api/v1/action-groups/${seq}`);
      if (isLast || group.members.every(({ final }) => final)) return group;
    } catch (error) {
      if (isLast || !isGatehouseError(error) || !error.isTransient) throw error;
    }
    await sleep(500);
  }
}

function formatPlan(items: readonly PlannedMember[]): string {
  return formatTable(
    ["CLUSTER", "ROLLOUT", "ALLOWED", "EFFECT"],
    items.map((member) => {
      const { rollout, plan } = member;
      const why = explainBlock(member);
      const place = [rollout.cluster, `${rollout.namespace}/${rollout.name}`];
      const overridden = plan?.waives && `Overrides ${plan.waives}.`;
      const effect = [plan?.effect, ...(plan?.warnings ?? []), overridden].filter((text) => text).join(" ");
      return [...place, why === undefined ? "yes" : "no", why ?? effect];
    }),
  );
}

/** Names the rollouts that the action is not requested for, with the reason. */
function formatBlocked(rollouts: readonly RolloutSummary[], items: readonly PlannedMember[]): string {
  const planned = new Map(items.map((member) => [member.rollout.id, member]));
  const lines = rollouts.flatMap(({ id }) => {
    const member = planned.get(id);
    const why = member === undefined ? "It is gone, or you may not see it." : explainBlock(member);
    return why === undefined ? [] : [`  ${cleanText(`${id}: ${why}`)}\n`];
  });
  return lines.length === 0 ? "" : `not requested for ${lines.length} of ${rollouts.length}:\n${lines.join("")}`;
}

function formatGroup({ members, sentence, seq }: ActionGroup): string {
  const rows = members.map(({ rollout, state, message }) => [
    rollout.cluster,
    `${rollout.namespace}/${rollout.name}`,
    state,
    message,
  ]);
  return `${formatTable(["CLUSTER", "ROLLOUT", "STATE", "MESSAGE"], rows)}${cleanText(sentence)}, audit entry ${seq}\n`;
}
