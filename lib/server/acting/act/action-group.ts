import { z } from "zod";
import type { ActionState } from "#lib/contract/action.ts";
import { type ActionGroup, GroupActionName } from "#lib/contract/action-group.ts";
import { doneStates, formatGroupSentence, type GroupTally, groupCode } from "#lib/domain/acting/group-actions.ts";
import { type AuditEntry, parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayRead } from "#lib/domain/policy/rights.ts";
import { isFinal } from "#lib/server/acting/act/get-action.ts";
import type { Actor, StoreCall } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type ActionRow, readGroupActions, StoredPlan } from "#lib/server/records/action-store.ts";
import { parseJson } from "#lib/util/json.ts";

/** A member that was refused before it became an action. */
const RefusedMember = z.object({ id: z.string(), problem: z.string(), message: z.string() });
export type RefusedMember = z.infer<typeof RefusedMember>;

/** The detail of the entry, as `actOnMany` writes it: `refused` are the first ones, and all in older entries. */
const GroupDetail = z.object({
  action: GroupActionName,
  of: z.string().optional(),
  members: z.number().int(),
  refused: z.array(RefusedMember),
});

/** The evidence of the entry. That of older entries has only the members. */
const GroupEvidence = z.object({ refused: z.array(RefusedMember) });

type Member = ActionGroup["members"][number];

/**
 * Returns one request for many rollouts, derived from its entry and the actions of its members, so that it is the same
 * after a crash. Throws `not_found`, also for a reader who may read none of its members and did not make it.
 */
export async function getActionGroup({ ctx, input }: StoreCall<{ seq: number }>): Promise<ActionGroup> {
  const { runtime, actor } = ctx;
  const missing = new ServiceError("not_found", `There is no request for many rollouts with number ${input.seq}.`);
  if (!Number.isSafeInteger(input.seq)) throw missing;
  const found = await prismaOn(runtime.pool).auditEntry.findFirst({
    where: { seq: BigInt(input.seq), code: groupCode },
    select: { entry: true, evidence: { select: { content: true } } },
  });
  const entry = found === null ? undefined : parseEntryText(found.entry);
  const detail = GroupDetail.safeParse(entry?.detail).data;
  if (entry === undefined || detail === undefined) throw missing;
  const rows = await readGroupActions(runtime.pool, input.seq);
  const readable = rows.filter((row) => mayRead(actor.rights, row)).map(toMember);
  const isOwn = isActor(entry, actor);
  if (readable.length === 0 && !isOwn) throw missing;
  const evidence = GroupEvidence.safeParse(parseJson(found?.evidence?.content ?? ""));
  const refused = (evidence.data ?? detail).refused.flatMap(
    (member) => toRefusedMember(member, { actor, isOwn }) ?? [],
  );
  const members = [...readable, ...refused];
  const { action, of } = detail;
  return {
    seq: input.seq,
    action,
    of: of ?? null,
    reason: entry.reason ?? null,
    actor: entry.actor.name,
    requestedAt: new Date(entry.time).toISOString(),
    sentence: formatGroupSentence({ action, of, ...tallyOf(members) }),
    running: members.some(({ state }) => state === "requested"),
    members,
  };
}

/** A token may have fewer rights than its owner, so it is the author of its own requests only. */
function isActor({ actor }: AuditEntry, { issuer, subject, token }: Actor): boolean {
  const isPerson = actor.issuer === issuer && actor.subject === subject;
  return isPerson && (token === undefined || actor.token?.id === token.id);
}

function tallyOf(members: readonly Member[]): GroupTally {
  const count = (...states: readonly ActionState[]) => members.filter(({ state }) => states.includes(state)).length;
  return {
    total: members.length,
    done: count(...doneStates),
    open: count("requested"),
    idle: count("not-effective"),
    partial: count("partial"),
  };
}

function toMember(row: ActionRow): Member {
  const { cluster, namespace, kind, name, id: actionId, state, message, plan, intent_seq, outcome_seq } = row;
  const auditSeq = intent_seq ?? outcome_seq;
  return {
    rollout: { id: formatObjectRef(row), cluster, namespace, kind, name },
    actionId,
    state,
    final: isFinal(row),
    problem: state === "refused" ? (StoredPlan.safeParse(plan).data?.refusal?.code ?? null) : null,
    message,
    auditSeq: auditSeq === null ? null : Number(auditSeq),
    outcomeSeq: outcome_seq === null ? null : Number(outcome_seq),
  };
}

/** A refused address is shown to the person who sent it, and to those who may read it. */
function toRefusedMember(
  { id, problem, message }: RefusedMember,
  { actor, isOwn }: { actor: Actor; isOwn: boolean },
): Member | undefined {
  const [cluster = "", namespace = "", kind = "", name = ""] = id.split("/");
  if (!isOwn && !mayRead(actor.rights, { cluster, namespace, kind, name })) return undefined;
  const rollout = { id, cluster, namespace, kind, name };
  return { rollout, actionId: null, state: "refused", final: true, problem, message, auditSeq: null, outcomeSeq: null };
}
