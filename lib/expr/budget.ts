import { budgetError, runtimeError } from "./errors.ts";

/** expr's own limit on the elements that one evaluation may create (conf.DefaultMemoryBudget). */
const memoryLimit = 1_000_000;
const stepLimit = 200_000;
const textLimit = 1_000_000;

/**
 * The steps and memory that one evaluation may use. Steps are our own unit: about the work of one operation, or of 32
 * characters of text; the limit keeps an evaluation below 50 ms. Invariant: work is charged before it is done, and its
 * running time grows no faster than the charge. Memory counts list elements as upstream does.
 */
export class Budget {
  #steps = stepLimit;
  #memory = 0;

  /** Steps taken so far. */
  get spent(): number {
    return stepLimit - this.#steps;
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw budgetError("evaluation takes too many steps");
  }

  /** Charges the elements of a new list; throws upstream's error if there are too many. */
  allocate(elements: number): void {
    this.#memory += elements;
    if (this.#memory >= memoryLimit) throw runtimeError("memory budget exceeded");
    this.spend(elements >> 1);
  }

  /** Charges characters that are read or copied. */
  read(length: number): void {
    this.spend(length >> 5);
  }

  /** Charges a new text. */
  text(length: number): void {
    this.bound(length);
    this.read(length);
  }

  /** Refuses a text above the maximum length. */
  bound(length: number): void {
    if (length > textLimit) throw budgetError(`text is longer than ${textLimit} characters`);
  }
}

/** expr's own limit on the number of nodes (conf.DefaultMaxNodes). */
export const maxNodes = 10_000;

/** Our own limits, far above those of any real condition; upstream has none. */
export const maxSourceLength = 100_000;
export const maxHeight = 300;

export function tooDeep(): Error {
  return budgetError(`expression is nested deeper than ${maxHeight} levels`);
}
