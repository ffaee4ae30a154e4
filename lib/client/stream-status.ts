import type { StreamStatus } from "#lib/client/event-stream/shared-stream.ts";

const initial: StreamStatus = { state: "connecting", sinceMs: 0, heardMs: undefined };
let current = initial;
const listeners = new Set<() => void>();

/** The state of the change stream, readable by every component. */
export const streamStatus = {
  set(status: StreamStatus): void {
    current = status;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: (): StreamStatus => current,
  serverSnapshot: (): StreamStatus => initial,
};
