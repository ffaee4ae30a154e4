import type { WaitHandling } from "#lib/contract/wait-handling.ts";

export type SnoozeLimits = NonNullable<WaitHandling["maySnooze"]>;
export type SnoozeChoice = "15min" | "1h" | "morning" | "change" | "time";

export type OfferedChoice = {
  value: SnoozeChoice;
  label: string;
  /** Why it cannot be chosen. */
  obstacle?: string;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const morningHour = 9;

/** Returns the next nine o'clock by the person's own clock. */
export function nextMorning(nowMs: number): Date {
  const date = new Date(nowMs);
  date.setHours(morningHour, 0, 0, 0);
  if (date.getTime() <= nowMs) date.setDate(date.getDate() + 1);
  return date;
}

/** Lists how long a wait may be put off. A choice that the server would refuse says why. */
export function listSnoozeChoices(nowMs: number, { maxHours, untilChange }: SnoozeLimits): OfferedChoice[] {
  const morning = nextMorning(nowMs);
  const day = morning.getDate() === new Date(nowMs).getDate() ? "today" : "tomorrow";
  const isTooFar = morning.getTime() - nowMs > maxHours * hourMs;
  return [
    { value: "15min", label: "For 15 minutes" },
    { value: "1h", label: "For an hour" },
    {
      value: "morning",
      label: `Until 9:00 ${day}`,
      ...(isTooFar ? { obstacle: `A snooze lasts at most ${maxHours} h.` } : {}),
    },
    {
      value: "change",
      label: "Until it changes",
      ...(untilChange ? {} : { obstacle: "Critical and Inconclusive rollouts need a time." }),
    },
    { value: "time", label: "Until another time" },
  ];
}

/**
 * Returns when the row comes back: null when it changes, undefined if the typed time is missing or out of bounds.
 * `typed` is ISO 8601.
 */
export function untilOf(
  choice: SnoozeChoice,
  { nowMs, typed, maxHours }: { nowMs: number; typed: string | null; maxHours: number },
): string | null | undefined {
  switch (choice) {
    case "15min":
      return new Date(nowMs + 15 * minuteMs).toISOString();
    case "1h":
      return new Date(nowMs + hourMs).toISOString();
    case "morning":
      return nextMorning(nowMs).toISOString();
    case "change":
      return null;
    case "time": {
      const at = typed === null ? Number.NaN : Date.parse(typed);
      return at > nowMs && at <= nowMs + maxHours * hourMs ? new Date(at).toISOString() : undefined;
    }
  }
}
