import { budgetError, runtimeError } from "./errors.ts";

/** expr's own limit of elements that one evaluation may create (conf.DefaultMemoryBudget). */
const memoryLimit = 1_000_000;
const stepLimit = 200_000;
const textLimit = 1_000_000;

/**
 * What one evaluation may still use. Steps are ours: a step is about as much work as one operation, the limit keeps an
 * evaluation below 50 ms. Memory counts list elements as upstream does.
 */
export class Budget {
  #steps = stepLimit;
  #memory = 0;

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw budgetError("evaluation takes too many steps");
  }

  /** Books the elements of a new list, with upstream's error when there are too many. */
  allocate(elements: number): void {
    this.#memory += elements;
    if (this.#memory >= memoryLimit) throw runtimeError("memory budget exceeded");
    this.spend(elements >> 1);
  }

  /** Books a new text. */
  text(length: number): void {
    if (length > textLimit) throw budgetError(`text is longer than ${textLimit} characters`);
    this.spend(length >> 5);
  }
}
