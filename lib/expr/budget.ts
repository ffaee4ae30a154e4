import { budgetError, runtimeError } from "./errors.ts";

/** expr's own limit of elements that one evaluation may create (conf.DefaultMemoryBudget). */
const memoryLimit = 1_000_000;
const stepLimit = 200_000;
const textLimit = 1_000_000;

/**
 * What one evaluation may still use. Steps are ours: a step is about as much work as one operation, or as 32 characters
 * of a text; the limit keeps an evaluation below 50 ms. Work is booked before it is done, and everything that is done
 * takes a time that grows with what was booked, never faster. Memory counts list elements as upstream does.
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

  /** Books the elements of a new list, with upstream's error when there are too many. */
  allocate(elements: number): void {
    this.#memory += elements;
    if (this.#memory >= memoryLimit) throw runtimeError("memory budget exceeded");
    this.spend(elements >> 1);
  }

  /** Books characters that are looked at or copied. */
  read(length: number): void {
    this.spend(length >> 5);
  }

  /** Books a new text. */
  text(length: number): void {
    this.bound(length);
    this.read(length);
  }

  /** Refuses a text that is longer than any may be. */
  bound(length: number): void {
    if (length > textLimit) throw budgetError(`text is longer than ${textLimit} characters`);
  }
}
