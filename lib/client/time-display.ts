import { createStoredChoice, type Shelf } from "#lib/client/stored-choice.ts";

/** Keeps the IANA zone in which this browser shows times; undefined for the browser's own. */
export function createTimeZoneChoice(shelf: Shelf) {
  return createStoredChoice<string | undefined>({
    key: "gatehouse.time-zone",
    shelf,
    parse: (zone) => (zone !== null && isTimeZone(zone) ? zone : undefined),
    format: (zone) => zone,
  });
}

export const timeZoneChoice = createTimeZoneChoice(() => window.localStorage);

let own: string | undefined;

/** Returns the browser's own zone. */
export function ownTimeZone(): string {
  own ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return own;
}

/** Returns the zone in which times are shown now. */
export function shownTimeZone(): string {
  return timeZoneChoice.get() ?? ownTimeZone();
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** `ago`: "14 min ago"; `clock`: "20:49:11". */
export type TimeForm = "ago" | "clock";

/** Keeps in which form this browser shows the times of lists. */
export function createTimeFormChoice(shelf: Shelf) {
  return createStoredChoice<TimeForm>({
    key: "gatehouse.times",
    shelf,
    parse: (text) => (text === "clock" ? "clock" : "ago"),
    format: (form) => (form === "ago" ? undefined : form),
  });
}

export const timeFormChoice = createTimeFormChoice(() => window.localStorage);
