import type { AdminFreeze, AdminFreezes, BrokenFreeze, FreezeQuery } from "#lib/contract/admin.ts";
import { type FreezeWindow, findWindowAt, listTimesOf } from "#lib/domain/policy/freeze.ts";
import { toFreezeWindow } from "#lib/server/people/auth/policies-of.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { selectAuditItems, serializeAuditItem } from "#lib/server/records/audit-item.ts";
import { asTime } from "#lib/server/records/list-cursor.ts";

/** Marks on a calendar; the audit list is complete. */
const mostBroken = 200;

/**
 * Lists the freezes of the config in force with their times between two moments, and the actions that broke one then.
 * Past times use today's config; the log of config loads has earlier ones.
 */
export async function listAdminFreezes({ ctx, input }: Call<FreezeQuery>): Promise<AdminFreezes> {
  assertAdmin(ctx);
  const { runtime } = ctx;
  const now = runtime.now();
  const { policies } = runtime.config().config;
  const [fromMs, toMs] = [Date.parse(input.from), Date.parse(input.to)];
  const freezes = policies.freezes.map((rule, index): AdminFreeze => {
    const window = toFreezeWindow(rule);
    const { name, scope, actions, includeProtective, outside = false, start, timeZone } = window;
    return {
      path: `policies.freezes[${index}]`,
      ...{ mode: rule.mode, name, includeProtective, outside, start, timeZone },
      scope: { clusters: [...scope.clusters], namespaces: [...scope.namespaces], rollouts: [...scope.rollouts] },
      actions: [...actions],
      duration: rule.duration,
      ...findNowAndNext(window, now.getTime()),
      ...listShown(window, { fromMs, toMs }),
    };
  });
  const broken = await readBroken(ctx, input);
  return {
    at: now.toISOString(),
    freezes,
    broken: broken.slice(0, mostBroken),
    allBroken: broken.length <= mostBroken,
  };
}

/** Changes of a window that are checked for its end: a window may begin again before it ends, forever. */
const mostChanges = 400;

/** Finds the time that is in force and the next one that begins. Times that meet are one. */
export function findNowAndNext(window: FreezeWindow, now: number): Pick<AdminFreeze, "now" | "next"> {
  const { freeze, from, to } = findWindowAt(window, now);
  if (freeze === undefined)
    return { now: null, next: Number.isFinite(to) ? formatTime(to, findEnd(window, to)) : null };
  const end = findEnd(window, from);
  if (end === undefined) return { now: formatTime(from, undefined), next: null };
  const next = findWindowAt(window, end).to;
  return {
    now: formatTime(from, end),
    next: Number.isFinite(next) ? formatTime(next, findEnd(window, next)) : null,
  };
}

/** Returns when the freeze that is in force at a time ends; undefined if no end is in sight. */
function findEnd(window: FreezeWindow, start: number): number | undefined {
  let at = start;
  for (let changes = 0; changes < mostChanges; changes++) {
    const { freeze, to } = findWindowAt(window, at);
    if (freeze === undefined) return at;
    at = to;
  }
  return undefined;
}

function formatTime(from: number, to: number | undefined): { from: string; to: string | null } {
  return { from: new Date(from).toISOString(), to: to === undefined ? null : new Date(to).toISOString() };
}

/** Lists the times within the period shown. `complete` is false if the window changes too often to list all. */
function listShown(
  window: FreezeWindow,
  shown: { fromMs: number; toMs: number },
): Pick<AdminFreeze, "times" | "complete"> {
  const times = listTimesOf(window, shown);
  const last = times.at(-1)?.toMs;
  const isCut = last !== undefined && last < shown.toMs && findWindowAt(window, last).freeze !== undefined;
  return {
    times: times.map(({ fromMs, toMs }) => ({
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
    })),
    complete: !isCut,
  };
}

async function readBroken({ runtime }: ServiceContext, { from, to }: FreezeQuery): Promise<BrokenFreeze[]> {
  const rows = await readRows(
    runtime.pool,
    selectAuditItems
      .where("a.outcome", "=", "intent")
      .where("a.action", "is not", null)
      .where("a.time", ">=", asTime(from))
      .where("a.time", "<", asTime(to))
      .where("a.entry", "like", '%"brokenFreeze":%')
      .orderBy("a.seq", "desc")
      .limit(mostBroken + 1),
  );
  return rows.map((row) => {
    const { seq, time, actor, detail, sentence } = serializeAuditItem(row);
    const freeze = detail?.brokenFreeze;
    return {
      seq,
      at: new Date(time).toISOString(),
      freeze: typeof freeze === "string" ? freeze : "",
      person: actor.name,
      sentence,
    };
  });
}
