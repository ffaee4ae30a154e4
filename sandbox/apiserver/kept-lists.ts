import type { KubeObject } from "./store-types.ts";

/** A list as it was at a resourceVersion. */
export type KeptList = {
  resource: string;
  namespace: string | undefined;
  rv: number;
  objects: readonly KubeObject[];
};

const MAX_KEPT = 8;

/** The lists that later pages are cut from; the least recently used ones are dropped first. */
export class KeptLists {
  readonly #lists = new Map<string, readonly KubeObject[]>();

  find(at: Omit<KeptList, "objects">): readonly KubeObject[] | undefined {
    return this.#lists.get(keyOf(at));
  }

  keep(list: KeptList): void {
    // Re-inserted, so that the list moves behind those that were not used since.
    this.#lists.delete(keyOf(list));
    this.#lists.set(keyOf(list), list.objects);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MAX_KEPT && oldest !== undefined) this.#lists.delete(oldest);
  }

  clear(): void {
    this.#lists.clear();
  }
}

function keyOf({ resource, namespace, rv }: Omit<KeptList, "objects">): string {
  return `${resource} ${namespace ?? ""} ${rv}`;
}
