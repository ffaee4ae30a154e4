import type { ServerResponse } from "node:http";
import type { ApiContext } from "./api-context.ts";
import { type ApiError, expired } from "./api-error.ts";
import type { LoggedEvent } from "./event-log.ts";
import type { Format } from "./exchange.ts";
import { driftedObject, garbageLines } from "./fault-garbage.ts";
import { maskObject, maskVersion } from "./fault-masks.ts";
import type { Fault, FaultScope } from "./faults.ts";
import type { ObjectFilter } from "./list-options.ts";
import { jsonOf } from "./object-json.ts";
import { apiVersionOf, type Resource } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";
import { partialOf, tableOf } from "./table-format.ts";

export type Watcher = {
  res: ServerResponse;
  resource: Resource;
  /** The namespace that it watches; undefined for all. */
  namespace: string | undefined;
  filter: ObjectFilter;
  format: Format;
  includeObject: string | null;
  /** Whether a Table has been sent: only the first one contains the columns. */
  knowsColumns: boolean;
  /** The newest resourceVersion sent to this watcher. */
  lastVersion: number;
  timers: NodeJS.Timeout[];
};

type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** A watcher that falls this far behind is cut, as upstream cuts one that does not read. */
const MAX_BUFFERED_BYTES = 64 << 20;
const NO_SHARED_LINES = new Map<string, Buffer>();

/** All open watches. Each event is encoded once per format and shared by the watchers. */
export class WatchHub {
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #context: ApiContext;
  readonly #unsubscribe: () => void;

  constructor(context: ApiContext) {
    this.#context = context;
    this.#unsubscribe = context.store.subscribe((event) => this.#publish(event));
  }

  add(watcher: Watcher): void {
    const { plural } = watcher.resource;
    let watchers = this.#watchers.get(plural);
    if (watchers === undefined) {
      watchers = new Set();
      this.#watchers.set(plural, watchers);
    }
    watchers.add(watcher);
    watcher.res.on("close", () => {
      watchers.delete(watcher);
      for (const timer of watcher.timers) clearTimeout(timer);
    });
  }

  /** Counts the open watches of a resource, or of all. */
  count(plural?: string): number {
    return this.#select({ resource: plural }).length;
  }

  /** Sends an event to a watcher, if it is relevant to it. */
  offer(watcher: Watcher, event: LoggedEvent): void {
    if (event.rv <= watcher.lastVersion || this.#isStalled(watcher)) return;
    watcher.lastVersion = event.rv;
    if (!this.#context.faults.isQuiet) {
      this.#offerDistorted(watcher, event);
      return;
    }
    const seen = translate(watcher.filter, event);
    if (seen === undefined) return;
    const isShared = watcher.format !== "table";
    const lines = isShared ? event.lines : NO_SHARED_LINES;
    const key = `${watcher.format} ${seen.type} ${seen.hasLeft ? "left" : ""}`;
    let line = lines.get(key);
    if (line === undefined) {
      line = Buffer.from(this.#eventLine(watcher, seen.type, seen.object));
      if (isShared) lines.set(key, line);
    }
    this.#write(watcher, line);
  }

  /** Does the same as offer while faults are on, when lines are not shared. */
  #offerDistorted(watcher: Watcher, event: LoggedEvent): void {
    const seen = translate(watcher.filter, event);
    if (seen === undefined || this.#isHidden(watcher, event.object)) return;
    if (this.#isFaulty(watcher, "garbage", "lines")) this.#garble(watcher);
    this.#write(watcher, this.#eventLine(watcher, seen.type, seen.object));
  }

  /** Sends an object that existed before the watch. */
  sendInitial(watcher: Watcher, object: KubeObject): void {
    if (this.#isStalled(watcher) || this.#isHidden(watcher, object)) return;
    this.#write(watcher, this.#eventLine(watcher, "ADDED", object));
  }

  sendBookmark(watcher: Watcher, annotations?: Record<string, string>): void {
    if (this.#isStalled(watcher)) return;
    const metadata = {
      resourceVersion: String(
        maskVersion(this.#context, Math.max(watcher.lastVersion, this.#context.store.resourceVersion())),
      ),
      ...(annotations === undefined ? {} : { annotations }),
    };
    const { kind } = watcher.resource;
    const object = { apiVersion: apiVersionOf(watcher.resource), kind, metadata };
    this.#write(watcher, `${JSON.stringify({ type: "BOOKMARK", object })}\n`);
  }

  sendError(watcher: Watcher, error: ApiError): void {
    if (isOver(watcher)) return;
    watcher.res.end(`${JSON.stringify({ type: "ERROR", object: error.toStatus() })}\n`);
  }

  /** Ends a watch normally, unless it must stay silent. */
  end(watcher: Watcher): void {
    if (!isOver(watcher) && !this.#isStalled(watcher)) watcher.res.end();
  }

  endAll(scope: FaultScope): void {
    for (const watcher of this.#select(scope)) this.end(watcher);
  }

  expireAll(scope: FaultScope): void {
    for (const watcher of this.#select(scope)) this.sendError(watcher, this.tooOld(watcher));
  }

  destroyAll(scope: FaultScope = {}): void {
    for (const watcher of this.#select(scope)) watcher.res.destroy();
  }

  /** Cuts each of the watches with that probability, every other one mid-line. */
  dropSome(scope: FaultScope, chance: number): void {
    for (const watcher of this.#select(scope)) {
      if (isOver(watcher) || Math.random() >= chance) continue;
      if (Math.random() < 0.5) watcher.res.destroy();
      else watcher.res.write('{"type":"MODIFIED","obj', () => watcher.res.destroy());
    }
  }

  garbleAll(scope: FaultScope): void {
    for (const watcher of this.#select(scope)) this.greetWithGarbage(watcher);
  }

  /** Sends garbage at the start of a watch while the garbage fault is on. */
  greetWithGarbage(watcher: Watcher): void {
    if (this.#isFaulty(watcher, "garbage", "lines")) this.#garble(watcher);
    if (!this.#isFaulty(watcher, "garbage", "drift")) return;
    const object = this.#context.store.list(watcher.resource.plural, watcher.namespace).find(watcher.filter.matches);
    if (object !== undefined) this.#write(watcher, this.#eventLine(watcher, "MODIFIED", object));
  }

  /** Reports a deletion that never happened. */
  pretendDeleted(plural: string, object: KubeObject): void {
    const metadata = { ...object.metadata, resourceVersion: String(this.#context.store.resourceVersion()) };
    for (const watcher of this.#select({ resource: plural })) {
      if (!watcher.filter.matches(object)) continue;
      this.#write(watcher, this.#eventLine(watcher, "DELETED", { ...object, metadata }));
    }
  }

  /** Sends missed events after a silence, or ends the watch if the history has dropped them. */
  resumeAll(scope: FaultScope): void {
    for (const watcher of this.#select(scope)) this.replay(watcher);
  }

  /** Sends the events since the watcher's version, or 410 if that version is no longer known. */
  replay(watcher: Watcher): void {
    const { store } = this.#context;
    if (watcher.lastVersion < store.floor()) {
      this.sendError(watcher, this.tooOld(watcher));
      return;
    }
    for (const event of store.eventsSince(watcher.resource.plural, watcher.lastVersion)) this.offer(watcher, event);
  }

  tooOld({ resource, lastVersion: rv }: Watcher): ApiError {
    // Events have no cache in front of their storage, which uses these words.
    if (resource.plural === "events") return expired("The resourceVersion for the provided watch is too old.");
    return expired(`too old resource version: ${rv} (${Math.max(this.#context.store.floor(), rv + 1)})`);
  }

  close(): void {
    this.#unsubscribe();
    this.destroyAll();
  }

  #publish(event: LoggedEvent): void {
    for (const watcher of this.#watchers.get(event.resource) ?? []) this.offer(watcher, event);
  }

  #select({ resource, namespace, verb }: FaultScope): Watcher[] {
    if (verb !== undefined && verb !== "watch") return [];
    const watchers =
      resource === undefined
        ? [...this.#watchers.values()].flatMap((found) => [...found])
        : [...(this.#watchers.get(resource) ?? [])];
    return namespace === undefined ? watchers : watchers.filter((watcher) => watcher.namespace === namespace);
  }

  #isFaulty(watcher: Watcher, fault: Fault, how?: string): boolean {
    const { faults } = this.#context;
    if (faults.isQuiet) return false;
    return faults.has(fault, { resource: watcher.resource.plural, namespace: watcher.namespace, verb: "watch" }, how);
  }

  #isStalled(watcher: Watcher): boolean {
    return this.#isFaulty(watcher, "stall", "watches");
  }

  #isHidden(watcher: Watcher, object: KubeObject): boolean {
    return this.#isFaulty(watcher, "empty") || this.#context.isHidden(watcher.resource.plural, object);
  }

  #garble(watcher: Watcher): void {
    for (const line of garbageLines(watcher.resource)) this.#write(watcher, line);
  }

  #write(watcher: Watcher, line: Buffer | string): void {
    if (isOver(watcher)) return;
    watcher.res.write(line);
    if (watcher.res.writableLength > MAX_BUFFERED_BYTES) watcher.res.destroy();
  }

  #eventLine(watcher: Watcher, type: EventType, object: KubeObject): string {
    const shown = maskObject(this.#context, object);
    const isDrifted = type !== "DELETED" && this.#isFaulty(watcher, "garbage", "drift");
    const json = isDrifted ? JSON.stringify(driftedObject(shown)) : this.#objectJson(watcher, shown);
    return `{"type":"${type}","object":${json}}\n`;
  }

  #objectJson(watcher: Watcher, object: KubeObject): string {
    if (watcher.format === "object") return jsonOf(object);
    if (watcher.format === "partial") return JSON.stringify(partialOf(object));
    const { resource, includeObject } = watcher;
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    const table = tableOf({ resource, objects: [object], metadata, includeObject, now: this.#context.now() });
    const shown = watcher.knowsColumns ? { ...table, columnDefinitions: null } : table;
    watcher.knowsColumns = true;
    return JSON.stringify(shown);
  }
}

/** Returns whether a watch has ended; it stays listed until its connection has closed. */
function isOver({ res }: Watcher): boolean {
  return res.writableEnded || res.destroyed;
}

type Seen = { type: EventType; object: KubeObject; hasLeft: boolean };

/** Translates a change for a filtered watcher: leaving the filter is a deletion, entering it an addition. */
function translate(filter: ObjectFilter, event: LoggedEvent): Seen | undefined {
  const { previous, object } = event;
  const matched = previous !== undefined && filter.matches(previous);
  if (event.type === "DELETED") return matched ? { type: "DELETED", object, hasLeft: false } : undefined;
  if (filter.matches(object)) return { type: matched ? "MODIFIED" : "ADDED", object, hasLeft: false };
  if (!matched) return undefined;
  const metadata = { ...previous.metadata, resourceVersion: object.metadata.resourceVersion };
  return { type: "DELETED", object: { ...previous, metadata }, hasLeft: true };
}
