export type Shelf = () => Pick<Storage, "getItem" | "setItem" | "removeItem">;

export type StoredChoice<Value> = {
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
export function createStoredChoice<Value>({ key, shelf, parse, format }: ChoiceOptions<Value>): StoredChoice<Value> {
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
