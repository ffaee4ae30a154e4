import type { Finding, FindingEvidence, FindingState } from "#lib/contract/finding.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { Evidence } from "#lib/domain/oversight/rule.ts";
import { findRule } from "#lib/domain/oversight/rule-catalogue.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";

const eb = fragment<{ f: "finding" }>();

export const selectFindings = tables
  .selectFrom("finding as f")
  .selectAll("f")
  .select(({ cast }) => cast<string>("f.since", "text").as("since_key"));

/** 0 for critical, then 1 and 2. */
export const severityRank = eb
  .case()
  .when("f.severity", "=", "critical")
  .then(0)
  .when("f.severity", "=", "warning")
  .then(1)
  .else(2)
  .end();

const noKind = eb.cast<string | null>(eb.lit(null), "text");
const place = { cluster: eb.ref("f.cluster"), namespace: eb.ref("f.namespace") };

/**
 * Returns the condition that the actor may read finding `f`. A finding about a source or a controller concerns
 * everything there, so a right to rollouts of some kind or name does not cover it.
 */
export function isReadableFinding(rights: Rights): Condition | undefined {
  const ofRollout = isReadable(rights, { ...place, kind: eb.ref("f.kind"), name: eb.ref("f.name") });
  const ofOther = isReadable(rights, { ...place, kind: noKind, name: eb.cast<string>(eb.val(""), "text") });
  if (ofRollout === undefined || ofOther === undefined) return undefined;
  return eb.or([eb.and([eb("f.about", "=", "rollout"), ofRollout]), eb.and([eb("f.about", "<>", "rollout"), ofOther])]);
}

export type FindingRow = RowOf<typeof selectFindings>;

/** Condition by state; `active` is open or acknowledged. */
export function isInState(state: FindingState | "active") {
  const isClosed = eb("f.closed_at", "is not", null);
  if (state === "closed") return isClosed;
  if (state === "active") return eb.not(isClosed);
  return eb.and([eb.not(isClosed), eb("f.acknowledged_at", state === "open" ? "is" : "is not", null)]);
}

export function serializeFinding(row: FindingRow): Finding {
  const rule = findRule(row.rule);
  const { cluster, namespace, kind, name } = row;
  return {
    id: row.id,
    rule: row.rule,
    ruleName: rule?.name ?? row.rule,
    severity: row.severity,
    title: row.title,
    state: findingState({ closed: row.closed_at !== null, acknowledged: row.acknowledged_at !== null }),
    about: row.about,
    target: { id: formatObjectRef(row), cluster, namespace, kind, name },
    since: row.since.toISOString(),
    foundAt: row.found_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    closedWhy: row.closed_why,
    acknowledged: acknowledgedOf(row),
    evidence: row.evidence.map(serializeEvidence),
    advice: row.advice ?? rule?.advice ?? "",
    revisionKey: row.run_key,
    runUid: row.run_uid,
  };
}

export function findingState({ closed, acknowledged }: { closed: boolean; acknowledged: boolean }): FindingState {
  if (closed) return "closed";
  return acknowledged ? "acknowledged" : "open";
}

function acknowledgedOf(row: FindingRow): Finding["acknowledged"] {
  const { acknowledged_at: at, acknowledged_by_name: who, acknowledge_reason: reason } = row;
  return at === null ? null : { who: who ?? "unknown", at: at.toISOString(), reason: reason ?? "" };
}

function serializeEvidence({ label, value, at, link }: Evidence): FindingEvidence {
  return { label, value, at: at ?? null, link: link ?? null };
}
