import Link from "next/link";
import classes from "#components/admin/calendar.module.css";
import {
  type CalendarTime,
  placeInWeek,
  prepareSegments,
  type Segment,
  type Week,
  wallClock,
} from "#components/admin/prepare-week.ts";
import { IconFlame } from "#components/ui/icons.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AdminFreeze, AdminFreezes } from "#lib/contract/admin.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";

const hours = [0, 3, 6, 9, 12, 15, 18, 21];
const dayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", timeZone: "UTC" });

type FreezeCalendarProps = { freezes: AdminFreezes; week: Week; zone: string; now: number };

/**
 * Draws a week: hours down, days across, by the clock of a zone. The list below it says the same in words, so screen
 * readers skip this.
 */
export function FreezeCalendar({ freezes: { freezes, broken }, week, zone, now }: FreezeCalendarProps) {
  const endless = freezes.filter(isEndless);
  const shown = new Map(
    freezes
      .filter((freeze) => !isEndless(freeze))
      .flatMap((freeze) => listTimes(freeze).map((time) => [time.id, { freeze, time }] as const)),
  );
  const times = [...shown.values()].map(({ time }) => time);
  const segments = Map.groupBy(prepareSegments(times, week, zone), ({ day }) => day);
  const clock = wallClock(now, zone);
  const hasHours = endless.length < freezes.length || broken.length > 0;
  const marks = Map.groupBy(
    broken.map((each) => ({ ...each, ...wallClock(Date.parse(each.at), zone) })),
    ({ day }) => day,
  );
  return (
    <div className={classes.calendar} aria-hidden="true">
      <div className={classes.corner} />
      {week.days.map((day) => (
        <div key={day} className={classes.head} data-today={day === clock.day || undefined}>
          {dayFormat.format(new Date(`${day}T00:00:00Z`))}
        </div>
      ))}
      {endless.map((freeze) => (
        <EndlessFreeze key={freeze.path} freeze={freeze} week={week} />
      ))}
      {hasHours && (
        <div className={classes.hours}>
          {hours.slice(1).map((hour) => (
            <span key={hour} style={{ top: `${(hour / 24) * 100}%` }}>
              {String(hour).padStart(2, "0")}:00
            </span>
          ))}
        </div>
      )}
      {(hasHours ? week.days : []).map((day) => (
        <div key={day} className={classes.day}>
          {segments.get(day)?.map((segment) => {
            const found = shown.get(segment.id);
            if (found === undefined) return null;
            const { freeze, time } = found;
            const words = describeTime(freeze, time);
            return (
              <div
                key={`${segment.id} ${segment.fromMinute}`}
                className={classes.segment}
                data-narrow={segment.lanes > 2 || undefined}
                {...lookOf(freeze, time)}
                title={`${freeze.name} ${words}`}
                style={placeOf(segment)}
              >
                <strong>{freeze.name}</strong> {words}
              </div>
            );
          })}
          {day === clock.day && (
            <div className={classes.now} style={{ top: `${(clock.minute / 1440) * 100}%` }}>
              <span>now</span>
            </div>
          )}
          {marks.get(day)?.map(({ seq, minute, person, freeze }) => (
            <Link
              key={seq}
              href={auditHref(seq)}
              tabIndex={-1}
              className={classes.broken}
              title={`${person} broke ${freeze}`}
              style={{ top: `${(minute / 1440) * 100}%` }}
            >
              <IconFlame size={14} />
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
}

type ShownTime = CalendarTime & Pick<Partial<AdminFreeze>, "mode"> & { why?: AdminFreeze["before"][number]["why"] };

/** Lists the times of a freeze, and those before the config had it. */
export function listTimes({ path, times, before }: Pick<AdminFreeze, "path" | "times" | "before">): ShownTime[] {
  return [...times, ...before].map(({ from, to, ...rest }) => ({
    id: `${path} ${from}`,
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
    ...rest,
  }));
}

function isEndless({ now }: AdminFreeze): boolean {
  return now !== null && now.to === null;
}

/** One bar over the week, instead of a block on each of its days. */
function EndlessFreeze({ freeze, week }: { freeze: AdminFreeze; week: Week }) {
  const times = listTimes(freeze);
  return (
    <div className={classes.endless}>
      {times.map((time) => {
        const part = placeInWeek(time, week);
        if (part === undefined) return null;
        const words = describeTime(freeze, time);
        const place = { left: `${part.from * 100}%`, width: `${(part.to - part.from) * 100}%` };
        return (
          <div
            key={time.id}
            className={classes.segment}
            {...lookOf(freeze, time)}
            title={`${freeze.name} ${words}`}
            style={{ ...place, top: 0, bottom: 0 }}
          />
        );
      })}
      <span className={classes.words}>
        <strong>{freeze.name}</strong> {describeEndless(freeze, times)}
      </span>
    </div>
  );
}

/** Describes the whole bar: what it does now, and why a part of it is hatched. */
export function describeEndless(
  freeze: Parameters<typeof describeTime>[0],
  times: readonly Pick<ShownTime, "why">[],
): string {
  const hatched = [...new Set(times.flatMap(({ why }) => why ?? []))].map((why) => `hatched: ${beforeWords[why]}`);
  return [describeTime(freeze, {}), ...hatched].join(" · ");
}

const beforeWords = { "not-yet": "not in force yet", unknown: "not known for this time" } as const;

/** Describes a time of a freeze: "always frozen in shop/cart of every cluster", "not in force yet". */
export function describeTime(
  { scope, outside, mode: modeNow, now }: Pick<AdminFreeze, "scope" | "outside" | "mode" | "now">,
  { mode = modeNow, why }: Pick<ShownTime, "mode" | "why">,
): string {
  if (why !== undefined) return beforeWords[why];
  const always = now !== null && now.to === null ? `always ${outside ? "open" : "frozen"} ` : outside ? "open " : "";
  return `${always}${describeScope(scope)}${mode === "observe" ? " (observed)" : ""}`;
}

function lookOf({ includeProtective, outside, ...freeze }: AdminFreeze, { mode = freeze.mode, why }: ShownTime) {
  return {
    "data-all": (includeProtective && !outside) || undefined,
    "data-open": outside || undefined,
    "data-observed": mode === "observe" || undefined,
    "data-before": why,
  };
}

function placeOf({ fromMinute, toMinute, lane, lanes }: Segment): React.CSSProperties {
  return {
    top: `${(fromMinute / 1440) * 100}%`,
    height: `${((toMinute - fromMinute) / 1440) * 100}%`,
    left: `${(lane / lanes) * 100}%`,
    width: `${100 / lanes}%`,
  };
}
