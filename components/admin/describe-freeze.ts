import type { Week } from "#components/admin/prepare-week.ts";
import { formatRelative } from "#components/ui/format-time.ts";
import type { AdminFreeze } from "#lib/contract/admin.ts";
import type { Freeze } from "#lib/contract/freeze.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";
import { formatCountOf } from "#lib/util/words.ts";

type Clock = { now: number; zone: string };
type Shown = Pick<AdminFreeze, "name" | "mode" | "scope" | "outside" | "now" | "next">;
type Made = Pick<Freeze, "scope" | "startsAt" | "endsAt" | "inForce">;

/** Freezes that a sentence names; the rows below it have the others. */
const mostNamed = 3;

/**
 * Describes what is frozen now, and what changes next. `made`: the one-off freezes of people; undefined while they are
 * unknown.
 */
export function describeNow(freezes: readonly Shown[], made: readonly Made[] | undefined, clock: Clock): string {
  const enforced = freezes.filter(({ mode }) => mode === "enforce");
  const active = [
    ...enforced.filter(({ now, outside }) => now !== null && !outside).map(nameFreeze),
    ...(made ?? []).filter(({ inForce }) => inForce).map(({ scope }) => nameFreeze({ name: "one-off", scope })),
  ];
  const closed = enforced.filter(({ now, outside }) => now === null && outside).map(nameFreeze);
  const none = made === undefined ? "No freeze of the config is active now." : "Nothing is frozen now.";
  return [
    active.length > 0 && `${formatCountOf(active.length, "freeze")} ${areActive(active)} now: ${nameSome(active)}.`,
    closed.length > 0 && `${formatCountOf(closed.length, "release window")} ${areClosed(closed)}: ${nameSome(closed)}.`,
    active.length + closed.length === 0 && none,
    `Next change: ${describeNext(enforced, made ?? [], clock)}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(" ");
}

function areActive({ length }: readonly string[]): string {
  return length === 1 ? "is active" : "are active";
}

function areClosed({ length }: readonly string[]): string {
  return length === 1 ? "is closed" : "are closed";
}

function nameFreeze({ name, scope }: Pick<Shown, "name" | "scope">): string {
  return `${name}, ${describeScope(scope)}`;
}

function nameSome(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
}

/** Describes the start or end that comes next: "weekend starts Fri 27 Nov, 18:00 (in 4 h), until Mon 30 Nov, 08:00". */
function describeNext(freezes: readonly Shown[], made: readonly Made[], { now, zone }: Clock): string {
  const changes = [
    ...freezes.flatMap(({ name, outside, now: current, next }) => [
      ...(current === null || current.to === null
        ? []
        : [{ at: current.to, until: null, words: `${name} ${outside ? "closes" : "ends"}` }]),
      ...(next === null ? [] : [{ at: next.from, until: next.to, words: `${name} ${outside ? "opens" : "starts"}` }]),
    ]),
    ...made.map(({ inForce, startsAt, endsAt }) =>
      inForce
        ? { at: endsAt, until: null, words: "the one-off freeze ends" }
        : { at: startsAt, until: endsAt, words: "a one-off freeze starts" },
    ),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const [first] = changes;
  if (first === undefined) return "none";
  const until = first.until === null ? "" : `, until ${formatZoned(first.until, zone)}`;
  return `${first.words} ${formatZoned(first.at, zone)} (${formatRelative(Date.parse(first.at), now)})${until}`;
}

const beforeWords = { "not-yet": "Not in the config", unknown: "Not recorded" } as const;

/** Names the times before the config had the freeze, and those that were not recorded: a line for each reason. */
export function listBefore(
  before: AdminFreeze["before"],
  { starts, zone }: Pick<Week, "starts"> & { zone: string },
): string[] {
  return [...Map.groupBy(before, ({ why }) => why)].map(([why, times]) => {
    const [first] = times;
    if (times.length > 1 || first === undefined) return `${beforeWords[why]} at ${times.length} times in this week.`;
    const isFromStart = Date.parse(first.from) <= (starts[0] ?? 0);
    const until = isFromStart ? "before" : `from ${formatZoned(first.from, zone)} to`;
    return `${beforeWords[why]} ${until} ${formatZoned(first.to, zone)}.`;
  });
}

/** Describes whether a freeze is in force or a release window is open, when that ends, and when it begins next. */
export function describeState(freeze: Pick<AdminFreeze, "mode" | "now" | "next" | "outside">, clock: Clock): string {
  const { now, zone } = clock;
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

/** Formats a time by the clock of a zone, such as `Fri 20 Nov, 18:00`. */
export function formatZoned(at: string, timeZone: string): string {
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
