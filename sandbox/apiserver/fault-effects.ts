import type { ApiContext } from "./api-context.ts";
import { keyOf } from "./event-log.ts";
import { type Exchange, sendTimeout } from "./exchange.ts";
import { skewOf } from "./fault-masks.ts";
import { type ActiveFault, wayOf } from "./faults.ts";
import { RESOURCES } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";
import type { WatchHub } from "./watch-hub.ts";

const DROP_TICK_MS = 25;
const READ_TIMEOUT_MS = 60_000;
const WRITE_TIMEOUT_MS = 34_000;

type Hidden = { active: ActiveFault; keys: ReadonlySet<string> };

/**
 * What faults do in addition to refusing requests: to open watches, to the clock, and to the objects that are shown.
 */
export class FaultEffects {
  readonly #context: ApiContext;
  readonly #hub: WatchHub;
  readonly #closeIdle: () => void;
  readonly #droppers = new Map<ActiveFault, NodeJS.Timeout>();
  readonly #held = new Map<ActiveFault, Set<() => void>>();
  #hidden: Hidden[] = [];

  constructor(parts: { context: ApiContext; hub: WatchHub; closeIdle: () => void }) {
    this.#context = parts.context;
    this.#hub = parts.hub;
    this.#closeIdle = parts.closeIdle;
  }

  apply(active: ActiveFault, isOn: boolean): void {
    if (active.fault === "skew") this.#setClock();
    if (isOn) this.#begin(active);
    else this.#end(active);
  }

  /** Returns whether an object is one that a shrunk cluster does not show. */
  isHidden(resource: string, object: KubeObject): boolean {
    return this.#hidden.length > 0 && this.#hidden.some(({ keys }) => keys.has(`${resource} ${keyOf(object)}`));
  }

  /**
   * Holds a response until the fault ends, or until the timeout of the client or the server: 60 s for reads and 34 s
   * for writes. Then a read's connection closes without a response, and a write gets a 504, as from a real server whose
   * database is gone. The write may have been applied anyway.
   */
  hold(active: ActiveFault, exchange: Exchange): void {
    const { res, url, info } = exchange;
    const isRead = info.verb === "get" || info.verb === "list" || info.verb === "watch";
    const asked = parseDurationMs(url.searchParams.get("timeout"));
    const giveUp = (): void => {
      if (isRead || res.headersSent) res.destroy();
      else sendTimeout(res, asked === undefined);
    };
    const timeoutMs = asked ?? (isRead ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS);
    const timer = setTimeout(giveUp, timeoutMs);
    const held = this.#held.get(active) ?? new Set();
    this.#held.set(active, held);
    held.add(giveUp);
    res.on("close", () => {
      clearTimeout(timer);
      held.delete(giveUp);
    });
  }

  #begin(active: ActiveFault): void {
    const hub = this.#hub;
    switch (active.fault) {
      case "drop":
        if (active.rate !== undefined) this.#dropAtRandom(active, active.rate);
        else {
          hub.destroyAll(active);
          if (active.resource === undefined && active.namespace === undefined) this.#closeIdle();
        }
        break;
      case "shrink":
        this.#hide(active);
        break;
      case "410":
      case "partial":
      case "empty":
        hub.expireAll(active);
        break;
      case "garbage":
        hub.garbleAll(active);
        break;
      // A running watch does not check rights and routes again: it must reconnect to be refused.
      case "500":
      case "429":
      case "403":
      case "404":
      case "wrong-cluster":
        hub.endAll(active);
        break;
      case "stall":
      case "skew":
        break;
    }
  }

  #end(active: ActiveFault): void {
    switch (active.fault) {
      case "drop":
        clearInterval(this.#droppers.get(active));
        this.#droppers.delete(active);
        break;
      case "stall":
        for (const giveUp of this.#held.get(active) ?? []) giveUp();
        this.#held.delete(active);
        if (wayOf(active) === "watches") this.#hub.resumeAll(active);
        break;
      case "shrink":
        this.#hidden = this.#hidden.filter((hidden) => hidden.active !== active);
        this.#hub.expireAll(active);
        break;
      // Otherwise, clients that listed in the meantime would not see the objects that came back.
      case "empty":
        this.#hub.expireAll(active);
        break;
      case "wrong-cluster":
        this.#hub.endAll(active);
        break;
      default:
        break;
    }
  }

  /** Hides more than half of each kind in each namespace: all but the first few of the current objects. */
  #hide(active: ActiveFault): void {
    const keys = new Set<string>();
    for (const { plural, namespaced } of RESOURCES) {
      if (active.resource !== undefined && active.resource !== plural) continue;
      if (active.namespace !== undefined && !namespaced) continue;
      const groups = Map.groupBy(
        this.#context.store.list(plural, active.namespace),
        (object) => object.metadata.namespace,
      );
      for (const objects of groups.values()) {
        for (const object of objects.slice(Math.floor((objects.length - 1) / 2))) {
          keys.add(`${plural} ${keyOf(object)}`);
          if (wayOf(active) === "watches") this.#hub.pretendDeleted(plural, object);
        }
      }
    }
    if (wayOf(active) !== "watches") this.#hub.expireAll(active);
    this.#hidden.push({ active, keys });
  }

  #dropAtRandom(active: ActiveFault, rate: number): void {
    const chance = 1 - Math.exp((-rate * DROP_TICK_MS) / 1000);
    const timer = setInterval(() => this.#hub.dropSome(active, chance), DROP_TICK_MS);
    timer.unref();
    this.#droppers.set(active, timer);
  }

  #setClock(): void {
    const { faults, store } = this.#context;
    store.skewClock((resource) => skewOf(faults, { resource }));
  }
}

/** Parses "5s" or "300ms" to milliseconds; returns undefined for anything else. */
function parseDurationMs(text: string | null): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text ?? "");
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === "ms" ? 1 : match[2] === "s" ? 1000 : 60_000);
}
