import type { ServerResponse } from "node:http";
import type { ApiContext } from "./api-context.ts";
import { type ApiError, expired } from "./api-error.ts";
import type { LoggedEvent } from "./event-log.ts";
import type { Format } from "./exchange.ts";
import type { ObjectFilter } from "./list-options.ts";
import { jsonOf } from "./object-json.ts";
import { apiVersionOf, type Resource } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";
import { partialOf, tableOf } from "./table-format.ts";

export type Watcher = {
  res: ServerResponse;
  resource: Resource;
  filter: ObjectFilter;
  format: Format;
  includeObject: string | null;
  /** The newest resourceVersion that this watcher has been told about. */
  lastVersion: number;
  timers: NodeJS.Timeout[];
};

type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** Behind by this much, a watcher is cut, as upstream cuts one that does not read. */
const MAX_BUFFERED_BYTES = 64 << 20;
const GARBAGE = '{"type":"MODIFIED","object":{"apiVersion":"argoproj.io/v1alpha1","kind":"Rol\n';
const NO_SHARED_LINES = new Map<string, Buffer>();

/** All open watches. Events are turned into bytes once per format and shared by the watchers. */
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

  /** The number of open watches of a resource, or of all. */
  count(plural?: string): number {
    return this.#select(plural).length;
  }

  /** Tells a watcher one event, if it concerns it. */
  offer(watcher: Watcher, event: LoggedEvent): void {
    if (event.rv <= watcher.lastVersion || this.#isStalled(watcher)) return;
    watcher.lastVersion = event.rv;
    const seen = translate(watcher.filter, event);
    if (seen === undefined) return;
    if (this.#context.faults.has("garbage", watcher.resource.plural)) this.#write(watcher, GARBAGE);
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

  /** Tells a watcher about an object that was there before it came. */
  sendInitial(watcher: Watcher, object: KubeObject): void {
    if (!this.#isStalled(watcher)) this.#write(watcher, this.#eventLine(watcher, "ADDED", object));
  }

  sendBookmark(watcher: Watcher, annotations?: Record<string, string>): void {
    if (this.#isStalled(watcher)) return;
    const metadata = {
      resourceVersion: String(Math.max(watcher.lastVersion, this.#context.store.resourceVersion())),
      ...(annotations === undefined ? {} : { annotations }),
    };
    const { kind } = watcher.resource;
    const object = { apiVersion: apiVersionOf(watcher.resource), kind, metadata };
    this.#write(watcher, `${JSON.stringify({ type: "BOOKMARK", object })}\n`);
  }

  sendError(watcher: Watcher, error: ApiError): void {
    watcher.res.end(`${JSON.stringify({ type: "ERROR", object: error.toStatus() })}\n`);
  }

  sendGarbage(watcher: Watcher): void {
    this.#write(watcher, GARBAGE);
  }

  /** Ends a watch in the ordinary way, unless it is to stay silent. */
  end(watcher: Watcher): void {
    if (!this.#isStalled(watcher)) watcher.res.end();
  }

  endAll(plural?: string): void {
    for (const watcher of this.#select(plural)) this.end(watcher);
  }

  expireAll(plural?: string): void {
    for (const watcher of this.#select(plural)) this.sendError(watcher, this.tooOld(watcher.lastVersion));
  }

  destroyAll(plural?: string): void {
    for (const watcher of this.#select(plural)) watcher.res.destroy();
  }

  garbleAll(plural?: string): void {
    for (const watcher of this.#select(plural)) this.sendGarbage(watcher);
  }

  /** After a silence: what was missed, or an end where that is gone from memory. */
  resumeAll(plural?: string): void {
    for (const watcher of this.#select(plural)) this.replay(watcher);
  }

  /** Sends what happened since the watcher's version, or 410 where that is no longer known. */
  replay(watcher: Watcher): void {
    const { store } = this.#context;
    if (watcher.lastVersion < store.floor()) {
      this.sendError(watcher, this.tooOld(watcher.lastVersion));
      return;
    }
    for (const event of store.eventsSince(watcher.resource.plural, watcher.lastVersion)) this.offer(watcher, event);
  }

  tooOld(rv: number): ApiError {
    return expired(`too old resource version: ${rv} (${Math.max(this.#context.store.floor(), rv + 1)})`);
  }

  close(): void {
    this.#unsubscribe();
    this.destroyAll();
  }

  #publish(event: LoggedEvent): void {
    for (const watcher of this.#watchers.get(event.resource) ?? []) this.offer(watcher, event);
  }

  #select(plural: string | undefined): Watcher[] {
    if (plural !== undefined) return [...(this.#watchers.get(plural) ?? [])];
    return [...this.#watchers.values()].flatMap((watchers) => [...watchers]);
  }

  #isStalled(watcher: Watcher): boolean {
    return this.#context.faults.has("stall", watcher.resource.plural);
  }

  #write(watcher: Watcher, line: Buffer | string): void {
    if (watcher.res.writableEnded || watcher.res.destroyed) return;
    watcher.res.write(line);
    if (watcher.res.writableLength > MAX_BUFFERED_BYTES) watcher.res.destroy();
  }

  #eventLine(watcher: Watcher, type: EventType, object: KubeObject): string {
    return `{"type":"${type}","object":${this.#objectJson(watcher, object)}}\n`;
  }

  #objectJson(watcher: Watcher, object: KubeObject): string {
    if (watcher.format === "object") return jsonOf(object);
    if (watcher.format === "partial") return JSON.stringify(partialOf(object));
    const { resource, includeObject } = watcher;
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return JSON.stringify(tableOf({ resource, objects: [object], metadata, includeObject, now: this.#context.now() }));
  }
}

type Seen = { type: EventType; object: KubeObject; hasLeft: boolean };

/** What a change is to a watcher with a filter: leaving it is a deletion, coming into it an addition. */
function translate(filter: ObjectFilter, event: LoggedEvent): Seen | undefined {
  const { previous, object } = event;
  const matched = previous !== undefined && filter.matches(previous);
  if (event.type === "DELETED") return matched ? { type: "DELETED", object, hasLeft: false } : undefined;
  if (filter.matches(object)) return { type: matched ? "MODIFIED" : "ADDED", object, hasLeft: false };
  if (!matched) return undefined;
  const metadata = { ...previous.metadata, resourceVersion: object.metadata.resourceVersion };
  return { type: "DELETED", object: { ...previous, metadata }, hasLeft: true };
}
