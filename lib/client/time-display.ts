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

type Shelf = () => Pick<Storage, "getItem" | "setItem" | "removeItem">;

type StoredChoice<Value> = {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
};

type ChoiceOptions<Value> = {
  key: string;
  /** The browser's local storage, which may be disabled: the choice then lasts until the page is reloaded. */
  shelf: Shelf;
  /** Reads a stored text; null if nothing is stored. */
  parse: (text: string | null) => Value;
  /** Undefined for the default, which is not stored. */
  format: (value: Value) => string | undefined;
};

/** Keeps a choice in this browser. */
function createStoredChoice<Value>({ key, shelf, parse, format }: ChoiceOptions<Value>): StoredChoice<Value> {
  let kept: { value: Value } | undefined;
  const listeners = new Set<() => void>();

  function read(): Value {
    try {
      return parse(shelf().getItem(key));
    } catch {
      return parse(null);
    }
  }

  return {
    get() {
      kept ??= { value: read() };
      return kept.value;
    },
    set(value) {
      kept = { value };
      const text = format(value);
      try {
        if (text === undefined) shelf().removeItem(key);
        else shelf().setItem(key, text);
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
