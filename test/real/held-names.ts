/** The config of the stories' recorder holds rollouts of these names. */
export const heldNames = "held-*";
