import { type SqlBool, sql } from "kysely";
import { isInTeam, type Labels, type Team, teamsOf } from "#lib/domain/policy/find-team.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { isWithin } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

type Filters = { [Name in "team" | "set" | "label"]?: string | undefined } & { mine?: "true" | undefined };

const eb = fragment<{ r: "rollout" }>();

/** Returns the conditions that rollout `r` has the owner, the set and the label that a list asks for. */
export function listOwnership(
  { actor, runtime }: Pick<ServiceContext, "actor" | "runtime">,
  { team, set, label, mine }: Filters,
): (Condition | undefined)[] {
  const { config } = runtime.config();
  const teams = teamsOf(config);
  return [
    given(team, (name) => isOwnedBy(teams, (each) => each.name === name)),
    given(mine, () => isOwnedBy(teams, (each) => isInTeam(each, actor.groups))),
    given(set, (name) =>
      eb.or(config.sets.filter((each) => each.name === name).map((each) => isWithin(each, rolloutPlace))),
    ),
    given(label, isLabelled),
  ];
}

/** Returns the condition that a wanted team owns rollout `r`: as in `findTeam`, the first that matches it does. */
function isOwnedBy(teams: readonly Team[], isWanted: (team: Team) => boolean): Condition {
  const judged = teams.map((team) => ({ isWanted: isWanted(team), matches: matchesTeam(team) }));
  const wanted = judged.filter((each) => each.isWanted).map(({ matches }) => matches);
  const until = judged.findLastIndex((each) => each.isWanted) + 1;
  const cases = judged.slice(0, until).map((each) => sql`WHEN ${each.matches} THEN ${sql.lit(each.isWanted)}`);
  return allOf([
    // By itself, since an index may answer it.
    eb.or(wanted),
    wanted.length === until ? undefined : sql<SqlBool>`CASE ${sql.join(cases, sql` `)} ELSE false END`,
  ]);
}

function matchesTeam({ scope, labels }: Team): Condition {
  const hasLabels = Object.keys(labels).length === 0 ? undefined : isLabelledWith(labels);
  return allOf([isWithin(scope, rolloutPlace), hasLabels]);
}

/** Returns the condition for `name=value`, or for `name` with any value. */
function isLabelled(label: string): Condition {
  const at = label.indexOf("=");
  if (at < 0) return sql<SqlBool>`${eb.ref("r.labels")} ? ${label}::text`;
  return isLabelledWith({ [label.slice(0, at)]: label.slice(at + 1) });
}

function isLabelledWith(labels: Labels): Condition {
  return sql<SqlBool>`${eb.ref("r.labels")} @> ${toStorableJson(labels)}::jsonb`;
}
