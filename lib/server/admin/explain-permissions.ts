import type {
  ActionPermission,
  PermissionAnswer,
  PermissionQuery,
  PermissionReason,
} from "#lib/contract/admin-access.ts";
import { entryOf, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { assessPermission } from "#lib/domain/acting/assess-permission.ts";
import { type ActionGate, describeOffer, policyActionsOf } from "#lib/domain/acting/judge-actions.ts";
import { alsoDoneBy } from "#lib/domain/acting/plan.ts";
import { nameApproval } from "#lib/domain/policy/count-approvals.ts";
import { findPolicies } from "#lib/domain/policy/find-policies.ts";
import { isReleaseWindow } from "#lib/domain/policy/freeze.ts";
import { mayRead } from "#lib/domain/policy/rights.ts";
import type { TicketRule } from "#lib/domain/policy/ticket.ts";
import { makeSampleTicket } from "#lib/domain/policy/ticket-pattern.ts";
import { describeClusterIdentity } from "#lib/server/acting/permission/cluster-identity.ts";
import { explainRights, listPlacedGrants, type PlacedGrant } from "#lib/server/admin/explain-rights.ts";
import {
  type AskedAction,
  findPermissionPlace,
  type PermissionPlace,
} from "#lib/server/admin/find-permission-place.ts";
import { type SupposedActor, supposeActor } from "#lib/server/admin/suppose-actor.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import { placeOfPolicy } from "#lib/server/people/auth/policies-of.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";

/**
 * Explains a subject's permissions at a place. Calls the functions that judge real requests, with the actor that the
 * subject's request would have. Changes nothing, and queries no cluster. Throws `not_found` for an unknown place or
 * token.
 */
export async function explainPermissions({ ctx, input }: Call<PermissionQuery>): Promise<PermissionAnswer> {
  assertAdmin(ctx);
  const { runtime } = ctx;
  const found = await findPermissionPlace(ctx, input);
  const supposed = await supposeActor(ctx, input);
  const { actor, described } = supposed;
  const grants = listPlacedGrants(runtime, supposed.subject);
  const judged = found === undefined ? undefined : await judgePlace({ ctx, found, supposed, grants });
  return {
    at: runtime.now().toISOString(),
    subject: described,
    role: actor?.role ?? null,
    grants: grants.map(({ path, through, grant: { role, scope, actions, breakGlass } }) => ({
      path,
      through,
      role,
      scope: { clusters: [...scope.clusters], namespaces: [...scope.namespaces], rollouts: [...scope.rollouts] },
      actions: [...actions],
      breakGlass,
    })),
    place: found?.place ?? null,
    reads: judged?.reads ?? null,
    actions: judged?.actions ?? [],
    identity: found === undefined || actor === undefined ? null : identityAt(ctx, found.place.cluster, actor),
  };
}

/** Returns the identity that a cluster would see for the actor; null if the config does not name the cluster. */
export function identityAt(
  { runtime }: Pick<ServiceContext, "runtime">,
  name: string,
  actor: Actor,
): PermissionAnswer["identity"] {
  const cluster = runtime.config().config.clusters.find((each) => each.name === name);
  if (cluster === undefined) return null;
  const as = describeClusterIdentity({ actor, cluster });
  if ("problem" in as) return { mode: as.mode, username: null, groups: [], problem: as.problem };
  if (as.mode === "serviceAccount" || as.mode === "own")
    return { mode: "serviceAccount", username: null, groups: [], problem: null };
  return { mode: as.mode, username: as.username, groups: [...as.groups], problem: null };
}

type Judging = { ctx: ServiceContext; found: PermissionPlace; supposed: SupposedActor; grants: readonly PlacedGrant[] };

async function judgePlace({
  ctx,
  found,
  supposed: { actor },
  grants,
}: Judging): Promise<Pick<PermissionAnswer, "actions"> & { reads: NonNullable<PermissionAnswer["reads"]> }> {
  if (actor === undefined) return judgeNobody(found);
  const gate = await found.gateOf({ ...ctx, actor });
  const { target, rights } = gate.permit;
  const problem = identityAt(ctx, target.cluster, actor)?.problem ?? undefined;
  const config = ctx.runtime.config().config.policies;
  const reads = mayRead(rights, target);
  return {
    reads: { verdict: reads ? "yes" : "no", because: explainRights({ grants, target, rights }) },
    actions: found.actions.map((asked) => judgeOne({ asked, gate, config, actor, grants, problem })),
  };
}

function judgeNobody({ actions }: PermissionPlace): Awaited<ReturnType<typeof judgePlace>> {
  const because: PermissionReason[] = [
    { kind: "lacks", text: "No role binding grants them anything, so they may not sign in.", path: null },
  ];
  return {
    reads: { verdict: "no", because },
    actions: actions.map(({ action }) => ({
      action,
      label: entryOf(action).label,
      protective: isProtective(action),
      verdict: "no",
      needsReason: false,
      reasonCode: "forbidden",
      because,
      notNow: null,
    })),
  };
}

function judgeOne({
  asked: { action, plan },
  gate,
  config,
  actor,
  grants,
  problem,
}: {
  asked: AskedAction;
  gate: ActionGate;
  config: PolicyConfig;
  actor: Actor;
  grants: readonly PlacedGrant[];
  /** Why the cluster would not know the actor. */
  problem: string | undefined;
}): ActionPermission {
  const { target, rights } = gate.permit;
  const isRobot = actor.issuer === robotIssuer;
  const judged = assessPermission({ action, plan, gate, isRobot, canSignIn: actor.type === "user" });
  // Every request for them ends before it is sent, as on the page and at the click.
  const isUnknownThere = judged.verdict !== "no" && gate.access === "act" && problem !== undefined;
  const refused = isUnknownThere ? { reasonCode: "no_cluster_identity", reason: problem } : judged.refused;
  const state = refused === undefined || refused.reasonCode === "forbidden" ? [] : [reasonOf(refused.reason)];
  const offer = plan === undefined ? undefined : describeOffer({ action, plan });
  return {
    action,
    label: entryOf(action).label,
    protective: isProtective(action),
    verdict: isUnknownThere ? "no" : judged.verdict,
    needsReason: judged.needs.reason || judged.verdict.startsWith("break-glass"),
    reasonCode: refused?.reasonCode ?? null,
    because: [
      ...state,
      ...explainRights({ grants, target, rights, action }),
      ...explainPolicies({ action, plan, gate, config }),
    ],
    notNow: offer?.allowed === false ? (offer.reason ?? null) : null,
  };
}

function describeReasonRule(ticket: TicketRule | undefined): string {
  if (ticket === undefined) return "A reason is required.";
  const text = `A reason with a ticket such as ${makeSampleTicket(ticket.pattern)} is required.`;
  return ticket.isChecked ? `${text} Another system checks it at the click.` : text;
}

function reasonOf(text: string): PermissionReason {
  return { kind: "state", text, path: null };
}

const unknownRule = { name: "", expireMinutes: 0, approvers: 1, groups: [] };

function explainPolicies({
  action,
  plan,
  gate,
  config,
}: Pick<AskedAction, "action" | "plan"> & { gate: ActionGate; config: PolicyConfig }): PermissionReason[] {
  const also = plan === undefined ? [] : alsoDoneBy({ action, plan });
  const { permit } = gate;
  const { policies } = permit;
  const applied = findPolicies({ ...permit, ...policyActionsOf({ action, also }) });
  return [
    ...applied.reasons.map(
      (index): PermissionReason => ({
        kind: "reason",
        text: describeReasonRule(policies.reasons[index]?.ticket),
        path: placeOfPolicy(config, { list: "reasons", index }),
      }),
    ),
    ...applied.secondPerson.map((index): PermissionReason => {
      const { name, expireMinutes, ...rule } = policies.secondPerson[index] ?? unknownRule;
      const text = `Rule "${name}" requires ${nameApproval(rule)}, valid for ${expireMinutes} min.`;
      return { kind: "second-person", text, path: placeOfPolicy(config, { list: "secondPerson", index }) };
    }),
    ...applied.freezes.map((index): PermissionReason => {
      const freeze = policies.freezes[index];
      // Those that people made follow those of the config.
      const isMade = freeze !== undefined && "until" in freeze;
      const name = freeze?.name ?? "";
      const isClosed = freeze !== undefined && isReleaseWindow(freeze);
      return {
        kind: "freeze",
        text: isClosed ? `Release window "${name}" is closed.` : `Freeze "${name}" is in force.`,
        path: isMade ? null : placeOfPolicy(config, { list: "freezes", index }),
      };
    }),
  ];
}
