import { sql } from "kysely";
import type { AdminPolicies, AdminPolicy, PolicyCounts } from "#lib/contract/admin.ts";
import { actionNames, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { readObserved } from "#lib/domain/audit/observed-rules.ts";
import { mostEntries, reachesBack } from "#lib/server/admin/read-audited-actions.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { parseJson } from "#lib/util/json.ts";

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
  const { policies, sets } = runtime.config().config;
  const names = [...policies.freezes, ...policies.secondPerson, ...sets].map(({ name }) => name);
  return {
    since: since.toISOString(),
    complete,
    policies: [
      ...policies.freezes.map((rule, index) => describeFreeze(rule, index, uses)),
      ...policies.secondPerson.map((rule, index) => describeSecondPerson(rule, index, { uses, approvals })),
      ...policies.reasons.map((rule, index) => describeReason(rule, index, uses)),
    ],
    withoutReason: sum(uses, ({ use }) => use === "reason_required"),
    unnamed: sum(uses, ({ use, policy }) => isOfPolicy(use) && !names.some((name) => isNamed(policy, name))),
    reasonByDefault: actionNames.filter((name) => !isProtective(name)),
  };
}

type Of<Key extends keyof PolicyConfig> = PolicyConfig[Key][number];
const plain = {
  required: null,
  ticket: null,
  includeProtective: null,
  outside: null,
  robotsMayAsk: null,
  expireMinutes: null,
  approvers: null,
  approverGroups: null,
  start: null,
  timeZone: null,
  duration: null,
} as const;

function describeFreeze(rule: Of<"freezes">, index: number, uses: readonly PolicyUse[]): AdminPolicy {
  const { name, start, timeZone, duration, includeProtective, outside } = rule;
  const ofFreeze = (kinds: readonly string[]) =>
    sum(uses, ({ use, policy }) => isNamed(policy, name) && kinds.includes(use));
  return {
    ...plain,
    ...commonOf(rule, `policies.freezes[${index}]`),
    ...{ kind: "freeze", name, start, timeZone, duration, includeProtective, outside },
    counts: {
      ...noCounts,
      refused: ofFreeze(freezeProblems),
      broken: ofFreeze(["broken"]),
      observed: countObserved(uses, name),
    },
  };
}

function describeSecondPerson(
  rule: Of<"secondPerson">,
  index: number,
  { uses, approvals }: { uses: readonly PolicyUse[]; approvals: Awaited<ReturnType<typeof countApprovals>> },
): AdminPolicy {
  const { name, includeProtective, robotsMayAsk, expireMinutes, approvers, groups: approverGroups = [] } = rule;
  const { requested = 0, approved = 0 } = approvals.get(name) ?? {};
  const refused = sum(uses, ({ use, policy }) => policy === name && use === "second_person_required");
  return {
    ...plain,
    ...commonOf(rule, `policies.secondPerson[${index}]`),
    ...{ kind: "second-person", name, includeProtective, robotsMayAsk, expireMinutes, approvers, approverGroups },
    counts: { ...noCounts, refused, requested, approved, observed: countObserved(uses, name) },
  };
}

function describeReason(rule: Of<"reasons">, index: number, uses: readonly PolicyUse[]): AdminPolicy {
  const { mode, required, ticket } = rule;
  const path = `policies.reasons[${index}]`;
  return {
    ...plain,
    ...commonOf(rule, path),
    kind: "reason",
    name: null,
    required,
    ticket:
      ticket === undefined ? null : { name: ticket.name, pattern: ticket.pattern, checked: ticket.check !== undefined },
    counts: mode === "observe" ? { ...noCounts, observed: countObserved(uses, path) } : null,
  };
}

/** Counts the actions that name a rule among those that were observed. */
function countObserved(uses: readonly PolicyUse[], rule: string): number {
  return sum(uses, ({ use, policy }) => use === "observed" && policy === rule);
}

/** Returns whether an entry names the policy: alone, or in the list of the freezes that refused or were broken. */
function isNamed(policy: string | null, name: string): boolean {
  return policy === name || (policy?.split(", ").includes(name) ?? false);
}

const noCounts: PolicyCounts = { refused: 0, broken: null, requested: null, approved: null, observed: 0 };
const freezeProblems = ["frozen", "reauthentication_required"];

function isOfPolicy(use: string): boolean {
  return use === "second_person_required" || freezeProblems.includes(use);
}

function commonOf(
  { mode, clusters, namespaces, rollouts, actions }: Of<"reasons"> | Of<"freezes"> | Of<"secondPerson">,
  path: string,
): Pick<AdminPolicy, "path" | "mode" | "scope" | "actions"> {
  return { path, mode, scope: { clusters, namespaces, rollouts }, actions };
}

function sum(uses: readonly PolicyUse[], counts: (use: PolicyUse) => boolean): number {
  return uses.filter(counts).reduce((total, { count }) => total + count, 0);
}

/** Uses of one policy since a time, counted in the newest entries of the log. */
type PolicyUse = {
  /** `problem` of the refusal, `broken` for an action despite a freeze, or `observed`. */
  use: string;
  /** Name of the freeze or rule; null if the entry names none. */
  policy: string | null;
  count: number;
};

/**
 * Counts refusals by policies, actions despite a freeze, and those that an observed rule would not have let pass.
 * `complete` is false if there are too many entries.
 */
async function countPolicyUses(connection: Connection, since: Date): Promise<{ uses: PolicyUse[]; complete: boolean }> {
  const newest = tables
    .selectFrom("audit_entry as a")
    .select(["a.seq", "a.time", "a.outcome", "a.action", "a.entry"])
    .orderBy("a.seq", "desc")
    .limit(mostEntries);
  // By pattern, not as JSON: one text that was tampered with must not fail the whole read.
  const named = (key: string) => sql<string | null>`substring(n.entry FROM ${`"${key}":("(?:[^"\\\\]|\\\\.)*")`})`;
  const observed = sql<string | null>`substring(n.entry FROM ${'"observed":(\\[(?:[^]"]|"(?:[^"\\\\]|\\\\.)*")*\\])'})`;
  const rows = await readRows(
    connection,
    tables
      .with("newest", () => newest)
      .selectFrom("newest as n")
      .where("n.time", ">=", since)
      .where("n.action", "is not", null)
      .where((eb) =>
        eb.or([
          eb.and([
            eb("n.outcome", "=", "refused"),
            eb("n.entry", "~", '"problem":"(frozen|reauthentication_required|reason_required|second_person_required)"'),
          ]),
          eb.and([
            eb("n.outcome", "=", "intent"),
            eb.or([eb("n.entry", "like", '%"brokenFreeze":%'), eb("n.entry", "like", '%"observed":%')]),
          ]),
        ]),
      )
      .select((eb) => [
        eb.case().when("n.outcome", "=", "refused").then(named("problem")).else('"broken"').end().as("use"),
        eb.fn.coalesce(named("policy"), named("brokenFreeze")).as("policy"),
        observed.as("observed"),
        countRows().as("count"),
      ])
      .groupBy(["use", "policy", "observed"]),
  );
  return {
    uses: rows.flatMap(({ use, policy, observed, count }) => [
      ...(use === '"broken"' && policy === null ? [] : [{ use: unquote(use) ?? "", policy: unquote(policy), count }]),
      ...readObserved(parseJson(observed ?? "")).map(({ rule }) => ({ use: "observed", policy: rule, count })),
    ]),
    complete: await reachesBack(connection, since),
  };
}

/** Parses a text as the canonical form quotes it; null if it cannot be parsed. */
function unquote(quoted: string | null): string | null {
  try {
    return quoted === null ? null : String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

/** How many approvals were requested and given since a time, by the rule's name. */
async function countApprovals(
  connection: Connection,
  since: Date,
): Promise<Map<string, { requested: number; approved: number }>> {
  const groups = await prismaOn(connection).approval.groupBy({
    by: ["rule", "decision"],
    where: { requestedAt: { gte: since } },
    _count: true,
  });
  const sum = (counted: readonly { _count: number }[]) => counted.reduce((total, { _count }) => total + _count, 0);
  return new Map(
    [...Map.groupBy(groups, ({ rule }) => rule)].map(([rule, own]) => [
      rule,
      { requested: sum(own), approved: sum(own.filter(({ decision }) => decision === "approved")) },
    ]),
  );
}
