import type { InboxItem } from "#lib/contract/inbox.ts";

type Handled = Pick<InboxItem, "answer">;

/**
 * Describes the folded rows at the end of the inbox: "3 snoozed, 2 acknowledged, 1 aborted on purpose"; undefined
 * without rows. `isCut`: there are more answered rows than those loaded.
 */
export function describeHandled({
  snoozed,
  answered,
  isCut,
}: {
  snoozed: number;
  answered: readonly Handled[];
  isCut: boolean;
}): string | undefined {
  const acknowledged = answered.filter(({ answer }) => answer?.kind === "acknowledged").length;
  const aborted = answered.length - acknowledged;
  const parts = [
    snoozed > 0 ? `${snoozed} snoozed` : undefined,
    acknowledged > 0 ? `${acknowledged} acknowledged` : undefined,
    aborted > 0 ? `${aborted} aborted on purpose` : undefined,
    isCut ? "and more" : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}
