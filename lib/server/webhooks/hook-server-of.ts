import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { createHookServer, type HookServer } from "#lib/server/webhooks/create-hook-server.ts";

const servers = new WeakMap<WebRuntime, HookServer>();

/** Returns the hook server of a process's runtime; undefined before there is a runtime. Creates it on first use. */
export function hookServerOf(runtime: WebRuntime | undefined): HookServer | undefined {
  if (runtime === undefined) return undefined;
  const server = servers.get(runtime) ?? createHookServer(runtime);
  servers.set(runtime, server);
  return server;
}

/** Ends the hook server of a runtime that is about to end. */
export async function closeHookServer(runtime: WebRuntime): Promise<void> {
  await servers.get(runtime)?.close();
}
