import Link from "next/link";
import classes from "#components/admin/calendar.module.css";
import {
  type CalendarTime,
  prepareSegments,
  type Segment,
  type Week,
  wallClock,
} from "#components/admin/prepare-week.ts";
import { describeScope } from "#components/ui/describe-scope.ts";
import { IconFlame } from "#components/ui/icons.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AdminFreezes } from "#lib/contract/admin.ts";

const hours = [0, 3, 6, 9, 12, 15, 18, 21];
const dayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", timeZone: "UTC" });

type FreezeCalendarProps = { freezes: AdminFreezes; week: Week; zone: string; now: number };

/**
 * Draws a week: hours down, days across, by the clock of a zone. The list below it says the same in words, so screen
 * readers skip this.
 */
export function FreezeCalendar({ freezes: { freezes, broken }, week, zone, now }: FreezeCalendarProps) {
  const byPath = new Map(freezes.map((freeze) => [freeze.path, freeze]));
  const times = freezes.flatMap(({ path, times: own }) =>
    own.map(({ from, to }): CalendarTime => ({ id: path, fromMs: Date.parse(from), toMs: Date.parse(to) })),
  );
  const segments = Map.groupBy(prepareSegments(times, week, zone), ({ day }) => day);
  const clock = wallClock(now, zone);
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
      <div className={classes.hours}>
        {hours.slice(1).map((hour) => (
          <span key={hour} style={{ top: `${(hour / 24) * 100}%` }}>
            {String(hour).padStart(2, "0")}:00
          </span>
        ))}
      </div>
      {week.days.map((day) => (
        <div key={day} className={classes.day}>
          {segments.get(day)?.map((segment) => {
            const freeze = byPath.get(segment.id);
            const scope = freeze === undefined ? "" : describeScope(freeze.scope);
            const isObserved = freeze?.mode === "observe";
            const words = `${freeze?.outside ? `open ${scope}` : scope}${isObserved ? " (observed)" : ""}`;
            return (
              <div
                key={`${segment.id} ${segment.fromMinute}`}
                className={classes.segment}
                data-narrow={segment.lanes > 2 || undefined}
                data-all={(freeze?.includeProtective && !freeze.outside) || undefined}
                data-open={freeze?.outside || undefined}
                data-observed={isObserved || undefined}
                title={`${freeze?.name} ${words}`}
                style={placeOf(segment)}
              >
                <strong>{freeze?.name}</strong> {words}
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

function placeOf({ fromMinute, toMinute, lane, lanes }: Segment): React.CSSProperties {
  return {
    top: `${(fromMinute / 1440) * 100}%`,
    height: `${((toMinute - fromMinute) / 1440) * 100}%`,
    left: `${(lane / lanes) * 100}%`,
    width: `${100 / lanes}%`,
  };
}
