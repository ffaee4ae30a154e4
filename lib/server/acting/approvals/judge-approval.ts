import type { ApprovalState } from "#lib/contract/approval.ts";
import { ActionName } from "#lib/contract/rollout.ts";
import { actionNames } from "#lib/domain/acting/action-catalogue.ts";
import { policyActionsOf } from "#lib/domain/acting/judge-actions.ts";
import {
  countApprovals,
  explainMissingApproval,
  formatChoice,
  isApprover,
  isShort,
  type RuleProgress,
  rulesToCount,
  type Vote,
} from "#lib/domain/policy/count-approvals.ts";
import { findSecondPersonRules, type SecondPersonRule } from "#lib/domain/policy/decide.ts";
import { isAdminOf, mayAct } from "#lib/domain/policy/rights.ts";
import { type ApprovalRow, findApproval, isProposal } from "#lib/server/acting/approvals/approval-row.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { deriveRights } from "#lib/server/people/auth/derive-rights.ts";
import { policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { type Actor, actorKey, parseActorKey } from "#lib/server/platform/actor/actor.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { readStoredVotes, type StoredVote } from "#lib/server/records/stored-votes.ts";

type Runtime = Pick<ActingContext["runtime"], "config" | "localAccounts">;
type JudgedVote = Vote & StoredVote;

/** A request as it stands under the current config: the approvals that count, by rule, the strictest first. */
export type JudgedApproval = { state: ApprovalState; votes: JudgedVote[]; progress: RuleProgress<JudgedVote>[] };

export function judgeApproval(runtime: Runtime, row: ApprovalRow): JudgedApproval {
  if (isProposal(row)) return { state: row.state === "open" ? "pending" : row.state, votes: [], progress: [] };
  const also = actionNames.filter((name) => row.also_actions.includes(name));
  const { votes, rules } = readVotes({ runtime, row, also });
  const progress = countApprovals({ rules: rulesToCount(rules), votes, requestedBy: row.requested_by });
  const open = progress.some(isShort) ? "pending" : "approved";
  return { state: row.state === "open" ? open : row.state, votes, progress };
}

type Question = {
  runtime: Runtime;
  row: ApprovalRow;
  /** What the action also does. */
  also: readonly ActionName[];
};

/** Lists whose approvals count for an action. */
export function listApprovers(question: Question): StoredVote[] {
  const { votes, rules } = readVotes(question);
  const progress = countApprovals({ rules: rulesToCount(rules), votes, requestedBy: question.row.requested_by });
  return votes.filter((vote) => progress.some(({ counted }) => counted.includes(vote)));
}

/** Explains which approvals are missing for an action, by the rows and the config of this moment. */
export async function findMissingApproval({
  connection,
  id,
  ...question
}: Omit<Question, "row"> & { connection: Connection; id: string }): Promise<string | undefined> {
  const row = await findApproval(connection, id);
  if (row === undefined) return "Approval not found.";
  return explainMissingApproval({ ...readVotes({ ...question, row }), requestedBy: row.requested_by });
}

function readVotes({ runtime, row, also }: Question): { votes: JudgedVote[]; rules: SecondPersonRule[] } {
  const policies = policiesOf(runtime.config().config.policies);
  const action = ActionName.parse(row.action);
  return {
    votes: judgeVotes({ runtime, row, actions: [action, ...also] }),
    rules: findSecondPersonRules({ policies, target: row, ...policyActionsOf({ action, also }) }),
  };
}

/**
 * Reads who has approved it, and whether each could perform every action themselves under the current config. Their
 * groups are those of the session in which they approved.
 */
export function judgeVotes({
  runtime,
  row,
  actions,
}: {
  runtime: Runtime;
  row: ApprovalRow;
  actions: readonly string[];
}): JudgedVote[] {
  const { auth } = runtime.config().config;
  return readStoredVotes(row).map((vote) => {
    const identity = { ...parseActorKey(vote.key), username: vote.username, groups: vote.groups };
    const rights = deriveRights({ subject: { identity }, auth, localAccounts: runtime.localAccounts });
    return {
      ...vote,
      by: vote.key,
      mayAct: rights !== undefined && actions.every((action) => mayAct(rights, { action, target: row })),
    };
  });
}

type Judging = { row: ApprovalRow; judged: JudgedApproval; actor: Actor };

/**
 * Returns undefined if the actor may approve or reject: not the requester, signed in, with the right to act themselves,
 * and in a group whose approval is still missing.
 */
export function explainWhyNotDecider({ row, judged: { progress }, actor }: Judging): string | undefined {
  if (!isProposal(row) && row.requested_by === actorKey(actor)) return "An approval must come from another person.";
  if (actor.type === "token") return "A token cannot approve: sign in.";
  const missing = [row.action, ...row.also_actions].find((action) => !mayAct(actor.rights, { action, target: row }));
  if (missing !== undefined) return `Your rights do not include ${missing} on ${row.namespace}/${row.name}.`;
  const short = progress.filter(isShort);
  if (short.length === 0 || short.some(({ rule }) => isApprover(rule, actor.groups))) return undefined;
  const groups = new Set(short.flatMap(({ rule }) => rule.groups));
  return `Only people from ${formatChoice([...groups])} can approve or reject it now.`;
}

export function hasApproved({ votes }: JudgedApproval, actor: Actor): boolean {
  return votes.some(({ by }) => by === actorKey(actor));
}

/** Returns whether it is pending, or approved and unused: it can still be withdrawn. */
export function isOpen({ state }: Pick<JudgedApproval, "state">): boolean {
  return state === "pending" || state === "approved";
}

/** Returns whether it is a proposal that the actor's own token made. */
export function isProposalOf({ agent_id }: Pick<ApprovalRow, "agent_id">, { token }: Actor): boolean {
  return agent_id !== null && agent_id === token?.id;
}

export const notOwnProposal = "An agent can withdraw only its own proposals.";

/**
 * Returns undefined if the actor may withdraw it: the requester, an approver, and admins of the place. A token withdraws
 * only a request that it may make itself.
 */
export function explainWhyNotWithdrawer({ row, judged, actor }: Judging): string | undefined {
  if (isAdminOf(actor.rights, row)) return undefined;
  const isRequester = row.requested_by === actorKey(actor);
  if (actor.type === "token" && isProposal(row)) return isProposalOf(row, actor) ? undefined : notOwnProposal;
  if (actor.type === "token") {
    if (isRequester && mayAct(actor.rights, { action: row.action, target: row })) return undefined;
    return "A token can withdraw only its owner's requests for actions that it may carry out itself: sign in.";
  }
  if (isRequester || hasApproved(judged, actor)) return undefined;
  return judged.votes.length === 0
    ? "Only the requester or an admin there can withdraw it: reject it instead."
    : "Only the requester, an approver or an admin there can withdraw it.";
}
