export type EndChoice = "1h" | "4h" | "morning" | "time";

const hourMs = 3_600_000;
const morningHour = 9;

export const endChoices: readonly { value: EndChoice; label: string }[] = [
  { value: "1h", label: "For an hour" },
  { value: "4h", label: "For four hours" },
  { value: "morning", label: "Until tomorrow, 9:00" },
  { value: "time", label: "Until another time" },
];

export const extendChoices: typeof endChoices = [
  { value: "1h", label: "By an hour" },
  { value: "4h", label: "By four hours" },
  ...endChoices.slice(2),
];

/**
 * Returns when a freeze ends; undefined if the typed time is missing, past, or further away than `maxDays`. `typed` is
 * ISO 8601. Tomorrow is that of the person's own clock.
 */
export function endOf(
  choice: EndChoice,
  {
    nowMs,
    fromMs = nowMs,
    typed,
    maxDays,
  }: { nowMs: number /** Hours count from here. */; fromMs?: number; typed: string | null; maxDays: number },
): string | undefined {
  if (choice === "1h" || choice === "4h") return minuteAfter(fromMs + (choice === "1h" ? 1 : 4) * hourMs);
  if (choice === "morning") {
    const morning = new Date(nowMs);
    morning.setDate(morning.getDate() + 1);
    morning.setHours(morningHour, 0, 0, 0);
    return morning.toISOString();
  }
  const at = typed === null ? Number.NaN : Date.parse(typed);
  return at > nowMs && at <= nowMs + maxDays * 24 * hourMs ? new Date(at).toISOString() : undefined;
}

/** Ends at a whole minute, which is what people say. */
function minuteAfter(atMs: number): string {
  return new Date(Math.ceil(atMs / 60_000) * 60_000).toISOString();
}

/** Splits a line of patterns at commas and spaces. An empty line means everything. */
export function splitPatterns(text: string): string[] {
  const patterns = text.split(/[\s,]+/).filter((pattern) => pattern !== "");
  return patterns.length === 0 ? ["*"] : patterns;
}
