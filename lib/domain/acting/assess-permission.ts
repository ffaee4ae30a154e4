import type { ActionName } from "#lib/domain/acting/action-catalogue.ts";
import { type ActionGate, type ClickFacts, type GateRefusal, judgeAtGate } from "#lib/domain/acting/judge-actions.ts";
import type { AnyPlan } from "#lib/domain/acting/plan.ts";
import type { Approval, Needs } from "#lib/domain/policy/decide.ts";
import { makeSampleTicket } from "#lib/domain/policy/ticket-pattern.ts";

export type PermissionVerdict = "yes" | "approval" | "break-glass" | "break-glass-and-approval" | "no";

export type Permission = {
  verdict: PermissionVerdict;
  needs: Needs;
  /** Why not; undefined unless the verdict is `no`. */
  refused: GateRefusal | undefined;
};

type Asking = {
  action: ActionName;
  /** The provider's plan for it now; undefined if the question is about no rollout. */
  plan?: AnyPlan | undefined;
  gate: ActionGate;
  /** The actor is not tied to a person. */
  isRobot: boolean;
  /** A person, who can sign in again; a token cannot. */
  canSignIn: boolean;
};

/**
 * Finds the least that lets a click through: nothing more than a reason, another person's approval, breaking a freeze,
 * or both. Each attempt is judged by `judgeAtGate`, which judges real clicks, so that the answer cannot differ from
 * theirs.
 */
export function assessPermission(asking: Asking): Permission {
  const judge = (more: Pick<ClickFacts, "breakGlass" | "approval">) =>
    judgeAtGate({ ...asking, click: { ...bestClick(asking), ...more } });
  const approval = fittingApproval(asking);
  const plain = judge({ breakGlass: false, approval: undefined });
  const attempts = [
    ["yes", () => plain],
    ["approval", () => judge({ breakGlass: false, approval })],
    ["break-glass", () => judge({ breakGlass: true, approval: undefined })],
    ["break-glass-and-approval", () => judge({ breakGlass: true, approval })],
  ] as const;
  const passed = attempts.find(([, attempt]) => attempt().refused === undefined);
  if (passed !== undefined) return { verdict: passed[0], needs: plain.needs, refused: undefined };
  return { verdict: "no", needs: plain.needs, refused: plain.refused };
}

const actor = "asker";
const request = "request";
const view = { rolloutId: "rollout", uid: "uid", viewDigest: "view" };

/** A click with all that its person can give by themselves: a reason with its tickets, and a sign-in of this moment. */
function bestClick({ action, plan, gate, isRobot, canSignIn }: Asking): ClickFacts {
  const { tickets = [] } = judgeAtGate({ action, plan, gate }).needs;
  const reason = ["reason", ...tickets.map(({ pattern }) => makeSampleTicket(pattern))].join(" ");
  return {
    ...view,
    actorKey: actor,
    isRobot,
    request,
    reason,
    breakGlass: false,
    authenticatedAt: canSignIn ? gate.permit.now : null,
    approval: undefined,
  };
}

/** An approval that fits the click completely, by as many people as any rule requires, each in all of its groups. */
function fittingApproval({ gate, plan }: Asking): Approval {
  const planned = plan?.kind === "patches" ? plan : undefined;
  const rules = gate.permit.policies.secondPerson;
  const groups = rules.flatMap((rule) => rule.groups);
  const people = Math.max(1, ...rules.map(({ approvers }) => approvers));
  return {
    ...view,
    request,
    target: gate.permit.target,
    passesPauses: planned?.passesPauses ?? [],
    targetVersion: planned?.targetVersion,
    requestedBy: actor,
    votes: Array.from({ length: people }, (_, index) => ({ by: `approver ${index}`, groups, mayAct: true })),
    expiresAt: new Date(gate.permit.now.getTime() + 60_000),
  };
}
