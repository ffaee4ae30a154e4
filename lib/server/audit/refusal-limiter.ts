import { createHash } from "node:crypto";

const perPlaceAndMinute = 10;
/** Places are made up as easily as requests. */
const perActorAndMinute = 60;
const perProcessAndMinute = 600;
const windowMs = 60_000;
const maxKeys = 10_000;

type Window = { endsAt: number; written: number; suppressed: number };
type Windows = Map<string, Window>;
type Limiter = { byPlace: Windows; byActor: Windows; overAll: Windows };

// Next bundles each route apart, so the counters hang on the one runtime of the process and not on this module.
const handle = Symbol.for("gatehouse.refusal-limiter");

/**
 * Whether one more refusal of this actor at this place goes into the audit log, so that a loop of refused requests
 * cannot fill it. `suppressed` says how many of the actor's were left out since the last that went in.
 */
export function admitRefusal({
  runtime,
  actor,
  place,
}: {
  runtime: { now(): Date };
  actor: string;
  /** What was asked for, and where: a rollout, an endpoint. */
  place: string;
}): { admitted: boolean; suppressed: number } {
  const holder = runtime as typeof runtime & { [handle]?: Limiter };
  holder[handle] ??= { byPlace: new Map(), byActor: new Map(), overAll: new Map() };
  const { byPlace, byActor, overAll } = holder[handle];
  const now = runtime.now().getTime();
  const atPlace = windowOf({ windows: byPlace, key: `${actor}\n${place}`, now });
  const ofActor = windowOf({ windows: byActor, key: actor, now });
  const ofAll = windowOf({ windows: overAll, key: "", now });
  if (
    atPlace.written >= perPlaceAndMinute ||
    ofActor.written >= perActorAndMinute ||
    ofAll.written >= perProcessAndMinute
  ) {
    ofActor.suppressed += 1;
    return { admitted: false, suppressed: 0 };
  }
  for (const window of [atPlace, ofActor, ofAll]) window.written += 1;
  const { suppressed } = ofActor;
  ofActor.suppressed = 0;
  return { admitted: true, suppressed };
}

/** The window that is open now; a new one takes over what the one before left out. */
function windowOf({ windows, key: text, now }: { windows: Windows; key: string; now: number }): Window {
  const key = shorten(text);
  const known = windows.get(key);
  if (known !== undefined && known.endsAt > now) return known;
  const [oldest] = windows.keys();
  if (windows.size >= maxKeys && oldest !== undefined) windows.delete(oldest);
  windows.delete(key);
  const fresh = { endsAt: now + windowMs, written: 0, suppressed: known?.suppressed ?? 0 };
  windows.set(key, fresh);
  return fresh;
}

/** Keys come from outside: however long they are, a counter keeps little of them. */
function shorten(key: string): string {
  return key.length <= 200 ? key : createHash("sha256").update(key).digest("hex");
}
