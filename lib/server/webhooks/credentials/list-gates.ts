import type { RolloutGate, RolloutGates } from "#lib/contract/hook.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { type GateName, gateNames } from "#lib/domain/delivery/gate-decision.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { type FullRolloutRow, findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { type Connection, type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { listed, tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { isDecisionExpired, isDecisionVoided } from "#lib/server/records/gate-decisions.ts";

/**
 * Lists the gates of a rollout, each with its controller's last call, the answer, and the newest decision in force.
 * Empty for a kind without gates. Throws `not_found`.
 */
export async function listRolloutGates({ ctx, input }: Call<RolloutPath>): Promise<RolloutGates> {
  const row = await findRollout(ctx, input);
  const wired = findWired(row);
  if (wired === null) return { gates: [] };
  const { pool } = ctx.runtime;
  const [calls, decisions] = await Promise.all([readLastCalls(pool, row), readRows(pool, selectDecisions(row))]);
  return {
    gates: gateNames.map((gate): RolloutGate => {
      const last = calls.find(({ type }) => type === gate);
      const decision = decisions.find((one) => one.gate === gate);
      return {
        gate,
        wired: wired?.has(gate) ?? null,
        lastAskedAt: last?.at.toISOString() ?? null,
        lastAnswer: last === undefined ? null : { status: last.status, reason: last.reason },
        decision: decision === undefined ? null : serializeDecision(decision),
      };
    }),
  };
}

/**
 * Finds the gates that hooks of its spec call here; undefined if the recorded object cannot be read, null for a kind
 * without gates.
 */
function findWired({ cluster, kind, object }: FullRolloutRow): ReadonlySet<GateName> | undefined | null {
  const parsed = providerOfKind(kind).parse(object);
  if (!parsed.ok) return undefined;
  const { gates } = parsed.value.describe({ ...nothingRelated, cluster });
  return gates === null
    ? null
    : new Set(gates.filter(({ hooks }) => hooks.some(({ isOurs }) => isOurs)).map(({ gate }) => gate));
}

type Place = { cluster: string; namespace: string; name: string };

/** Reads the newest call of each gate: one look into the index per gate. */
async function readLastCalls(connection: Connection, { cluster, namespace, name }: Place) {
  const gates = gateNames.map((gate) => ({ gate }));
  return readRows(
    connection,
    tables
      .selectFrom(listed("w", gates, { gate: "text" }))
      .crossJoinLateral(({ selectFrom }) =>
        selectFrom("hook_call as h")
          .select(["h.type", "h.at", "h.status", "h.reason"])
          .where("h.cluster", "=", cluster)
          .where("h.namespace", "=", namespace)
          .where("h.name", "=", name)
          .whereRef("h.type", "=", "w.gate")
          .orderBy("h.at", "desc")
          .limit(1)
          .as("last"),
      )
      .selectAll("last"),
  );
}

function selectDecisions({ id, cluster, namespace, name }: Place & { id: string }) {
  return tables
    .selectFrom("gate_decision as d")
    .select(["d.id", "d.gate", "d.verdict", "d.bound", "d.actor_name", "d.reason", "d.decided_at", "d.expires_at"])
    .select(({ selectFrom }) =>
      selectFrom("hook_call as h")
        .select(countRows().as("times"))
        // Calls since the decision, by the index of calls; an hour more, since clocks differ.
        .whereRef("h.cluster", "=", "d.cluster")
        .whereRef("h.namespace", "=", "d.namespace")
        .whereRef("h.name", "=", "d.name")
        .whereRef("h.type", "=", "d.gate")
        .where(({ eb, ref }) => eb("h.at", ">", secondsBefore(ref("d.decided_at"), 3600)))
        .whereRef("h.decision_id", "=", "d.id")
        .where("h.status", "=", 200)
        .$asScalar()
        .$notNull()
        .as("times_served"),
    )
    .where("d.cluster", "=", cluster)
    .where("d.namespace", "=", namespace)
    .where("d.name", "=", name)
    .where("d.rollout_id", "=", id)
    .where(({ not }) => not(isDecisionExpired))
    .where(({ not }) => not(isDecisionVoided))
    .orderBy("d.seq", "desc")
    .limit(50);
}

type DecisionRow = RowOf<ReturnType<typeof selectDecisions>>;

function serializeDecision(row: DecisionRow): NonNullable<RolloutGate["decision"]> {
  return {
    id: row.id,
    verdict: row.verdict,
    state: row.times_served > 0 ? "served" : "requested",
    timesServed: row.times_served,
    upToWeight: row.bound.upToWeight ?? null,
    actorName: row.actor_name,
    reason: row.reason,
    decidedAt: row.decided_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
}
