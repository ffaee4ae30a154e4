import { objectKey } from "./event-log.ts";
import type { KubeObject } from "./store-types.ts";

export type ObjectPlace = { resource: string; key: string };

/** The objects of one namespace, or those without one; their keys are sorted by the first list request. */
type Bucket = { objects: Map<string, KubeObject>; keys: string[] | undefined };

/** The current objects by resource and key, with the indexes that listing and garbage collection need. */
export class ObjectTable {
  readonly #byResource = new Map<string, Map<string, Bucket>>();
  readonly #uids = new Set<string>();
  readonly #dependents = new Map<string, Map<string, ObjectPlace>>();

  get(resource: string, key: string): KubeObject | undefined {
    return this.#byResource.get(resource)?.get(bucketOf(key))?.objects.get(key);
  }

  hasUid(uid: string): boolean {
    return this.#uids.has(uid);
  }

  put(place: ObjectPlace, object: KubeObject): void {
    const bucket = this.#bucketAt(place);
    const previous = bucket.objects.get(place.key);
    if (previous === undefined) insertKey(bucket.keys, place.key);
    else this.#unindex(place, previous);
    bucket.objects.set(place.key, object);
    this.#index(place, object);
  }

  remove(place: ObjectPlace): void {
    const buckets = this.#byResource.get(place.resource);
    const bucket = buckets?.get(bucketOf(place.key));
    const previous = bucket?.objects.get(place.key);
    if (bucket === undefined || previous === undefined) return;
    this.#unindex(place, previous);
    bucket.objects.delete(place.key);
    removeKey(bucket.keys, place.key);
    if (bucket.objects.size === 0) buckets?.delete(bucketOf(place.key));
  }

  /** Returns the objects of a resource in key order, of one namespace or of all. */
  list(resource: string, namespace?: string): KubeObject[] {
    const buckets = this.#byResource.get(resource);
    if (buckets === undefined) return [];
    const names = namespace === undefined ? [...buckets.keys()].sort() : [objectKey(namespace, "")];
    const result: KubeObject[] = [];
    for (const name of names) {
      const bucket = buckets.get(name);
      if (bucket === undefined) continue;
      bucket.keys ??= [...bucket.objects.keys()].sort();
      for (const key of bucket.keys) {
        const object = bucket.objects.get(key);
        if (object !== undefined) result.push(object);
      }
    }
    return result;
  }

  /** Returns the locations of the objects that name `uid` as an owner. */
  dependentsOf(uid: string): ObjectPlace[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])];
  }

  resources(): string[] {
    return [...this.#byResource.keys()];
  }

  #bucketAt(place: ObjectPlace): Bucket {
    let buckets = this.#byResource.get(place.resource);
    if (buckets === undefined) {
      buckets = new Map();
      this.#byResource.set(place.resource, buckets);
    }
    const name = bucketOf(place.key);
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = { objects: new Map(), keys: undefined };
      buckets.set(name, bucket);
    }
    return bucket;
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

/** Returns "namespace/" of a key, with its slash so that buckets sort as the whole keys do; "" without a namespace. */
function bucketOf(key: string): string {
  return key.slice(0, key.indexOf("/") + 1);
}

function insertKey(keys: string[] | undefined, key: string): void {
  if (keys !== undefined) keys.splice(positionOf(keys, key), 0, key);
}

function removeKey(keys: string[] | undefined, key: string): void {
  if (keys === undefined) return;
  const at = positionOf(keys, key);
  if (keys[at] === key) keys.splice(at, 1);
}

function positionOf(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
