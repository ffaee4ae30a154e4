import { createStoredChoice, type Shelf } from "#lib/client/stored-choice.ts";

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
