import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { findTeam, type Labels, type Team } from "#lib/domain/policy/find-team.ts";
import type { Target } from "#lib/domain/policy/rights.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { isAtAnyPlace } from "#lib/server/records/rollout-row.ts";

/**
 * Returns a function that finds the team that owns a target. Labels of the rollouts are read if a team has some. What is
 * not recorded has no labels.
 */
export async function readOwners(
  connection: Connection,
  { teams, targets }: { teams: readonly Team[]; targets: readonly Target[] },
): Promise<(target: Target) => Team | undefined> {
  const byLabel = teams.some(({ labels }) => Object.keys(labels).length > 0);
  const labels = byLabel ? await readLabels(connection, targets.filter(hasKind)) : new Map<string, Labels>();
  return (target) =>
    findTeam(teams, { ...target, labels: (hasKind(target) && labels.get(formatObjectRef(target))) || {} });
}

function hasKind(target: Target): target is ObjectRef {
  return target.kind !== null;
}

/** Reads the labels by address: of the rollout that the cluster has, else of the one seen last. */
async function readLabels(connection: Connection, targets: readonly ObjectRef[]): Promise<Map<string, Labels>> {
  if (targets.length === 0) return new Map();
  const rows = await readRows(
    connection,
    tables
      .selectFrom("rollout as r")
      .select(["r.cluster", "r.namespace", "r.kind", "r.name", "r.labels"])
      .where(isAtAnyPlace(targets))
      .orderBy((eb) => eb("r.presence", "<>", "deleted"))
      .orderBy("r.first_seen_at"),
  );
  return new Map(rows.map((row) => [formatObjectRef(row), row.labels]));
}
