import { useSyncExternalStore } from "react";
import { type TimeForm, timeFormChoice } from "#lib/client/time-display.ts";

/** Returns in which form this browser shows times; on the server, as most people have it. */
export function useTimeForm(): TimeForm {
  return useSyncExternalStore(timeFormChoice.subscribe, timeFormChoice.get, () => "ago");
}
