import { budgetError } from "./errors.ts";

/** expr's own limit on the number of nodes (conf.DefaultMaxNodes). */
export const maxNodes = 10_000;

/** Our own limits, far above those of any real condition; upstream has none. */
export const maxSourceLength = 100_000;
export const maxHeight = 300;

export function tooDeep(): Error {
  return budgetError(`expression is nested deeper than ${maxHeight} levels`);
}
