import type { Runtime } from "#lib/server/runtime/runtime-types.ts";

const perMinute = 10;
const windowMs = 60_000;
const maxKeys = 10_000;

type Window = { endsAt: number; written: number; suppressed: number };

const windows = new WeakMap<object, Map<string, Window>>();

/**
 * Whether one more refusal of this actor at this target goes into the audit log, so that a loop of refused requests
 * cannot fill it. `suppressed` says how many were left out since the last that went in.
 */
export function admitRefusal({ runtime, key }: { runtime: Runtime; key: string }): {
  admitted: boolean;
  suppressed: number;
} {
  const byKey = windows.get(runtime) ?? new Map<string, Window>();
  windows.set(runtime, byKey);
  const now = runtime.now().getTime();
  const window = byKey.get(key);
  if (window !== undefined && window.endsAt > now) {
    const admitted = window.written < perMinute;
    if (admitted) window.written += 1;
    else window.suppressed += 1;
    return { admitted, suppressed: 0 };
  }
  const [oldest] = byKey.keys();
  if (byKey.size >= maxKeys && oldest !== undefined) byKey.delete(oldest);
  byKey.delete(key);
  byKey.set(key, { endsAt: now + windowMs, written: 1, suppressed: 0 });
  return { admitted: true, suppressed: window?.suppressed ?? 0 };
}
