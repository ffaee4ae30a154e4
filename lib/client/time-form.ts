const key = "gatehouse.times";

/** `ago`: "14 min ago"; `clock`: "20:49:11". */
export type TimeForm = "ago" | "clock";

type TimeFormChoice = {
  get(): TimeForm;
  set(form: TimeForm): void;
  subscribe(listener: () => void): () => void;
};

/**
 * Keeps in which form this browser shows the times of lists. `shelf` returns the browser's local storage, which may be
 * disabled; the choice then lasts until the page is reloaded.
 */
export function createTimeFormChoice(shelf: () => Pick<Storage, "getItem" | "setItem" | "removeItem">): TimeFormChoice {
  let kept: TimeForm | undefined;
  const listeners = new Set<() => void>();

  function read(): TimeForm {
    try {
      return shelf().getItem(key) === "clock" ? "clock" : "ago";
    } catch {
      return "ago";
    }
  }

  return {
    get() {
      kept ??= read();
      return kept;
    },
    set(form) {
      kept = form;
      try {
        if (form === "ago") shelf().removeItem(key);
        else shelf().setItem(key, form);
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

export const timeFormChoice = createTimeFormChoice(() => window.localStorage);
