import type { Expression } from "kysely";
import { completePeriod, type Period } from "#lib/domain/insights/period.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { asTime } from "#lib/server/records/list-cursor.ts";

/** The filters of a request, with the period completed. */
export type InsightFilter = {
  cluster?: string | undefined;
  namespace?: string | undefined;
  kind?: string | undefined;
  rollout?: string | undefined;
  period: Period;
};

/** Completes the period of a request. Throws `invalid_request` for an empty or too long one. */
export function readFilter<Query extends { from?: string | undefined; to?: string | undefined }>(
  { from, to, ...query }: Query,
  now: Date,
): Omit<Query, "from" | "to"> & { period: Period } {
  const period = completePeriod({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }, now);
  if (period !== undefined) return { ...query, period };
  const reason = "must be later than from, by at most 400 days";
  throw new ServiceError("invalid_request", `to: ${reason}`, { invalidParams: [{ name: "to", reason }] });
}

const eb = fragment<{ r: "rollout" }>();

/** Returns the condition that rollout `r` matches the filters. */
export function isAskedFor({ cluster, namespace, kind, rollout }: Omit<InsightFilter, "period">): Condition {
  return allOf([
    given(cluster, (value) => eb("r.cluster", "=", value)),
    given(namespace, (value) => eb("r.namespace", "=", value)),
    given(kind, (value) => eb(eb.ref("r.kind").$castTo<string>(), "=", value)),
    given(rollout, (value) => eb("r.name", "=", value)),
  ]);
}

/** Returns the condition that a time is within the period. */
export function isWithin(time: Expression<Date>, { from, to }: Period): Condition {
  return allOf([eb(time, ">=", asTime(from)), eb(time, "<", asTime(to))]);
}
