import type { Source, SourceHold } from "#lib/contract/system.ts";

/** Formats a count with its kind: "1 Rollout", "12 Rollouts". */
export function heldWords(kind: string, count: number): string {
  return `${count} ${kind}${count === 1 ? "" : "s"}`;
}

/** Describes the effect of confirming that held objects are gone, for the person who is about to do it. */
export function releaseEffect(kind: string, { count }: Pick<SourceHold, "count">): string {
  const [are, they, their, is] = count === 1 ? ["is", "it", "its", "is"] : ["are", "they", "their", "are"];
  const leaves = count === 1 ? "leaves" : "leave";
  return `${heldWords(kind, count)} ${are} no longer shown by the cluster and not believed to be gone. Released, ${they} ${is} marked as gone at once: ${they} ${leaves} the inbox and the lists, and nothing can be done to ${count === 1 ? "it" : "them"}. All ${their} history stays, and what the cluster shows again is taken up again.`;
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
      words: `${released} were released; meanwhile ${hold.count} more vanished, and these are held.`,
    };
  if (state === "live") return { isDone: true, words: `Done: ${released} marked gone, and the source is live again.` };
  return { isDone: false, words: `${released} marked gone. Waiting for the source to be live again.` };
}
