import type { AdminFreeze, AdminFreezes, BrokenFreeze, FreezeQuery } from "#lib/contract/admin.ts";
import { type FreezeWindow, findWindowAt, listTimesOf } from "#lib/domain/policy/freeze.ts";
import { toFreezeWindow } from "#lib/server/people/auth/policies-of.ts";
import { type PolicySpan, readPolicyHistory } from "#lib/server/people/auth/read-policy-history.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { selectAuditItems, serializeAuditItem } from "#lib/server/records/audit-item.ts";
import { asTime } from "#lib/server/records/list-cursor.ts";

/** Marks on a calendar; the audit list is complete. */
const mostBroken = 200;

/**
 * Lists the freezes of the config in force with their times between two moments, and the actions that broke one then.
 * Past times are those of the config of then; freezes that the config no longer has are left out.
 */
export async function listAdminFreezes({ ctx, input }: Call<FreezeQuery>): Promise<AdminFreezes> {
  assertAdmin(ctx);
  const { runtime } = ctx;
  const now = runtime.now();
  const { policies } = runtime.config().config;
  const [fromMs, toMs] = [Date.parse(input.from), Date.parse(input.to)];
  const past = { from: new Date(fromMs), to: new Date(Math.min(toMs, now.getTime())) };
  const history = past.from < past.to ? await readPolicyHistory(runtime.pool, past) : [];
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
      ...splitTimes({ window, mode: rule.mode, history, fromMs, toMs }),
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

/** Returns whether all times within the period can be listed: a window may change too often. */
function listShown(window: FreezeWindow, shown: { fromMs: number; toMs: number }): Pick<AdminFreeze, "complete"> {
  const last = listTimesOf(window, shown).at(-1)?.toMs;
  const isCut = last !== undefined && last < shown.toMs && findWindowAt(window, last).freeze !== undefined;
  return { complete: !isCut };
}

type Period = { fromMs: number; toMs: number };
type Mode = AdminFreeze["mode"];
type Before = Period & { why: AdminFreeze["before"][number]["why"] };

type Split = Period & { window: FreezeWindow; mode: Mode; history: readonly PolicySpan[] };

/**
 * Lists the times of a freeze within a period: past ones by the freeze of the same name in the config of then, which
 * may have been enforced although it only observes now, and apart from them those in which that config had none, or is
 * not known.
 */
export function splitTimes({ window, mode, history, fromMs, toMs }: Split): Pick<AdminFreeze, "times" | "before"> {
  const nowMs = history.at(-1)?.toMs ?? fromMs;
  const times: (Period & { mode: Mode })[] = [];
  const before: Before[] = [];
  const add = (one: FreezeWindow, period: Period, as: Mode) =>
    times.push(...listTimesOf(one, period).map((time) => ({ fromMs: time.fromMs, toMs: time.toMs, mode: as })));
  for (const { policies, observed, ...span } of history) {
    const isSame = ({ name }: FreezeWindow) => name === window.name;
    const enforced = policies?.freezes.find(isSame);
    const watched = observed?.freezes.find(isSame);
    if (enforced !== undefined) add(enforced, span, "enforce");
    else if (watched !== undefined) add(watched, span, "observe");
    else {
      const why = policies === undefined ? ("unknown" as const) : ("not-yet" as const);
      before.push(...listTimesOf(window, span).map((time) => ({ fromMs: time.fromMs, toMs: time.toMs, why })));
    }
  }
  if (nowMs < toMs) add(window, { fromMs: nowMs, toMs }, mode);
  return {
    times: joinTimes(times).map((time) => ({ ...formatPeriod(time), mode: time.mode })),
    before: joinTimes(before).map((time) => ({ ...formatPeriod(time), why: time.why })),
  };
}

/** Joins times that meet, of the same mode or for the same reason. */
function joinTimes<Time extends Period & { why?: Before["why"]; mode?: Mode }>(times: readonly Time[]): Time[] {
  const joined: Time[] = [];
  for (const time of times) {
    const last = joined.at(-1);
    if (last?.toMs === time.fromMs && last.why === time.why && last.mode === time.mode) last.toMs = time.toMs;
    else joined.push({ ...time });
  }
  return joined;
}

function formatPeriod({ fromMs, toMs }: Period): { from: string; to: string } {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
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
