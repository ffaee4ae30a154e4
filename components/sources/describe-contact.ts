import { formatRelative } from "#components/ui/format-time.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { Source } from "#lib/contract/system.ts";

type Contacts = Pick<Source, "watchContact" | "readContact">;

/** Describes the two contacts that set the age of a source: "watch 2 s ago, read 14 s ago". */
export function describeContacts({ watchContact, readContact }: Contacts, nowMs: number): string {
  const part = (what: string, at: string | null) =>
    at === null ? `${what} never` : `${what} ${formatRelative(Date.parse(at), nowMs)}`;
  return `${part("watch", watchContact)}, ${part("read", readContact)}`;
}

/** A smaller clock difference is just network delay. */
const worthSayingSeconds = 2;

/** Describes a clock difference; undefined if small or unknown. */
export function describeClock(seconds: number | null): string | undefined {
  if (seconds === null || Math.abs(seconds) <= worthSayingSeconds) return undefined;
  return `its clock is ${formatDuration(Math.abs(seconds) * 1000)} ${seconds > 0 ? "ahead" : "behind"}`;
}
