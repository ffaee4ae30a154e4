import type { PolicyReplay, PolicyReplayRequest, ReplayedRule } from "#lib/contract/policy-replay.ts";
import { quantile } from "#lib/domain/insights/quantile.ts";
import { policyKinds } from "#lib/domain/policy/observe-policies.ts";
import {
  type AuditedAction,
  isReproduced,
  type ReplayedAction,
  replayPolicies as replayRules,
} from "#lib/domain/policy/replay-policies.ts";
import { type AuditedRefusal, readAuditedActions } from "#lib/server/admin/read-audited-actions.ts";
import { nameOfPolicy, observedPoliciesOf, policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { readPolicies, readPoliciesKnownSince } from "#lib/server/people/auth/read-policy-history.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { isConfigError, parsePolicies } from "#lib/server/platform/config/parse-config.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { mapInSlices, runInSlices } from "#lib/server/platform/db/slices.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { selectAuditItems, serializeAuditItem } from "#lib/server/records/audit-item.ts";
import { readFreezesBetween, toFreezePeriod } from "#lib/server/records/freeze-row.ts";

const mostRules = 10;
const shownEntries = 20;

/**
 * Replays rules, of the config or proposed, over the audited actions of the last days; changes nothing. Also replays the
 * recorded refusals with the policies that judged them. Throws `not_found` for a rule that the config does not have, and
 * `invalid_request` for unusable YAML.
 */
export async function replayPolicies({ ctx, input }: Call<PolicyReplayRequest>): Promise<PolicyReplay> {
  assertAdmin(ctx);
  const { runtime } = ctx;
  const { pool } = runtime;
  const config = runtime.config().config.policies;
  const asked = findAsked(config, input);
  const until = runtime.now();
  const since = new Date(until.getTime() - input.days * 86_400_000);
  const { actions, refusals, complete } = await readAuditedActions(pool, since);
  const policies = observedPoliciesOf(asked);
  const replayed = await runInSlices(replayRules({ policies, inForce: policiesOf(config).freezes, actions }));
  const sentences = await readSentences(
    pool,
    replayed.flatMap((rule) => rule.actions.slice(0, shownEntries)),
  );
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    complete,
    actions: actions.length,
    rules: replayed.map(({ list, index, actions: found }) => ({
      rule: (list === "reasons" ? input.rule : undefined) ?? nameOfPolicy(asked, { list, index, mode: "observe" }),
      kind: policyKinds[list],
      byAction: countByAction(found, actions),
      waitMinutes: summariseWaits(found),
      entries: found.slice(0, shownEntries).flatMap(({ seq, would }) => {
        const entry = sentences.get(seq);
        return entry === undefined ? [] : [{ seq, ...entry, would }];
      }),
    })),
    check: await checkRefusals(pool, refusals),
  };
}

/** Returns the rules that the request names or proposes, as if they were observed. */
function findAsked(config: PolicyConfig, { rule, yaml = "" }: PolicyReplayRequest): PolicyConfig {
  const { reasons, freezes, secondPerson } = rule === undefined ? parseRules(yaml) : pickRule(config, rule);
  const count = reasons.length + freezes.length + secondPerson.length;
  if (count === 0) throw badYaml("it has no rule: write freezes, secondPerson or reasons, as under policies");
  if (count > mostRules) throw badYaml(`it has ${count} rules: at most ${mostRules} are replayed at once`);
  const observe = <Rule extends object>(rules: readonly Rule[]) =>
    rules.map((each) => ({ ...each, mode: "observe" as const }));
  return { reasons: observe(reasons), freezes: observe(freezes), secondPerson: observe(secondPerson) };
}

function pickRule(config: PolicyConfig, place: string): PolicyConfig {
  const pick = <Rule>(list: keyof PolicyConfig, rules: readonly Rule[]) =>
    rules.filter((_, index) => place === `policies.${list}[${index}]`);
  const picked = {
    reasons: pick("reasons", config.reasons),
    freezes: pick("freezes", config.freezes),
    secondPerson: pick("secondPerson", config.secondPerson),
  };
  if (Object.values(picked).every((rules) => rules.length === 0))
    throw new ServiceError("not_found", `The config in force has no rule ${place}.`);
  return picked;
}

function parseRules(text: string): PolicyConfig {
  try {
    return parsePolicies(text);
  } catch (error) {
    if (!isConfigError(error)) throw badYaml("it is not YAML that can be read");
    const [first] = error.problems;
    throw badYaml(`line ${first?.line}: ${first?.path === "" ? "" : `${first?.path}: `}${first?.message}`);
  }
}

function badYaml(reason: string): ServiceError {
  return new ServiceError("invalid_request", `The rule cannot be used: ${reason}.`, {
    invalidParams: [{ name: "yaml", reason }],
  });
}

function countByAction(found: readonly ReplayedAction[], actions: readonly AuditedAction[]): ReplayedRule["byAction"] {
  const groups = Map.groupBy(found, ({ action, would }) => `${action} ${would}`);
  return [...groups.values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { action, would } = first;
      return [{ action, would, count: own.length, of: actions.filter((each) => each.action.name === action).length }];
    })
    .toSorted((one, other) => other.count - one.count);
}

function summariseWaits(found: readonly ReplayedAction[]): ReplayedRule["waitMinutes"] {
  const waits = found.flatMap(({ waitMinutes }) => waitMinutes ?? []);
  const median = quantile(waits, 0.5);
  return median === null ? null : { median, of: waits.length };
}

/** Reads the sentences of entries, by their numbers. */
async function readSentences(
  connection: Connection,
  wanted: readonly ReplayedAction[],
): Promise<Map<number, { at: string; sentence: string }>> {
  const seqs = [...new Set(wanted.map(({ seq }) => String(seq)))];
  if (seqs.length === 0) return new Map();
  const rows = await readRows(connection, selectAuditItems.where("a.seq", "in", seqs));
  return new Map(
    rows.map((row) => {
      const { seq, time, sentence } = serializeAuditItem(row);
      return [seq, { at: new Date(time).toISOString(), sentence }];
    }),
  );
}

/** Replays recorded refusals with the policies that judged them, and the freezes that people had made by then. */
async function checkRefusals(pool: Connection, refusals: readonly AuditedRefusal[]): Promise<PolicyReplay["check"]> {
  const knownSince = (await readPoliciesKnownSince(pool))?.toISOString() ?? null;
  const known = await readPolicies(
    pool,
    refusals.flatMap(({ judgedBy }) => judgedBy ?? []),
  );
  const judged = refusals.flatMap(({ refusal, judgedBy }) => {
    const policies = judgedBy === undefined ? undefined : known.get(judgedBy);
    return policies === undefined ? [] : [{ refusal, policies }];
  });
  const times = judged.map(({ refusal }) => refusal.at.getTime());
  const [first, last] = [times.at(-1) ?? 0, times[0] ?? 0];
  const made = await readFreezesBetween(pool, { from: new Date(first - marginMs), to: new Date(last + marginMs) });
  const periods = made.map(toFreezePeriod);
  const others = await mapInSlices(judged, ({ refusal, policies }) => {
    const all = { ...policies, freezes: [...policies.freezes, ...periods] };
    return isReproduced({ policies: all, refusal }) ? [] : [refusal.seq];
  });
  const seqs = others.flat();
  return {
    refusals: judged.length,
    reproduced: judged.length - seqs.length,
    others: seqs.slice(0, shownEntries),
    unknown: refusals.length - judged.length,
    knownSince,
  };
}

/** Refusals are in the order of their entries, which is not exactly that of their judgements. */
const marginMs = 60_000;
