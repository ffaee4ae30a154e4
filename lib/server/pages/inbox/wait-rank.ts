import { type RawBuilder, sql } from "kysely";
import {
  groupOfReason,
  groupOfWait,
  groupPlaces,
  placesPerPercent,
  type RolloutNeed,
  rolloutNeeds,
  snoozedPlace,
  waitGroups,
} from "#lib/domain/waiting/rank-wait.ts";
import { isSnoozed } from "#lib/server/pages/inbox/wait-handling.ts";
import { numberFor, rankSeverity } from "#lib/server/platform/db/sql-functions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

const { lit, ref } = fragment<{ r: "rollout" }>();

const lastPlace = sql.lit(100 * placesPerPercent);
const steps = sql.lit(placesPerPercent / 2);

const ranksOf = (needs: Readonly<Record<string, RolloutNeed>>) =>
  Object.fromEntries(Object.entries(needs).map(([text, need]) => [text, rolloutNeeds.indexOf(need)]));

const critical = sql.lit(rolloutNeeds.indexOf(groupOfWait({ reason: "finding", severity: "critical" })));

/** The place of a rollout's need in `rolloutNeeds`. It and `placeInNeed` must equal the expressions of an index. */
export const needRank = sql<number>`CASE WHEN ${ref("r.attention_reason")} = 'finding'
  AND ${ref("r.attention_severity")} = 'critical' THEN ${critical} ELSE ${numberFor(
    ref("r.attention_reason"),
    ranksOf(groupOfReason),
    numberFor(
      ref("r.phase"),
      ranksOf({ Paused: "underway", Progressing: "underway", Healthy: "healthy" }),
      lit(rolloutNeeds.indexOf("other")),
    ),
  )} END`;

/** The place of a waiting rollout among those of the same need: `rankWait` without group and snooze. Else zero. */
export const placeInNeed: RawBuilder<number> = sql<number>`CASE WHEN ${ref("r.attention_reason")} IS NULL THEN 0
  ELSE (10 * (CASE WHEN ${ref("r.weight_actual")} IS NULL THEN ${lastPlace} - 1
    ELSE ${lastPlace} - 2 * round(LEAST(100, GREATEST(0, ${ref("r.weight_actual")})) * ${steps}) END)
  + COALESCE(${rankSeverity(ref("r.attention_severity"))}, 3) - 1)::int END`;

/** `isUrgent` in SQL; an unknown weight is not. */
const isUrgent = sql<boolean>`${needRank} = ${sql.lit(rolloutNeeds.indexOf("fix"))}
  AND ${ref("r.attention_severity")} = 'critical' AND ${ref("r.weight_actual")} > 0`;

/** 0 for a rollout that comes before every decision, else 1. It must equal the expression of an index. */
export const urgencyRank: RawBuilder<number> = sql<number>`CASE WHEN ${isUrgent} THEN 0 ELSE 1 END`;

/** The rank of rollout `r` in the inbox: `rankWait` in SQL, as an integer. A test compares the two. */
export const waitRank: RawBuilder<number> = sql<number>`((CASE WHEN ${isSnoozed} THEN ${sql.lit(snoozedPlace)}
    WHEN ${isUrgent} THEN ${sql.lit(-waitGroups.length * groupPlaces)} ELSE 0 END)
  + (${needRank}) * ${sql.lit(groupPlaces)} + (${placeInNeed}))::int`;
