import { isBlank } from "#lib/util/text.ts";
import { formatList } from "#lib/util/words.ts";
import {
  type ApproverRule,
  explainMissingApproval,
  explainRule,
  leaveOutImplied,
  type Vote,
} from "./count-approvals.ts";
import { type Freeze, type FreezeRule, findFreezes, never } from "./freeze.ts";
import { matchesAny } from "./match-glob.ts";
import { isInScope, mayAct, mayBreakGlass, mayRead, type Rights, type Scope, type Target } from "./rights.ts";
import { explainMissingTicket, findTicketNeeds, type TicketNeed, type TicketRule } from "./ticket.ts";

export type ReasonRule = {
  scope: Scope;
  actions: readonly string[];
  required: boolean;
  ticket?: TicketRule | undefined;
};

/** Actions that need other people's approval. Protective ones need it only if the rule says so. */
export type SecondPersonRule = ApproverRule & {
  scope: Scope;
  actions: readonly string[];
  includeProtective: boolean;
  /** A robot may request: the person who holds its token might also be the one who approves. */
  robotsMayAsk: boolean;
  expireMinutes: number;
};

export type Policies = {
  reasons: readonly ReasonRule[];
  freezes: readonly FreezeRule[];
  secondPerson: readonly SecondPersonRule[];
};

export type PolicyAction = { name: string; protective: boolean; reasonRequired: boolean };

/** The answers of other people, bound to one request on one object in one view. */
export type Approval = {
  /** The action with its parameters, as one key. */
  request: string;
  rolloutId: string;
  target: Target;
  uid: string;
  viewDigest: string;
  /** Indices of the pauses that, by the approval, the action may pass. */
  passesPauses: readonly number[];
  /** The target version of the workload that it covers; undefined if it covers none. */
  targetVersion: string | undefined;
  requestedBy: string;
  /** Who has approved it; empty once it is rejected, withdrawn or used. */
  votes: readonly Vote[];
  expiresAt: Date;
};

export type Attempt = {
  /** Identifies the actor by issuer and subject: the same across all sessions and tokens of a person. */
  actorKey: string;
  /** The actor is not tied to a person. */
  isRobot: boolean;
  /** The action with its parameters, as one key. */
  request: string;
  rolloutId: string;
  uid: string;
  viewDigest: string;
  /** Indices of the pauses that the plan may pass; empty until there is a plan. */
  passesPauses: readonly number[];
  /** The target version of the plan's workload; undefined without such a workload, or without a plan yet. */
  targetVersion: string | undefined;
  reason: string | undefined;
  /** The person asks to act despite a freeze, or ahead of a set. */
  breakGlass: boolean;
  /** What the person saw that they would override; undefined for all that is in force. */
  seenBlocks?: readonly Block[] | undefined;
  /** When the person last signed in; unknown if the provider did not say; null for tokens, which cannot sign in. */
  authenticatedAt: Date | "unknown" | null;
  /** The approval named in the request; `unknown` if it does not exist. */
  approval: Approval | "unknown" | undefined;
};

export type DenialCode =
  | "not_found"
  | "forbidden"
  | "frozen"
  | "barrier"
  | "reauthentication_required"
  | "reason_required"
  | "second_person_required";

/** The sets that keep a rollout at a pause, by their names, and why in sentences. */
export type BarrierBlock = { set: string; because: string };

/** What break-glass overrides: a freeze, by its id if a person made it, or the sets. */
export type Block = { kind: "freeze" | "set"; name: string; id?: string | undefined };

/** Shown on the button before the click, and checked again at the click. */
export type Needs = {
  reason: boolean;
  /** Tickets that the reason must name; absent if it need not. */
  tickets?: TicketNeed[];
  /** The strictest rule, the shortest time, and what all rules require, in sentences. */
  secondPerson: { rule: string; expireMinutes: number; because: string } | null;
  /**
   * The freezes that are in force, closed release windows among them: their names, the ids of those that people made,
   * when the last one ends, in ISO 8601, and all this in sentences.
   */
  freeze: { name: string; ids: readonly string[]; until: string; because: string } | null;
  /** Absent unless a set whose members pass their pauses together holds it. */
  barrier?: BarrierBlock;
  /** Each of these freezes and sets; absent if there are none. */
  blocks?: Block[];
  /** This actor may break the freeze, and pass the set's other members. */
  breakGlass: boolean;
};

export type Decision =
  | { allowed: true; needs: Needs }
  | { allowed: false; needs: Needs; code: DenialCode; reason: string };

/** A break-glass action needs a sign-in at most this old. */
export const reauthenticationMinutes = 5;

type Question = {
  rights: Rights;
  policies: Policies;
  action: PolicyAction;
  /** Actions that it includes, such as unpause: each needs its own right, and its policies apply too. */
  also?: readonly PolicyAction[];
  target: Target;
  now: Date;
  /** What keeps the rollout from passing the pauses that the action passes. */
  barrier?: BarrierBlock | undefined;
};

/** Returns an actor's requirements for the action, regardless of the rollout's state. Unknown means no. */
export function findNeeds(question: Question): Needs {
  const { rights, policies, target, now, barrier } = question;
  const freezes = actionsOf(question)
    .flatMap((action) => findFreezes({ windows: policies.freezes, action, target, now }))
    .toSorted((left, right) => right.until.getTime() - left.until.getTime());
  const [freeze] = freezes;
  const tickets = findTicketNeeds({ ...question, rules: policies.reasons });
  return {
    reason: actionsOf(question).some((action) => isReasonRequired({ policies, action, target })),
    ...(tickets.length === 0 ? {} : { tickets }),
    secondPerson: summariseRules(findSecondPersonRules(question)),
    freeze:
      freeze === undefined
        ? null
        : {
            name: joinNames(freezes),
            ids: [...new Set(freezes.flatMap(({ id }) => id ?? []))],
            until: freeze.until.toISOString(),
            because: explainFreezes(freezes),
          },
    ...(barrier === undefined ? {} : { barrier }),
    ...listBlocks(freezes, barrier),
    breakGlass: (freeze !== undefined || barrier !== undefined) && mayBreakGlass(rights, target),
  };
}

function listBlocks(freezes: readonly Freeze[], barrier: BarrierBlock | undefined): Pick<Needs, "blocks"> {
  const blocks: Block[] = [
    ...freezes.map(({ id, name }) => ({ kind: "freeze" as const, name, ...(id === undefined ? {} : { id }) })),
    ...(barrier === undefined ? [] : [{ kind: "set" as const, name: barrier.set }]),
  ];
  return blocks.length === 0 ? {} : { blocks: [...new Map(blocks.map((block) => [keyOf(block), block])).values()] };
}

function keyOf({ kind, name, id }: Block): string {
  return JSON.stringify([kind, id ?? name]);
}

function summariseRules(rules: readonly SecondPersonRule[]): Needs["secondPerson"] {
  const [strictest] = rules;
  if (strictest === undefined) return null;
  return {
    rule: strictest.name,
    expireMinutes: Math.min(...rules.map(({ expireMinutes }) => expireMinutes)),
    because: leaveOutImplied(rules).map(explainRule).join(" "),
  };
}

/** Explains in sentences what blocks, and until when. The first freeze of each kind ends last. */
function explainFreezes(freezes: readonly Freeze[]): string {
  const blocking = freezes.filter(({ outside }) => outside === undefined);
  const closed = freezes.filter(({ outside }) => outside === true);
  const [last, opening] = [blocking[0], closed[0]?.until];
  return [
    last === undefined ? undefined : `Frozen by "${joinNames(blocking)}" until ${last.until.toISOString()}.`,
    opening === undefined ? undefined : `Outside the release windows: ${joinNames(closed)}.`,
    opening === undefined
      ? undefined
      : opening >= never
        ? "None of them opens again."
        : `The next one opens ${opening.toISOString()}.`,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(" ");
}

function joinNames(freezes: readonly Freeze[]): string {
  return [...new Set(freezes.map(({ name }) => name))].join(", ");
}

/** Returns what holds the action back until it is overridden, by a freeze, a set or both; undefined if nothing does. */
export function findHoldBack({
  freeze,
  barrier,
}: Pick<Needs, "freeze" | "barrier">): { code: "frozen" | "barrier"; because: string } | undefined {
  if (freeze === null) return barrier && { code: "barrier", because: barrier.because };
  return { code: "frozen", because: [freeze.because, ...(barrier === undefined ? [] : [barrier.because])].join(" ") };
}

/** Explains in a sentence which right is missing; undefined if the actor has every right. */
export function explainMissingRight({
  rights,
  target,
  ...actions
}: Omit<Question, "policies" | "now">): string | undefined {
  const missing = actionsOf(actions).find(({ name }) => !mayAct(rights, { action: name, target }));
  if (missing === undefined) return undefined;
  const lack = `Your rights do not include ${missing.name} on ${target.namespace}/${target.name}`;
  return missing === actions.action ? `${lack}.` : `${lack}, which ${actions.action.name} would also do.`;
}

/** Explains why a robot may not request a second person; undefined if it may. */
export function explainRobotsMayNotAsk(
  question: Pick<Question, "policies" | "action" | "also" | "target">,
): string | undefined {
  const rule = findSecondPersonRules(question).find(({ robotsMayAsk }) => !robotsMayAsk);
  if (rule === undefined) return undefined;
  return `Rule "${rule.name}" requires two people. A robot cannot ask, because the holder of its token could also approve the request.`;
}

function actionsOf({ action, also = [] }: Pick<Question, "action" | "also">): PolicyAction[] {
  return [action, ...also];
}

/** Finds the rules that apply, the one with the most approvers first. All of them must be satisfied. */
export function findSecondPersonRules(
  question: Pick<Question, "policies" | "action" | "also" | "target">,
): SecondPersonRule[] {
  return question.policies.secondPerson
    .filter(
      ({ scope, actions, includeProtective }) =>
        isInScope(scope, question.target) &&
        actionsOf(question).some(
          ({ name, protective }) => matchesAny(actions, name) && (includeProtective || !protective),
        ),
    )
    .toSorted((left, right) => right.approvers - left.approvers);
}

/** Decides one attempt. Pure: it depends only on its arguments. */
export function decide({ attempt, ...question }: Question & { attempt: Attempt }): Decision {
  const { rights, target } = question;
  const needs = findNeeds(question);
  const deny = (code: DenialCode, reason: string): Decision => ({ allowed: false, needs, code, reason });
  if (!mayRead(rights, target)) return deny("not_found", "Rollout not found, or you may not see it.");
  const missing = explainMissingRight(question);
  if (missing !== undefined) return deny("forbidden", missing);
  const held = assessHoldBack({ attempt, needs, now: question.now });
  if (held !== undefined) return deny(held.code, held.reason);
  const isHeldBack = findHoldBack(needs) !== undefined;
  if ((needs.reason || isHeldBack) && isBlank(attempt.reason ?? ""))
    return deny("reason_required", isHeldBack ? "Break-glass requires a reason." : "This action needs a reason.");
  const ticket = explainMissingTicket(needs.tickets ?? [], attempt.reason ?? "");
  if (ticket !== undefined) return deny("reason_required", ticket);
  const lacking = assessApproval({ attempt, needs, question });
  if (lacking !== undefined) return deny("second_person_required", lacking);
  return { allowed: true, needs };
}

function assessHoldBack({
  attempt,
  needs,
  now,
}: {
  attempt: Attempt;
  needs: Needs;
  now: Date;
}): { code: DenialCode; reason: string } | undefined {
  const held = findHoldBack(needs);
  if (held === undefined) return undefined;
  const { code, because } = held;
  if (!attempt.breakGlass) return { code, reason: because };
  if (!needs.breakGlass) return { code, reason: `${because} You do not have the break-glass right.` };
  const unseen = findUnseenBlocks(needs, attempt);
  if (unseen.length > 0) {
    const names = formatList(unseen.map(({ kind, name }) => `${kind} "${name}"`));
    return { code, reason: `Break-glass overrides only what you saw. Since you looked: ${names}. Look again.` };
  }
  const { authenticatedAt } = attempt;
  if (authenticatedAt === null) return { code, reason: `${because} A token cannot use break-glass: sign in.` };
  const asked = `Break-glass requires a sign-in within the last ${reauthenticationMinutes} minutes`;
  if (authenticatedAt === "unknown")
    return {
      code: "reauthentication_required",
      reason: `${asked}, but your identity provider did not say when you signed in (auth_time). Sign in again; if it still does not say so, break-glass cannot be used with it.`,
    };
  const age = now.getTime() - authenticatedAt.getTime();
  if (age > reauthenticationMinutes * 60_000 || age < 0)
    return { code: "reauthentication_required", reason: `${asked}: sign in again.` };
  return undefined;
}

/** A person overrides only what they knew of. */
function findUnseenBlocks({ blocks = [] }: Needs, { seenBlocks }: Attempt): readonly Block[] {
  if (seenBlocks === undefined) return [];
  const seen = new Set(seenBlocks.map(keyOf));
  return blocks.filter((block) => !seen.has(keyOf(block)));
}

/**
 * Explains why the approval does not cover the attempt. A named approval is used up and recorded in the audit log, so
 * it must fit completely even if no rule requires it.
 */
function assessApproval({
  attempt,
  needs,
  question,
}: {
  attempt: Attempt;
  needs: Needs;
  question: Question;
}): string | undefined {
  const { approval } = attempt;
  const robotsBarred = attempt.isRobot ? explainRobotsMayNotAsk(question) : undefined;
  if (robotsBarred !== undefined) return robotsBarred;
  if (approval === undefined)
    return needs.secondPerson === null ? undefined : `${needs.secondPerson.because} Request an approval.`;
  if (approval === "unknown") return "Approval not found.";
  if (!isOf({ approval, attempt, target: question.target }))
    return "The approval is for another action, other parameters or another object.";
  if (approval.requestedBy !== attempt.actorKey) return "The approval was requested by another person.";
  const missing = explainMissingApproval({ ...approval, rules: findSecondPersonRules(question) });
  if (missing !== undefined) return missing;
  if (approval.expiresAt.getTime() <= question.now.getTime()) return "The approval has expired: request a new one.";
  if (approval.viewDigest !== attempt.viewDigest)
    return "The rollout changed since it was approved: request a new approval.";
  if (attempt.passesPauses.some((index) => !approval.passesPauses.includes(index)))
    return "It may now pass a pause that was not named when it was approved: request a new approval.";
  if (attempt.targetVersion !== undefined && attempt.targetVersion !== approval.targetVersion)
    return "The version that waits changed since the approval was requested: request a new approval.";
  return undefined;
}

function isOf({ approval, attempt, target }: { approval: Approval; attempt: Attempt; target: Target }): boolean {
  return (
    approval.request === attempt.request &&
    approval.rolloutId === attempt.rolloutId &&
    approval.uid === attempt.uid &&
    approval.target.cluster === target.cluster &&
    approval.target.namespace === target.namespace &&
    approval.target.kind === target.kind &&
    approval.target.name === target.name
  );
}

function isReasonRequired({ policies, action, target }: Pick<Question, "policies" | "action" | "target">): boolean {
  const rules = policies.reasons.filter(
    ({ scope, actions }) => isInScope(scope, target) && matchesAny(actions, action.name),
  );
  if (rules.some(({ required }) => required)) return true;
  return rules.length === 0 && action.reasonRequired;
}
