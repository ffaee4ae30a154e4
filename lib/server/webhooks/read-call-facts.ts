import { sql } from "kysely";
import type { Pool } from "pg";
import type { HookPurpose } from "#lib/contract/hook.ts";
import type { GateDecision } from "#lib/domain/delivery/gate-decision.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import { isHeld, readSourcesOfKind, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, listed, tables, wantedIds } from "#lib/server/platform/db/tables.ts";
import { isDecisionExpired, isDecisionVoided } from "#lib/server/records/gate-decisions.ts";
import { isQuarantined } from "#lib/server/records/rollout-row.ts";

/** The kind whose hooks are answered. */
export const hookedKind = "Canary";

/** The names and the credential id in a call, all unverified. */
export type CallKey = { credentialId: string; cluster: string; namespace: string; name: string };

/** The facts in the database at the moment of a call. */
export type CallFacts = {
  /** By the database's clock. */
  now: Date;
  /** Undefined if no credential has this id. */
  credential: CredentialRow | undefined;
  /** The canary that the cluster has, else the one seen last; undefined if none was ever seen. */
  rollout: HookedRollout | undefined;
  /** Undefined if the recorder never reached the cluster. */
  source: SourceRow | undefined;
  /** Newest first. */
  decisions: readonly GateDecision[];
};

/** Decisions on one canary that are looked at: newer ones than these supersede the rest. */
const maxDecisions = 50;

/** Reads the facts that several calls depend on, in a few statements. The results are in the calls' order. */
export async function readCallFacts(pool: Pool, calls: readonly CallKey[]): Promise<CallFacts[]> {
  const places = listPlaces(calls);
  const [credentials, rollouts, decisions, freezes, sources] = await Promise.all([
    readRows(pool, selectCredentials([...new Set(calls.map(({ credentialId }) => credentialId))])),
    readRows(pool, selectRollouts(places)),
    readRows(pool, selectDecisions(places)),
    readRows(pool, selectFreezes),
    readSourcesOfKind({ pool }, hookedKind),
  ]);
  const now = credentials[0]?.now;
  if (now === undefined) throw new Error("the database did not say what time it is");
  const credentialOf = new Map(credentials.flatMap((row) => (isFound(row) ? [[row.id, row] as const] : [])));
  const rolloutOf = new Map(rollouts.map((row) => [keyOf(row), row]));
  const decisionsOf = Map.groupBy(decisions, keyOf);
  return calls.map((call) => ({
    now,
    credential: credentialOf.get(call.credentialId),
    rollout: rolloutOf.get(keyOf(call)),
    source: sources.find(
      ({ cluster, namespace }) => cluster === call.cluster && ["", call.namespace].includes(namespace),
    ),
    decisions: (decisionsOf.get(keyOf(call)) ?? []).map((row) => toDecision(row, findFreezesOf(call, freezes))),
  }));
}

/** The freezes that people made and that are in force. */
const selectFreezes = tables
  .selectFrom("freeze_period as f")
  .select(["f.id", "f.clusters", "f.namespaces", "f.rollouts"])
  .where("f.starts_at", "<=", clockTime)
  .where("f.ends_at", ">", clockTime);

type FreezeInForce = RowOf<typeof selectFreezes>;

function findFreezesOf({ cluster, namespace, name }: Place, freezes: readonly FreezeInForce[]): FreezeInForce[] {
  return freezes.filter((freeze) => isInScope(freeze, { cluster, namespace, kind: hookedKind, name }));
}

/**
 * Reads several credentials at once, in the order of `ids`; undefined if no credential has the id. `now`: the
 * database's time.
 */
export async function readCredentials(
  pool: Pool,
  ids: readonly string[],
): Promise<{ now: Date; credential: CredentialRow | undefined }[]> {
  const rows = await readRows(pool, selectCredentials([...new Set(ids)]));
  const now = rows[0]?.now;
  if (now === undefined) throw new Error("the database did not say what time it is");
  const credentialOf = new Map(rows.flatMap((row) => (isFound(row) ? [[row.id, row] as const] : [])));
  return ids.map((id) => ({ now, credential: credentialOf.get(id) }));
}

type Place = Pick<CallKey, "cluster" | "namespace" | "name">;

function keyOf({ cluster, namespace, name }: Place): string {
  return [cluster, namespace, name].join("\n");
}

function listPlaces(calls: readonly CallKey[]): Place[] {
  return [...new Map(calls.map((call) => [keyOf(call), call])).values()];
}

/** A row for each id, so that there is always one with the time. */
function selectCredentials(ids: readonly string[]) {
  return tables
    .selectFrom(wantedIds(ids))
    .leftJoin("hook_credential as c", "c.id", "wanted.id")
    .select(["c.id", "c.cluster", "c.namespaces", "c.purpose", "c.secret_hash", "c.last_used_at", clockTime.as("now")])
    .select(({ and, eb, or }) =>
      and([eb("c.revoked_at", "is", null), or([eb("c.expires_at", "is", null), eb("c.expires_at", ">", clockTime)])])
        .$castTo<boolean>()
        .as("is_valid"),
    );
}

type JoinedCredential = RowOf<ReturnType<typeof selectCredentials>>;
export type CredentialRow = JoinedCredential & {
  id: string;
  cluster: string;
  namespaces: string[];
  purpose: HookPurpose;
  secret_hash: string;
};

function isFound(row: JoinedCredential): row is CredentialRow {
  return row.id !== null;
}

function wantedPlaces(places: readonly Place[]) {
  return listed("w", places, { cluster: "text", namespace: "text", name: "text" });
}

const object = fragment<{ r: "rollout" }>().ref("r.object");

/** The fields of the object that gates depend on; the rest is large. */
const gateFields = sql<unknown>`jsonb_build_object(
  'kind', ${object} -> 'kind',
  'metadata', jsonb_build_object(
    'uid', ${object} #> '{metadata,uid}', 'name', ${object} #> '{metadata,name}',
    'namespace', ${object} #> '{metadata,namespace}'),
  'spec', jsonb_build_object(
    'targetRef', ${object} #> '{spec,targetRef}',
    'analysis', jsonb_build_object(
      'stepWeight', ${object} #> '{spec,analysis,stepWeight}', 'stepWeights', ${object} #> '{spec,analysis,stepWeights}',
      'maxWeight', ${object} #> '{spec,analysis,maxWeight}')),
  'status', jsonb_build_object(
    'phase', ${object} #> '{status,phase}', 'canaryWeight', ${object} #> '{status,canaryWeight}',
    'lastAppliedSpec', ${object} #> '{status,lastAppliedSpec}',
    'trackedConfigs', ${object} #> '{status,trackedConfigs}'))`;

function selectRollouts(places: readonly Place[]) {
  return tables
    .selectFrom(wantedPlaces(places))
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("rollout as r")
        .select(["r.id", "r.cluster", "r.namespace", "r.name", "r.uid", "r.presence"])
        .select([isHeld.as("is_held"), isQuarantined.as("is_quarantined"), gateFields.as("object")])
        .whereRef("r.cluster", "=", "w.cluster")
        .whereRef("r.namespace", "=", "w.namespace")
        .where("r.kind", "=", hookedKind)
        .whereRef("r.name", "=", "w.name")
        .orderBy((eb) => eb("r.presence", "=", "deleted"))
        .orderBy("r.first_seen_at", "desc")
        .limit(1)
        .as("found"),
    )
    .selectAll("found");
}

export type HookedRollout = RowOf<ReturnType<typeof selectRollouts>>;

function selectDecisions(places: readonly Place[]) {
  return tables
    .selectFrom(wantedPlaces(places))
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("gate_decision as d")
        .select(["d.id", "d.seq", "d.cluster", "d.namespace", "d.name", "d.uid", "d.gate", "d.verdict", "d.bound"])
        .select(["d.overrode", isDecisionExpired.as("is_expired"), isDecisionVoided.as("is_voided")])
        .whereRef("d.cluster", "=", "w.cluster")
        .whereRef("d.namespace", "=", "w.namespace")
        .where("d.kind", "=", hookedKind)
        .whereRef("d.name", "=", "w.name")
        .orderBy("d.seq", "desc")
        .limit(maxDecisions)
        .as("decided"),
    )
    .selectAll("decided")
    .orderBy("decided.seq", "desc");
}

function toDecision(
  { id, gate, uid, verdict, bound, overrode, ...row }: RowOf<ReturnType<typeof selectDecisions>>,
  freezes: readonly FreezeInForce[],
): GateDecision {
  const isFrozen = freezes.some((freeze) => !overrode.includes(freeze.id));
  return { id, gate, uid, verdict, bound, isExpired: row.is_expired, isVoided: row.is_voided, isFrozen };
}
