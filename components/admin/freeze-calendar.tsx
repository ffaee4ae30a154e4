import { Text } from "@mantine/core";
import Link from "next/link";
import admin from "#components/admin/admin.module.css";
import { ConfigPath, ObservedMark } from "#components/admin/admin-frame.tsx";
import classes from "#components/admin/calendar.module.css";
import { describeState, formatZoned, listBefore } from "#components/admin/describe-freeze.ts";
import { describeActions } from "#components/admin/describe-policy.ts";
import { describeTimes, quoteTimes } from "#components/admin/describe-times.ts";
import { placeInWeek, type Week, type WeekPart, wallClock } from "#components/admin/prepare-week.ts";
import { IconFlame } from "#components/ui/icons.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AdminFreeze, AdminFreezes } from "#lib/contract/admin.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";
import { capital } from "#lib/util/words.ts";

const dayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", timeZone: "UTC" });

type FreezeCalendarProps = { freezes: AdminFreezes; week: Week; zone: string; now: number };

/** Shows each freeze in words, and beside them its times in a week by the clock of a zone. */
export function FreezeCalendar({ freezes: { freezes, broken }, week, zone, now }: FreezeCalendarProps) {
  const today = wallClock(now, zone).day;
  const shared = { week, zone, now };
  return (
    <div className={classes.calendar}>
      <div className={classes.row} data-head aria-hidden="true">
        <div />
        <Days week={week}>
          {(day) => (
            <div key={day} className={classes.head} data-today={day === today || undefined}>
              {dayFormat.format(new Date(`${day}T00:00:00Z`))}
            </div>
          )}
        </Days>
      </div>
      <ul className={classes.rows} aria-label="Freezes">
        {freezes.map((freeze) => (
          <li key={freeze.path} className={classes.row}>
            <FreezeWords {...shared} freeze={freeze} />
            <Track {...shared} freeze={freeze} broken={broken.filter((each) => each.freeze === freeze.name)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Divides a row into the days of a week; one on which the clocks change is longer or shorter. */
function Days({ week, children }: { week: Week; children: (day: string) => React.ReactNode }) {
  const hours = week.starts.map((start, index) => ((week.starts[index + 1] ?? week.ends) - start) / 3_600_000);
  const columns = hours.map((count) => `minmax(0, ${count}fr)`).join(" ");
  return (
    <div className={classes.days} style={{ gridTemplateColumns: columns }}>
      {week.days.map(children)}
    </div>
  );
}

type Shown = { week: Week; zone: string; now: number };

function FreezeWords({ freeze, week, zone, now }: Shown & { freeze: AdminFreeze }) {
  const { name, path, mode, scope, actions, includeProtective, times, before, complete } = freeze;
  const isPlain = actions.includes("*") && !includeProtective;
  return (
    <div className={classes.words}>
      <Text fw={600} component="h3">
        <bdi>{name}</bdi>
        <ObservedMark mode={mode} />
      </Text>
      <Text size="sm">{describeState(freeze, { now, zone })}</Text>
      <Text size="sm" c="dimmed">
        <span title={quoteTimes(freeze)}>{capital(describeTimes(freeze))}</span>, <bdi>{describeScope(scope)}</bdi>.{" "}
        {!isPlain && `Stops ${describeActions({ actions, includeProtective })}. `}
        <ConfigPath path={path} />
      </Text>
      {times.length > 0 && freeze.now?.to !== null && (
        <details className={admin.later}>
          <summary>
            {times.length === 1 ? "Once" : `${times.length} times`} this week{complete ? "" : ", and more"}
          </summary>
          <ul className={admin.reasons}>
            {times.slice(0, 100).map(({ from, to }) => (
              <li key={from}>
                {formatZoned(from, zone)} to {formatZoned(to, zone)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {[
        ...listBefore(before, { ...week, zone }),
        ...(times.length + before.length === 0 ? ["Not this week."] : []),
      ].map((words) => (
        <Text key={words} size="sm" c="dimmed">
          {words}
        </Text>
      ))}
    </div>
  );
}

type TrackProps = Shown & { freeze: AdminFreeze; broken: AdminFreezes["broken"] };

/** Draws the times of a freeze. Its words say the same, so screen readers skip this. */
function Track({ freeze, broken, week, zone, now }: TrackProps) {
  const current = placeAt(now, week);
  return (
    <div className={classes.track} aria-hidden="true">
      <Days week={week}>{(day) => <div key={day} className={classes.day} />}</Days>
      {listBars(freeze, { week, zone }).map(({ part, words, ...look }) => (
        <div
          key={`${part.from} ${words}`}
          className={classes.bar}
          {...look}
          title={`${freeze.name}: ${words}`}
          style={{ left: percent(part.from), width: percent(part.to - part.from) }}
        >
          {part.to - part.from >= roomy && words}
        </div>
      ))}
      {current !== undefined && <div className={classes.now} style={{ left: percent(current) }} />}
      {broken.map(({ seq, at, person }) => {
        const place = placeAt(Date.parse(at), week);
        if (place === undefined) return null;
        return (
          <Link
            key={seq}
            href={auditHref(seq)}
            tabIndex={-1}
            className={classes.broken}
            title={`${person} broke ${freeze.name}`}
            style={{ left: percent(place) }}
          >
            <IconFlame size={14} />
          </Link>
        );
      })}
    </div>
  );
}

/** The share of the week from which a bar has room for its words. */
const roomy = 0.3;

type Bar = {
  part: WeekPart;
  words: string;
  "data-all"?: true | undefined;
  "data-open"?: true | undefined;
  "data-observed"?: true | undefined;
  "data-before"?: true;
};

/** Lists the bars of a freeze: its times as they were enforced then, and apart from them those before it was known. */
export function listBars(
  {
    times,
    before,
    outside,
    includeProtective,
  }: Pick<AdminFreeze, "times" | "before" | "outside" | "includeProtective">,
  { week, zone }: { week: Week; zone: string },
): Bar[] {
  const place = ({ from, to }: { from: string; to: string }) =>
    placeInWeek({ fromMs: Date.parse(from), toMs: Date.parse(to) }, week);
  const known = times.flatMap((time): Bar[] => {
    const part = place(time);
    if (part === undefined) return [];
    const isObserved = time.mode === "observe";
    return [
      {
        ...{ part, words: `${outside ? "open" : "frozen"}${isObserved ? " (observed)" : ""}` },
        "data-observed": isObserved || undefined,
        "data-open": outside || undefined,
        "data-all": (includeProtective && !outside) || undefined,
      },
    ];
  });
  const unknown = before.flatMap((time): Bar[] => {
    const part = place(time);
    const [words = ""] = listBefore([time], { ...week, zone });
    return part === undefined ? [] : [{ part, words, "data-before": true }];
  });
  return [...unknown, ...known];
}

/** Places a moment in the week, from 0 to 1; undefined outside of it. */
function placeAt(atMs: number, week: Week): number | undefined {
  if (atMs < (week.starts[0] ?? week.ends)) return undefined;
  return placeInWeek({ fromMs: atMs, toMs: week.ends }, week)?.from;
}

function percent(share: number): string {
  return `${share * 100}%`;
}
