const key = "gatehouse.time-zone";

type TimeZoneChoice = {
  /** Returns the chosen IANA zone; undefined for the browser's own. */
  get(): string | undefined;
  set(zone: string | undefined): void;
  subscribe(listener: () => void): () => void;
};

/**
 * Keeps the time zone in which this browser shows times. `shelf` returns the browser's local storage, which may be
 * disabled; the choice then lasts until the page is reloaded.
 */
export function createTimeZoneChoice(shelf: () => Pick<Storage, "getItem" | "setItem" | "removeItem">): TimeZoneChoice {
  let kept: { zone: string | undefined } | undefined;
  const listeners = new Set<() => void>();

  function read(): string | undefined {
    try {
      const zone = shelf().getItem(key);
      return zone !== null && isTimeZone(zone) ? zone : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    get() {
      kept ??= { zone: read() };
      return kept.zone;
    },
    set(zone) {
      kept = { zone };
      try {
        if (zone === undefined) shelf().removeItem(key);
        else shelf().setItem(key, zone);
      } catch {
        // Kept until the page is reloaded.
      }
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
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
