import type { FlaggerMessage, MessageKind } from "./flagger-message.ts";

const chatty: readonly MessageKind[] = ["suspended", "rollback-hook-idle", "gate-waiting", "analysis-tick-zero"];

/** Returns whether Flagger may repeat a message every interval without news. A timeline shows repetitions as one. */
export function isChatty({ kind }: Pick<FlaggerMessage, "kind">): boolean {
  return chatty.includes(kind);
}
