import type { Runtime } from "#lib/server/runtime/runtime-types.ts";

const perTargetAndMinute = 10;
/** Targets are made up as easily as requests. */
const perActorAndMinute = 60;
const windowMs = 60_000;
const maxKeys = 10_000;

type Window = { endsAt: number; written: number; suppressed: number };
type Windows = Map<string, Window>;

const limits = new WeakMap<object, { byTarget: Windows; byActor: Windows }>();

/**
 * Whether one more refusal of this actor at this target goes into the audit log, so that a loop of refused requests
 * cannot fill it. `suppressed` says how many of the actor's were left out since the last that went in.
 */
export function admitRefusal({ runtime, actor, target }: { runtime: Runtime; actor: string; target: string }): {
  admitted: boolean;
  suppressed: number;
} {
  const { byTarget, byActor } = limits.get(runtime) ?? { byTarget: new Map(), byActor: new Map() };
  limits.set(runtime, { byTarget, byActor });
  const now = runtime.now().getTime();
  const forTarget = windowOf({ windows: byTarget, key: `${actor}\n${target}`, now });
  const forActor = windowOf({ windows: byActor, key: actor, now });
  if (forTarget.written >= perTargetAndMinute || forActor.written >= perActorAndMinute) {
    forActor.suppressed += 1;
    return { admitted: false, suppressed: 0 };
  }
  forTarget.written += 1;
  forActor.written += 1;
  const { suppressed } = forActor;
  forActor.suppressed = 0;
  return { admitted: true, suppressed };
}

/** The window that is open now; a new one takes over what the one before left out. */
function windowOf({ windows, key, now }: { windows: Windows; key: string; now: number }): Window {
  const known = windows.get(key);
  if (known !== undefined && known.endsAt > now) return known;
  const [oldest] = windows.keys();
  if (windows.size >= maxKeys && oldest !== undefined) windows.delete(oldest);
  windows.delete(key);
  const fresh = { endsAt: now + windowMs, written: 0, suppressed: known?.suppressed ?? 0 };
  windows.set(key, fresh);
  return fresh;
}
