/**
 * Incremented whenever the same observations yield other releases or another timeline than before. Each rollout stores
 * the version that derived its rows; the recorder's upkeep rederives those with a lower one.
 */
export const derivationVersion = 7;
