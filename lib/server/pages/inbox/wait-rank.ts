import { type RawBuilder, sql } from "kysely";
import {
  groupOfReason,
  groupPlaces,
  placesPerPercent,
  snoozedPlace,
  waitGroups,
} from "#lib/domain/waiting/rank-wait.ts";
import { isSnoozed } from "#lib/server/pages/inbox/wait-handling.ts";
import { numberFor, rankSeverity } from "#lib/server/platform/db/sql-functions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

const { lit, ref } = fragment<{ r: "rollout" }>();

const lastPlace = sql.lit(100 * placesPerPercent);
const steps = sql.lit(placesPerPercent / 2);

const groups = Object.fromEntries(
  Object.entries(groupOfReason).map(([reason, group]) => [reason, waitGroups.indexOf(group) * groupPlaces]),
);

/** The rank of rollout `r` in the inbox: `rankWait` in SQL, as an integer. A test compares the two. */
export const waitRank: RawBuilder<number> = sql<number>`((CASE WHEN ${isSnoozed} THEN ${sql.lit(snoozedPlace)} ELSE 0 END)
  + (${numberFor(ref("r.attention_reason"), groups, lit(0))})
  + 10 * (CASE WHEN ${ref("r.weight_actual")} IS NULL THEN ${lastPlace} - 1
    ELSE ${lastPlace} - 2 * round(LEAST(100, GREATEST(0, ${ref("r.weight_actual")})) * ${steps}) END)
  + COALESCE(${rankSeverity(ref("r.attention_severity"))}, 3) - 1)::int`;
