import { createZonedFormat } from "#components/ui/zoned-format.ts";

// Written as 20/11/2026, 15:30:00.
const formatWall = createZonedFormat({
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** Formats a UTC time for the time field, in the chosen zone; empty if it is not a time. */
export function toLocalInput(iso: string): string {
  const atMs = Date.parse(iso);
  return iso === "" || Number.isNaN(atMs) ? "" : new Date(atMs + offsetAt(atMs)).toISOString().slice(0, 16);
}

/**
 * Converts a time typed in the chosen zone to UTC, which means the same in every zone. Null if not a time. An hour that
 * the zone skips gives the time an hour later; of an hour that it has twice, the first is taken.
 */
export function fromLocalInput(text: string): string | null {
  const wallMs = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) || Number.isNaN(wallMs)) return null;
  const candidates = [wallMs - day, wallMs + day].map((nearMs) => wallMs - offsetAt(nearMs));
  const exact = candidates.filter((atMs) => atMs + offsetAt(atMs) === wallMs);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString();
}

/** Returns the begin and the end of the calendar month before a time, in the chosen zone. */
export function readLastMonth(nowMs: number): { from: string; to: string } {
  const wall = new Date(nowMs + offsetAt(nowMs));
  const first = (months: number) =>
    new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + months, 1)).toISOString().slice(0, 16);
  return { from: fromLocalInput(first(-1)) ?? "", to: fromLocalInput(first(0)) ?? "" };
}

const day = 86_400_000;

/** Returns by how much the clocks of the chosen zone are ahead of UTC at a time, in milliseconds. */
function offsetAt(atMs: number): number {
  const [, dayOfMonth, month, year, clock] = /^(\d+)\/(\d+)\/(\d+), (.+)$/.exec(formatWall(atMs)) ?? [];
  return Date.parse(`${year}-${month}-${dayOfMonth}T${clock}Z`) - Math.floor(atMs / 1_000) * 1_000;
}
