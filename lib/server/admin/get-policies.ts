import type { AdminPolicies, AdminPolicy, PolicyCounts } from "#lib/contract/admin-policies.ts";
import { actionNames, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { countApprovals, countPolicyUses, type PolicyUse } from "#lib/server/admin/count-policy-uses.ts";
import { assertAdmin } from "#lib/server/people/permission/assert-admin.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

const countedDays = 30;

/** Lists the policies of the config in force, with how often each was felt in the last 30 days. */
export async function getAdminPolicies({ ctx }: { ctx: ServiceContext }): Promise<AdminPolicies> {
  assertAdmin(ctx);
  const { runtime } = ctx;
  const since = new Date(runtime.now().getTime() - countedDays * 86_400_000);
  const [{ uses, complete }, approvals] = await Promise.all([
    countPolicyUses(runtime.pool, since),
    countApprovals(runtime.pool, since),
  ]);
  const { policies } = runtime.config().config;
  const names = new Set([...policies.freezes, ...policies.secondPerson].map(({ name }) => name));
  return {
    since: since.toISOString(),
    complete,
    policies: [
      ...policies.freezes.map((rule, index) => describeFreeze(rule, index, uses)),
      ...policies.secondPerson.map((rule, index) => describeSecondPerson(rule, index, { uses, approvals })),
      ...policies.reasons.map(describeReason),
    ],
    withoutReason: sum(uses, ({ use }) => use === "reason_required"),
    unnamed: sum(uses, ({ use, policy }) => isOfPolicy(use) && (policy === null || !names.has(policy))),
    reasonByDefault: actionNames.filter((name) => !isProtective(name)),
  };
}

type Of<Key extends keyof PolicyConfig> = PolicyConfig[Key][number];
const plain = {
  required: null,
  includeProtective: null,
  robotsMayAsk: null,
  expireMinutes: null,
  start: null,
  timeZone: null,
  duration: null,
} as const;

function describeFreeze(rule: Of<"freezes">, index: number, uses: readonly PolicyUse[]): AdminPolicy {
  const { name, start, timeZone, duration, includeProtective } = rule;
  const ofFreeze = (kinds: readonly string[]) => sum(uses, ({ use, policy }) => policy === name && kinds.includes(use));
  return {
    ...plain,
    ...commonOf(rule, `policies.freezes[${index}]`),
    ...{ kind: "freeze", name, start, timeZone, duration, includeProtective },
    counts: { ...noCounts, refused: ofFreeze(freezeProblems), broken: ofFreeze(["broken"]) },
  };
}

function describeSecondPerson(
  rule: Of<"secondPerson">,
  index: number,
  { uses, approvals }: { uses: readonly PolicyUse[]; approvals: Awaited<ReturnType<typeof countApprovals>> },
): AdminPolicy {
  const { name, includeProtective, robotsMayAsk, expireMinutes } = rule;
  const { requested = 0, approved = 0 } = approvals.get(name) ?? {};
  const refused = sum(uses, ({ use, policy }) => policy === name && use === "second_person_required");
  return {
    ...plain,
    ...commonOf(rule, `policies.secondPerson[${index}]`),
    ...{ kind: "second-person", name, includeProtective, robotsMayAsk, expireMinutes },
    counts: { ...noCounts, refused, requested, approved },
  };
}

function describeReason(rule: Of<"reasons">, index: number): AdminPolicy {
  const { required } = rule;
  return {
    ...plain,
    ...commonOf(rule, `policies.reasons[${index}]`),
    kind: "reason",
    name: null,
    required,
    counts: null,
  };
}

const noCounts: PolicyCounts = { refused: 0, broken: null, requested: null, approved: null };
const freezeProblems = ["frozen", "reauthentication_required"];

function isOfPolicy(use: string): boolean {
  return use === "second_person_required" || freezeProblems.includes(use);
}

function commonOf(
  { clusters, namespaces, rollouts, actions }: Of<"reasons"> | Of<"freezes"> | Of<"secondPerson">,
  path: string,
): Pick<AdminPolicy, "path" | "scope" | "actions"> {
  return { path, scope: { clusters, namespaces, rollouts }, actions };
}

function sum(uses: readonly PolicyUse[], counts: (use: PolicyUse) => boolean): number {
  return uses.filter(counts).reduce((total, { count }) => total + count, 0);
}
