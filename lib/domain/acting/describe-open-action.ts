/**
 * An action that was sent, or may have been, and whose outcome is unknown. `lastHeard`: its row's message; may be
 * empty.
 */
export type OpenAction = { lastHeard: string };

/** Explains why nothing may advance meanwhile, with the latest message: it may say what prevents reading back. */
export function describeOpenAction({ lastHeard }: OpenAction): string {
  const open =
    "An earlier action has no outcome yet: it is in progress, or Gatehouse is reading it back from the cluster.";
  const heard = lastHeard.trim();
  if (heard === "") return open;
  return `${open} Last message: ${/[.!?]$/.test(heard) ? heard : `${heard}.`}`;
}
