import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/admin/admin.module.css";
import { ConfigPath, ObservedMark } from "#components/admin/admin-frame.tsx";
import { describeActions } from "#components/admin/describe-policy.ts";
import { formatRelative } from "#components/ui/format-time.ts";
import { Section } from "#components/ui/section.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AdminFreeze, BrokenFreeze } from "#lib/contract/admin.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";

type FreezeListProps = { freezes: readonly AdminFreeze[]; now: number; zone: string };

/** Lists the freezes with their times, actions and scopes; the calendar's alternative in words. */
export function FreezeList({ freezes, now, zone }: FreezeListProps) {
  return (
    <Section id="freezes" title="Freezes">
      <ul className={classes.cards} aria-labelledby="freezes">
        {freezes.map((freeze) => (
          <li key={freeze.path} className={classes.card}>
            <Freeze freeze={freeze} now={now} zone={zone} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Freeze({ freeze, now, zone }: { freeze: AdminFreeze; now: number; zone: string }) {
  const { name, path, mode, scope, actions, includeProtective, outside } = freeze;
  const { start, timeZone, duration, times, before, complete } = freeze;
  return (
    <>
      <Text fw={600} component="h3">
        <bdi>{name}</bdi>
        <ObservedMark mode={mode} />
      </Text>
      <Text size="sm">{describeState(freeze, { now, zone })}</Text>
      <Text size="sm" c="dimmed">
        {mode === "observe" ? "Would stop" : "Stops"} {describeActions({ actions, includeProtective })}{" "}
        {describeScope(scope)}
        {outside && " unless this or another release window for them is open"} · starts <code>{start}</code> ({timeZone}
        ), lasts {duration} · <ConfigPath path={path} />
      </Text>
      {times.length > 0 && freeze.now?.to !== null && (
        <details className={classes.later}>
          <summary>
            {times.length === 1 ? "Once" : `${times.length} times`} this week{complete ? "" : ", and more"}
          </summary>
          <ul className={classes.reasons}>
            {times.slice(0, 100).map(({ from, to }) => (
              <li key={from}>
                {formatZoned(from, zone)} to {formatZoned(to, zone)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {listBefore(before, zone).map((words) => (
        <Text key={words} size="sm" c="dimmed">
          {words}
        </Text>
      ))}
      {times.length === 0 && before.length === 0 && (
        <Text size="sm" c="dimmed">
          Not this week.
        </Text>
      )}
    </>
  );
}

const beforeWords = { "not-yet": "Not in force yet", unknown: "Not known" } as const;

/** Says in which times the config did not have the freeze yet, or is not known: a line for each reason. */
export function listBefore(before: AdminFreeze["before"], zone: string): string[] {
  return [...Map.groupBy(before, ({ why }) => why)].map(([why, times]) => {
    const [first] = times;
    if (times.length > 1 || first === undefined) return `${beforeWords[why]} at ${times.length} times in this week.`;
    return `${beforeWords[why]} from ${formatZoned(first.from, zone)} to ${formatZoned(first.to, zone)}.`;
  });
}

/** Describes whether a freeze is in force or a release window is open, when that ends, and when it begins next. */
export function describeState(
  freeze: Pick<AdminFreeze, "mode" | "now" | "next" | "outside">,
  { now, zone }: { now: number; zone: string },
): string {
  const at = (time: string) => `${formatZoned(time, zone)} (${formatRelative(Date.parse(time), now)})`;
  const { now: current, next } = freeze;
  const again =
    next === null ? "" : ` Next: ${at(next.from)}${next.to === null ? "" : ` to ${formatZoned(next.to, zone)}`}.`;
  if (freeze.outside) {
    if (current === null) return next === null ? "Closed, and will not open again." : `Closed.${again}`;
    return current.to === null ? "Always open." : `Open until ${at(current.to)}.${again}`;
  }
  if (current === null) return next === null ? "Not in force, and will not start again." : `Not in force.${again}`;
  return current.to === null
    ? "Always active: the windows run back to back."
    : `${freeze.mode === "observe" ? "Would be in force" : "In force"} until ${at(current.to)}.${again}`;
}

type BrokenListProps = { broken: readonly BrokenFreeze[]; allBroken: boolean; zone: string };

/** Lists who acted despite a freeze in the shown week. */
export function BrokenList({ broken, allBroken, zone }: BrokenListProps) {
  return (
    <Section id="broken" title="Break-glass this week">
      {broken.length === 0 ? (
        <Text size="sm" c="dimmed">
          No freeze was overridden.
        </Text>
      ) : (
        <ul className={classes.reasons} aria-labelledby="broken">
          {broken.map(({ seq, at, sentence }) => (
            <li key={seq}>
              {formatZoned(at, zone)}{" "}
              <Anchor component={Link} href={auditHref(seq)} inherit>
                <bdi>{sentence}</bdi>
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {!allBroken && (
        <Text size="sm" c="dimmed">
          The audit log has the others.
        </Text>
      )}
    </Section>
  );
}

/** Formats a time by the clock of a zone, such as `Fri 20 Nov, 18:00`. */
function formatZoned(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  }).format(new Date(at));
}
