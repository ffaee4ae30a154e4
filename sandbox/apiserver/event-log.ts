import type { KubeObject, StoreEvent } from "./store-types.ts";

/** A stored change with its resourceVersion; `lines` caches its wire formats for all watchers. */
export type LoggedEvent = StoreEvent & { rv: number; atMs: number; lines: Map<string, Buffer> };

/** Wire formats older than this many events are dropped: live watchers have received them. */
const KEPT_LINES = 256;
/** Older events are dropped, as in etcd's history. */
const MAX_AGE_MS = 5 * 60_000;
/** Ages are checked once per this many events. */
const AGE_CHECK = 256;

/** The bounded history of changes, from which watches resume and consistent lists are made. */
export class EventLog {
  #events: LoggedEvent[] = [];
  #floor: number;
  readonly #limit: number;

  constructor(options: { limit: number; floor: number }) {
    this.#limit = options.limit;
    this.#floor = options.floor;
  }

  /** Returns the oldest resourceVersion that a watch can start from. */
  get floor(): number {
    return this.#floor;
  }

  /** Drops everything up to `rv`, as a start or a compaction does. */
  reset(rv: number): void {
    this.#events = [];
    this.#floor = rv;
  }

  append(event: StoreEvent, rv: number, atMs: number): LoggedEvent {
    const logged: LoggedEvent = { ...event, rv, atMs, lines: new Map() };
    this.#events.push(logged);
    this.#events[this.#events.length - 1 - KEPT_LINES]?.lines.clear();
    // Trimming in bulk keeps the cost per event constant.
    if (this.#events.length > this.#limit * 1.25) this.#drop(this.#events.length - this.#limit);
    else if (rv % AGE_CHECK === 0) this.#drop(this.#events.findIndex((kept) => kept.atMs > atMs - MAX_AGE_MS));
    return logged;
  }

  #drop(count: number): void {
    const dropped = this.#events.splice(0, count);
    this.#floor = dropped[dropped.length - 1]?.rv ?? this.#floor;
  }

  /** Returns the events of a resource after `rv`, oldest first. */
  since(resource: string, rv: number): LoggedEvent[] {
    return this.#events.slice(this.#firstAfter(rv)).filter((event) => event.resource === resource);
  }

  /**
   * Returns the objects of a resource as they were at `rv` (which must not be below the floor), given the current ones.
   */
  rewind(parts: {
    resource: string;
    rv: number;
    namespace: string | undefined;
    now: Iterable<KubeObject>;
  }): KubeObject[] {
    const objects = new Map<string, KubeObject>();
    for (const object of parts.now) objects.set(keyOf(object), object);
    for (const { object, previous } of this.since(parts.resource, parts.rv).toReversed()) {
      if (parts.namespace !== undefined && object.metadata.namespace !== parts.namespace) continue;
      if (previous === undefined) objects.delete(keyOf(object));
      else objects.set(keyOf(object), previous);
    }
    return [...objects.keys()].sort().flatMap((key) => objects.get(key) ?? []);
  }

  #firstAfter(rv: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.rv ?? 0) > rv) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Returns the key of an object within its kind: namespace/name, or just the name. */
export function keyOf(object: KubeObject): string {
  return objectKey(object.metadata.namespace, object.metadata.name);
}

export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}
