import { shownTimeZone } from "#lib/client/time-display.ts";

/** Creates a function that formats times in the zone that the person chose, also if the choice changes later. */
export function createZonedFormat(options: Intl.DateTimeFormatOptions): (at: Date | number) => string {
  let made: { zone: string; format: Intl.DateTimeFormat } | undefined;
  return (at) => {
    const zone = shownTimeZone();
    if (made?.zone !== zone) {
      made = { zone, format: new Intl.DateTimeFormat("en-GB", { hourCycle: "h23", ...options, timeZone: zone }) };
    }
    return made.format.format(at);
  };
}
