import { objectKey } from "./event-log.ts";
import type { KubeObject } from "./store-types.ts";

export type ObjectPlace = { resource: string; key: string };

/** The current objects by resource and key, with the indexes that listing and garbage collection need. */
export class ObjectTable {
  readonly #byResource = new Map<string, Map<string, KubeObject>>();
  readonly #sortedKeys = new Map<string, string[]>();
  readonly #uids = new Set<string>();
  readonly #dependents = new Map<string, Map<string, ObjectPlace>>();

  get(resource: string, key: string): KubeObject | undefined {
    return this.#byResource.get(resource)?.get(key);
  }

  hasUid(uid: string): boolean {
    return this.#uids.has(uid);
  }

  put(place: ObjectPlace, object: KubeObject): void {
    let objects = this.#byResource.get(place.resource);
    if (objects === undefined) {
      objects = new Map();
      this.#byResource.set(place.resource, objects);
    }
    const previous = objects.get(place.key);
    if (previous === undefined) this.#sortedKeys.delete(place.resource);
    else this.#unindex(place, previous);
    objects.set(place.key, object);
    this.#index(place, object);
  }

  remove(place: ObjectPlace): void {
    const objects = this.#byResource.get(place.resource);
    const previous = objects?.get(place.key);
    if (objects === undefined || previous === undefined) return;
    this.#unindex(place, previous);
    objects.delete(place.key);
    this.#sortedKeys.delete(place.resource);
  }

  /** The objects of a resource in the order of their keys, of one namespace or of all. */
  list(resource: string, namespace?: string): KubeObject[] {
    const objects = this.#byResource.get(resource);
    if (objects === undefined) return [];
    const result: KubeObject[] = [];
    const prefix = namespace === undefined ? "" : objectKey(namespace, "");
    for (const key of this.#keysOf(resource, objects)) {
      const object = key.startsWith(prefix) ? objects.get(key) : undefined;
      if (object !== undefined) result.push(object);
    }
    return result;
  }

  /** Where the objects stand that name `uid` as an owner. */
  dependentsOf(uid: string): ObjectPlace[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])];
  }

  resources(): string[] {
    return [...this.#byResource.keys()];
  }

  #keysOf(resource: string, objects: Map<string, KubeObject>): string[] {
    let keys = this.#sortedKeys.get(resource);
    if (keys === undefined) {
      keys = [...objects.keys()].sort();
      this.#sortedKeys.set(resource, keys);
    }
    return keys;
  }

  #index(place: ObjectPlace, object: KubeObject): void {
    this.#uids.add(object.metadata.uid);
    for (const owner of object.metadata.ownerReferences ?? []) {
      let places = this.#dependents.get(owner.uid);
      if (places === undefined) {
        places = new Map();
        this.#dependents.set(owner.uid, places);
      }
      places.set(`${place.resource} ${place.key}`, place);
    }
  }

  #unindex(place: ObjectPlace, object: KubeObject): void {
    this.#uids.delete(object.metadata.uid);
    for (const owner of object.metadata.ownerReferences ?? []) {
      const places = this.#dependents.get(owner.uid);
      places?.delete(`${place.resource} ${place.key}`);
      if (places?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}
