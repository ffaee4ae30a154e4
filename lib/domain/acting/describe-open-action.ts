/**
 * An action that was sent, or may have been, and whose outcome is not known. `lastHeard`: its row's words; may be
 * empty.
 */
export type OpenAction = { lastHeard: string };

/**
 * Why nothing may advance meanwhile, with the last that was heard: it may say what stands in the way of reading back.
 */
export function describeOpenAction({ lastHeard }: OpenAction): string {
  const open = "An earlier action has no outcome yet: it is under way, or is being read back from the cluster.";
  const heard = lastHeard.trim();
  if (heard === "") return open;
  return `${open} Last heard: ${/[.!?]$/.test(heard) ? heard : `${heard}.`}`;
}
