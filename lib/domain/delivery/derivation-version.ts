/**
 * Goes up by one whenever the same observations give other releases or another timeline than before. Each rollout
 * carries the version that its rows were derived with; those with a lower one are derived again by the recorder's
 * upkeep.
 */
export const derivationVersion = 4;
