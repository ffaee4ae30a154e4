import { formatDuration, formatRelative } from "#components/ui/format-time.ts";
import type { Source } from "#lib/contract/system.ts";

type Contacts = Pick<Source, "watchContact" | "readContact">;

/** The newer of both signs of life: when something was heard last. Null where nothing ever was. */
export function latestContact({ watchContact, readContact }: Contacts): string | null {
  if (watchContact === null || readContact === null) return watchContact ?? readContact;
  return Date.parse(watchContact) > Date.parse(readContact) ? watchContact : readContact;
}

/** "watch 2 s ago, read 14 s ago": what the age of a source is made of. */
export function describeContacts({ watchContact, readContact }: Contacts, nowMs: number): string {
  const part = (what: string, at: string | null) =>
    at === null ? `${what} never` : `${what} ${formatRelative(Date.parse(at), nowMs)}`;
  return `${part("watch", watchContact)}, ${part("read", readContact)}`;
}

/** Below this a difference of clocks is the network's delay. */
const worthSayingSeconds = 2;

/** A difference of clocks in words; undefined where it is small or not known. */
export function describeClock(seconds: number | null): string | undefined {
  if (seconds === null || Math.abs(seconds) <= worthSayingSeconds) return undefined;
  return `its clock is ${formatDuration(Math.abs(seconds) * 1000)} ${seconds > 0 ? "ahead" : "behind"}`;
}
