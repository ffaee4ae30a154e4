import type { ReleaseInsightQuery, ReleaseInsights } from "#lib/contract/insight.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { countRecordedDays, isRecorded, type Period, periodBefore } from "#lib/domain/insights/period.ts";
import { quantile } from "#lib/domain/insights/quantile.ts";
import { createFrozenCounter } from "#lib/domain/insights/sum-frozen-times.ts";
import { isFailed, summariseReleases } from "#lib/domain/insights/summarise-releases.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { readPolicyHistory } from "#lib/server/people/auth/read-policy-history.ts";
import { startSlices } from "#lib/server/platform/db/slices.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { readFreezesBetween, toFreezePeriod } from "#lib/server/records/freeze-row.ts";
import { readFilter } from "./insight-filter.ts";
import {
  type FactRow,
  readDays,
  readRecordedSince,
  readReleaseFacts,
  readWaits,
  toFacts,
} from "./read-release-facts.ts";

const mostRollouts = 200;

/** Returns the figures of the releases that began within a period, of the rollouts that the caller may read. */
export async function getReleaseInsights({ ctx, input }: Call<ReleaseInsightQuery>): Promise<ReleaseInsights> {
  const { runtime, actor } = ctx;
  const now = runtime.now();
  const { period, timeZone, ...filter } = readFilter(input, now);
  const asked = { filter, rights: actor.rights, timeZone };
  const previous = periodBefore(period);
  const [rows, past, waits, pastWaits, since, days] = await Promise.all([
    readReleaseFacts(runtime.pool, { ...asked, period }),
    readReleaseFacts(runtime.pool, { ...asked, period: previous }),
    readWaits(runtime.pool, { ...asked, period }),
    readWaits(runtime.pool, { ...asked, period: previous }),
    readRecordedSince(runtime.pool, asked),
    readDays(runtime.pool, period, timeZone),
  ]);
  const frozenOf = await sumFrozen(ctx, { rows: [...rows, ...past], waits: [...waits, ...pastWaits] });
  const summarise = (some: readonly FactRow[], within: Period) =>
    summariseReleases(
      some.map((row) => toFacts(row, frozenOf.get(row.id))),
      countRecordedDays(within, since, now),
    );
  const byRollout = [...Map.groupBy(rows, formatObjectRef)].map(([id, own]) => ({
    id,
    own,
    failed: own.filter((row) => isFailed(toFacts(row))).length,
  }));
  byRollout.sort(
    (one, other) => other.failed - one.failed || other.own.length - one.own.length || (one.id < other.id ? -1 : 1),
  );
  return {
    period,
    previous,
    recordedSince: since?.toISOString() ?? null,
    figures: summarise(rows, period),
    before: isRecorded(previous, since) ? summarise(past, previous) : null,
    days: countDays(days, rows),
    rollouts: byRollout.slice(0, mostRollouts).flatMap(({ id, own }) => {
      const [first] = own;
      if (first === undefined) return [];
      const { cluster, namespace, kind, name } = first;
      return [{ rollout: { id, cluster, namespace, kind, name }, figures: summarise(own, period) }];
    }),
    rolloutCount: byRollout.length,
    hours: countHours(waits),
  };
}

type WaitRow = Awaited<ReturnType<typeof readWaits>>[number];

/**
 * Returns how long each release waited in a freeze, in milliseconds by its id. Times whose policies are unknown use those
 * of the current config.
 */
async function sumFrozen(
  { runtime }: ServiceContext,
  { rows, waits }: { rows: readonly FactRow[]; waits: readonly WaitRow[] },
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  if (waits.length === 0) return sums;
  const placeOf = new Map(rows.map((row) => [row.id, row]));
  const fromMs = Math.min(...minMax(waits.map(({ from_ms: ms }) => ms)));
  const toMs = Math.max(...minMax(waits.map(({ to_ms: ms }) => ms)));
  const between = { from: new Date(fromMs), to: new Date(toMs) };
  const [made, history] = await Promise.all([
    readFreezesBetween(runtime.pool, between),
    readPolicyHistory(runtime.pool, between),
  ]);
  const current = policiesOf(runtime.config().config.policies);
  const spans = history.flatMap(({ policies = current, ...span }) => {
    const windows = [...policies.freezes, ...made.map(toFreezePeriod)].filter(({ actions }) =>
      matchesAny(actions, "continue"),
    );
    return windows.length === 0 ? [] : { ...span, frozenMs: createFrozenCounter(windows, span) };
  });
  if (spans.length === 0) return sums;
  const slices = startSlices();
  for (const wait of waits) {
    const target = placeOf.get(wait.id);
    if (target === undefined) continue;
    for (const span of spans) {
      const cut = { fromMs: Math.max(wait.from_ms, span.fromMs), toMs: Math.min(wait.to_ms, span.toMs) };
      if (cut.fromMs < cut.toMs) sums.set(wait.id, (sums.get(wait.id) ?? 0) + span.frozenMs({ target, ...cut }));
    }
    if (slices.isOver) await slices.rest();
  }
  return sums;
}

/** Returns the least and the greatest value. Spreading them into `Math.min` could exceed the limit on arguments. */
function minMax(values: readonly number[]): [number, number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return [least, greatest];
}

function countDays(
  days: readonly { day: string; from_at: Date; to_at: Date }[],
  rows: readonly FactRow[],
): ReleaseInsights["days"] {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return days.map(({ day, from_at: from, to_at: to }) => {
    const own = byDay.get(day) ?? [];
    const count = (...states: FactRow["state"][]) => own.filter(({ state }) => states.includes(state)).length;
    return {
      day,
      from: from.toISOString(),
      to: to.toISOString(),
      promoted: count("promoted"),
      aborted: count("aborted"),
      superseded: count("superseded"),
      unknown: count("unknown"),
      open: count("progressing", "paused"),
    };
  });
}

function countHours(waits: readonly WaitRow[]): ReleaseInsights["hours"] {
  const byHour = Map.groupBy(waits, ({ hour }) => hour);
  return Array.from({ length: 24 }, (_, hour) => {
    const own = byHour.get(hour) ?? [];
    return {
      hour,
      releases: new Set(own.map(({ id }) => id)).size,
      median: quantile(
        own.map(({ from_ms: from, to_ms: to }) => (to - from) / 1000),
        0.5,
      ),
    };
  });
}
