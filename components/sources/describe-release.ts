import type { Source, SourceHold } from "#lib/contract/system.ts";

/** Formats a count with its kind: "1 Rollout", "12 Rollouts". */
export function heldWords(kind: string, count: number): string {
  return `${count} ${kind}${count === 1 ? "" : "s"}`;
}

/** Describes the effect of confirming that held objects are gone, for the person who is about to do it. */
export function releaseEffect(kind: string, { count }: Pick<SourceHold, "count">): string {
  const [them, they, their, leave] = count === 1 ? ["it", "it", "Its", "leaves"] : ["them", "they", "Their", "leave"];
  return `The cluster no longer shows ${heldWords(kind, count)}, but Gatehouse has not marked ${them} gone. Releasing marks ${them} gone at once: ${they} ${leave} the inbox and the lists, and all actions on ${them} are off. ${their} history stays. Gatehouse resumes with any object that the cluster shows again.`;
}

/** Returns how far such a confirmation has got, from the current source. */
export function followRelease(
  { hold, state }: Pick<Source, "hold" | "state">,
  released: string,
): {
  isDone: boolean;
  words: string;
} {
  if (hold?.releasing === true)
    return { isDone: false, words: `Released. Waiting for the recorder to mark ${released} gone.` };
  if (hold !== null)
    return {
      isDone: true,
      words: `${released} released. Meanwhile ${hold.count} more vanished and are held.`,
    };
  if (state === "live") return { isDone: true, words: `Done: ${released} marked gone, and the source is live again.` };
  return { isDone: false, words: `${released} marked gone. Waiting for the source to be live again.` };
}
