import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

// Next bundles instrumentation and each route apart, so a module variable would exist several times.
const handle = Symbol.for("gatehouse.raw-response");
type Holder = { [handle]?: AsyncLocalStorage<ServerResponse> };

function storage(): AsyncLocalStorage<ServerResponse> {
  const holder = globalThis as Holder;
  holder[handle] ??= new AsyncLocalStorage();
  return holder[handle];
}

/** Runs `work` so that the handlers that it calls find the response which they write to. */
export function withRawResponse<Result>(response: ServerResponse, work: () => Result): Result {
  return storage().run(response, work);
}

/**
 * The response behind the one of the request that is being handled, to cut its connection: a web stream alone cannot end
 * one whose reader takes nothing. Undefined where no HTTP server stands in front, as in tests.
 */
export function findRawResponse(): ServerResponse | undefined {
  return storage().getStore();
}
