import { alreadyExists, conflict, invalid, notFound } from "./api-error.ts";
import { EventLog, keyOf, type LoggedEvent, objectKey } from "./event-log.ts";
import { draftCreate, draftUpdate, skewEvent } from "./object-drafts.ts";
import { type KeptList, KeptLists, type ObjectLog, openObjectLog } from "./object-log.ts";
import { type ObjectPlace, ObjectTable } from "./object-table.ts";
import { apiVersionOf, type Resource, resourceOf } from "./resources.ts";
import { sharedCopy } from "./shared-copy.ts";
import { putLine, putLines } from "./store-lines.ts";
import {
  type KubeObject,
  type KubeObjectInput,
  missingNamespace,
  type Store,
  type StoreEvent,
  undeletable,
  type WriteOptions,
} from "./store-types.ts";

export type StoreOptions = {
  /** The directory that keeps the objects across restarts; if absent, they are only in memory. */
  dataDir?: string;
  now: () => Date;
  uid: () => string;
  /** How many changes of the last five minutes watches can resume over. */
  eventLimit?: number;
  maxLogBytes?: number;
  onError?: (error: unknown) => void;
};

export type ApiWriteOptions = WriteOptions & { dryRun?: boolean };

/** The store plus the parts that only the HTTP side needs: versions, history, imports, closing. */
export type ApiStore = Omit<Store, "create" | "update" | "subscribe"> & {
  create(resource: string, object: KubeObjectInput, options: ApiWriteOptions): KubeObject;
  update(resource: string, object: KubeObject, options: ApiWriteOptions): KubeObject;
  /** Returns the newest resourceVersion of the cluster. */
  resourceVersion(): number;
  /** Returns the oldest resourceVersion in the history. */
  floor(): number;
  /** Returns the objects as they were at `rv`, of one namespace or of all; undefined if `rv` is too old. */
  listAt(resource: string, rv: number, namespace?: string): readonly KubeObject[] | undefined;
  /** Keeps a list for its later pages, so that they need not be rebuilt from the history. */
  keepList(list: KeptList): void;
  /** Sets the server's clock ahead by this many milliseconds for objects of a resource. */
  skewClock(offsetMs: (resource: string) => number): void;
  eventsSince(resource: string, rv: number): LoggedEvent[];
  subscribe(listener: (event: LoggedEvent) => void): () => void;
  /** Drops the history of changes, as a compaction does: older watches and continue tokens are then too old. */
  forgetHistory(): void;
  /** Stores an object unchanged, status and uid included; a uid that is taken is replaced. */
  importObject(resource: string, object: KubeObjectInput): KubeObject;
  hasUid(uid: string): boolean;
  close(): Promise<void>;
};

const FIRST_VERSION = 100;
const PROTECTED_NAMESPACES = ["default", "kube-system"];
const SYSTEM: WriteOptions = { manager: "kube-apiserver" };

/** Opens the store; a new one gets the namespaces `default` and `kube-system`, whose uid identifies the cluster. */
export function createStore(options: StoreOptions): ApiStore {
  const store = new ObjectStore(options);
  for (const name of PROTECTED_NAMESPACES) {
    if (store.get("namespaces", undefined, name) !== undefined) continue;
    store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } }, SYSTEM);
  }
  store.forgetHistory();
  return store;
}

class ObjectStore implements ApiStore {
  readonly #options: StoreOptions;
  readonly #table = new ObjectTable();
  readonly #events: EventLog;
  readonly #log: ObjectLog | undefined;
  readonly #listeners = new Set<(event: LoggedEvent) => void>();
  readonly #kept = new KeptLists();
  #skewMs: (resource: string) => number = () => 0;
  #version = FIRST_VERSION;
  #depth = 0;
  #lines: string[] = [];
  #queue: LoggedEvent[] = [];
  #isDelivering = false;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#log = options.dataDir === undefined ? undefined : this.#openLog(options.dataDir);
    this.#events = new EventLog({ limit: options.eventLimit ?? 100_000, floor: this.#version });
  }

  resourceVersion(): number {
    return this.#version;
  }

  floor(): number {
    return this.#events.floor;
  }

  hasUid(uid: string): boolean {
    return this.#table.hasUid(uid);
  }

  list(resource: string, namespace?: string): KubeObject[] {
    return this.#table.list(resourceOf(resource).plural, namespace);
  }

  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#table.get(resource, placeOf(resourceOf(resource), namespace, name).key);
  }

  listAt(resource: string, rv: number, namespace?: string): readonly KubeObject[] | undefined {
    const kept = this.#kept.find({ resource, namespace, rv });
    if (kept !== undefined) return kept;
    if (rv >= this.#version) return this.list(resource, namespace);
    if (rv < this.#events.floor) return undefined;
    return this.#events.rewind({ resource, rv, namespace, now: this.list(resource, namespace) });
  }

  keepList(list: KeptList): void {
    this.#kept.keep(list);
  }

  skewClock(offsetMs: (resource: string) => number): void {
    this.#skewMs = offsetMs;
  }

  eventsSince(resource: string, rv: number): LoggedEvent[] {
    return this.#events.since(resource, rv);
  }

  forgetHistory(): void {
    this.#events.reset(this.#version);
    this.#kept.clear();
  }

  create(plural: string, input: KubeObjectInput, options: ApiWriteOptions): KubeObject {
    const resource = resourceOf(plural);
    const { name, namespace } = input.metadata;
    const place = placeOf(resource, namespace, name);
    if (resource.namespaced) this.#requireNamespace(resource, namespace, name);
    if (this.#table.get(plural, place.key) !== undefined) throw alreadyExists(resource, name);
    const skewed = skewEvent(input, plural === "events" ? this.#skewMs(plural) : 0);
    const draft = draftCreate({ resource, input: skewed, options, uid: this.#freshUid(), time: this.#time(plural) });
    if (options.dryRun === true) return sharedCopy(draft);
    return this.#transact(() => this.#put({ type: "ADDED", place, draft }));
  }

  importObject(plural: string, input: KubeObjectInput): KubeObject {
    const resource = resourceOf(plural);
    const { name, namespace, uid } = input.metadata;
    const place = placeOf(resource, namespace, name);
    const previous = this.#table.get(plural, place.key);
    const isUidFree = uid !== undefined && uid !== "" && (!this.#table.hasUid(uid) || previous?.metadata.uid === uid);
    const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = input;
    const draft: KubeObject = {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: {
        ...metadata,
        uid: isUidFree ? uid : this.#freshUid(),
        creationTimestamp: metadata.creationTimestamp ?? this.#time(plural),
        resourceVersion: "",
      },
      ...rest,
    };
    return this.#transact(() =>
      this.#put({ type: previous === undefined ? "ADDED" : "MODIFIED", place, draft, previous }),
    );
  }

  update(plural: string, input: KubeObject, options: ApiWriteOptions): KubeObject {
    const resource = resourceOf(plural);
    const { name, namespace, resourceVersion, uid } = input.metadata;
    const place = placeOf(resource, namespace, name);
    const previous = this.#table.get(plural, place.key);
    if (previous === undefined) throw notFound(resource, name);
    if (options.subresource === "status" && !resource.hasStatus) throw notFound(resource, name);
    const isStale =
      resourceVersion !== undefined && resourceVersion !== "" && !isSameVersion(resourceVersion, previous);
    if (isStale || (uid !== undefined && uid !== "" && uid !== previous.metadata.uid)) throw conflict(resource, name);
    const draft = draftUpdate({ resource, before: previous, input, options, time: this.#time(plural) });
    if (draft === previous || options.dryRun === true) return sharedCopy(draft, previous);
    return this.#transact(() => {
      const object = this.#put({ type: "MODIFIED", place, draft, previous });
      if (object.metadata.deletionTimestamp !== undefined && !hasFinalizers(object)) this.#remove(place, object);
      return object;
    });
  }

  delete(plural: string, namespace: string | undefined, name: string): KubeObject | undefined {
    const resource = resourceOf(plural);
    const place = placeOf(resource, namespace, name);
    const previous = this.#table.get(plural, place.key);
    if (previous === undefined) return undefined;
    if (plural === "namespaces" && PROTECTED_NAMESPACES.includes(name)) throw undeletable(name);
    return this.#transact(() =>
      hasFinalizers(previous) ? this.#markDeleted(place, previous) : this.#remove(place, previous),
    );
  }

  subscribe(listener: (event: LoggedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#log?.close();
  }

  #markDeleted(place: ObjectPlace, previous: KubeObject): KubeObject {
    if (previous.metadata.deletionTimestamp !== undefined) return previous;
    const generation = previous.metadata.generation;
    const metadata = {
      ...previous.metadata,
      deletionTimestamp: this.#time(place.resource),
      deletionGracePeriodSeconds: 0,
      ...(generation === undefined ? {} : { generation: generation + 1 }),
    };
    return this.#put({ type: "MODIFIED", place, draft: { ...previous, metadata }, previous });
  }

  /** Removes the object, then its contents (for a namespace) and dependents without another owner. */
  #remove(place: ObjectPlace, previous: KubeObject): KubeObject {
    this.#version += 1;
    const metadata = { ...previous.metadata, resourceVersion: String(this.#version) };
    const object = sharedCopy({ ...previous, metadata }, previous);
    this.#table.remove(place);
    if (this.#log !== undefined) this.#lines.push(JSON.stringify({ op: "delete", rv: this.#version, ...place }));
    this.#record({ type: "DELETED", resource: place.resource, object, previous });
    if (place.resource === "namespaces") this.#emptyNamespace(previous.metadata.name);
    for (const dependent of this.#table.dependentsOf(previous.metadata.uid)) {
      const child = this.#table.get(dependent.resource, dependent.key);
      const isOrphan = child?.metadata.ownerReferences?.every((owner) => !this.#table.hasUid(owner.uid));
      if (child === undefined || isOrphan !== true) continue;
      if (hasFinalizers(child)) this.#markDeleted(dependent, child);
      else this.#remove(dependent, child);
    }
    return object;
  }

  #emptyNamespace(namespace: string): void {
    for (const resource of this.#table.resources()) {
      if (!resourceOf(resource).namespaced) continue;
      for (const object of this.#table.list(resource, namespace)) {
        const place = { resource, key: keyOf(object) };
        if (this.#table.get(resource, place.key) !== undefined) this.#remove(place, object);
      }
    }
  }

  #put(parts: {
    type: "ADDED" | "MODIFIED";
    place: ObjectPlace;
    draft: KubeObject;
    previous?: KubeObject | undefined;
  }): KubeObject {
    const { place, draft, previous } = parts;
    this.#version += 1;
    const metadata = { ...draft.metadata, resourceVersion: String(this.#version) };
    const object = sharedCopy({ ...draft, metadata }, previous);
    this.#table.put(place, object);
    if (this.#log !== undefined) this.#lines.push(putLine(this.#version, place.resource, object));
    this.#record({
      type: parts.type,
      resource: place.resource,
      object,
      ...(previous === undefined ? {} : { previous }),
    });
    return object;
  }

  /** Writes the result of `change` to disk in one piece, then notifies the listeners in order. */
  #transact<T>(change: () => T): T {
    this.#depth += 1;
    let result: T;
    try {
      result = change();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#flush();
    }
    this.#deliver();
    return result;
  }

  #flush(): void {
    const lines = this.#lines;
    this.#lines = [];
    if (this.#log === undefined || lines.length === 0) return;
    this.#log.append(lines);
    this.#log.compactIfLarge(() => this.#capture());
  }

  /** Captures the current state; stored objects never change, so their lines can be created while they are written. */
  #capture(): { rv: number; lines: Iterable<string> } {
    const table = this.#table;
    const captured = table.resources().map((resource) => ({ resource, objects: table.list(resource) }));
    return { rv: this.#version, lines: putLines(captured) };
  }

  #record(event: StoreEvent): void {
    this.#queue.push(this.#events.append(event, this.#version, this.#options.now().getTime()));
  }

  /** Delivers events in order: if a listener writes, later listeners must first see the event that caused the write. */
  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
        for (const listener of [...this.#listeners]) this.#tell(listener, event);
      }
    } finally {
      this.#isDelivering = false;
    }
  }

  #tell(listener: (event: LoggedEvent) => void, event: LoggedEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  #openLog(directory: string): ObjectLog {
    return openObjectLog({
      directory,
      maxLogBytes: this.#options.maxLogBytes ?? 64 << 20,
      onError: (error) => this.#options.onError?.(error),
      onVersion: (rv) => {
        this.#version = Math.max(this.#version, rv);
      },
      onRecord: (record) => {
        this.#version = Math.max(this.#version, record.rv);
        if (record.op === "delete") this.#table.remove({ resource: record.resource, key: record.key });
        else {
          const place = { resource: record.resource, key: keyOf(record.object) };
          const previous = this.#table.get(place.resource, place.key);
          this.#table.put(place, sharedCopy(record.object, previous));
        }
      },
    });
  }

  #requireNamespace(resource: Resource, namespace: string | undefined, name: string): void {
    if (namespace === undefined || namespace === "") {
      const message = "Required value: an object of this kind stands in a namespace";
      throw invalid({ group: resource.group, kind: resource.kind, name, field: "metadata.namespace", message });
    }
    if (this.#table.get("namespaces", namespace) === undefined) throw missingNamespace(namespace);
  }

  #freshUid(): string {
    let uid = this.#options.uid();
    while (this.#table.hasUid(uid)) uid = this.#options.uid();
    return uid;
  }

  #time(resource: string): string {
    const time = new Date(this.#options.now().getTime() + this.#skewMs(resource));
    return `${time.toISOString().slice(0, 19)}Z`;
  }
}

function placeOf(resource: Resource, namespace: string | undefined, name: string): ObjectPlace {
  return { resource: resource.plural, key: objectKey(resource.namespaced ? namespace : undefined, name) };
}

function hasFinalizers(object: KubeObject): boolean {
  return (object.metadata.finalizers?.length ?? 0) > 0;
}

function isSameVersion(resourceVersion: string, object: KubeObject): boolean {
  return resourceVersion === object.metadata.resourceVersion;
}
