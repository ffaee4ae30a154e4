import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

// Next bundles instrumentation and each route separately, so a module variable would exist several times.
const handle = Symbol.for("gatehouse.raw-response");
type Holder = { [handle]?: AsyncLocalStorage<ServerResponse> };

function storage(): AsyncLocalStorage<ServerResponse> {
  const holder = globalThis as Holder;
  holder[handle] ??= new AsyncLocalStorage();
  return holder[handle];
}

/** Runs `work` so that the handlers it calls can find the response that they write to. */
export function withRawResponse<Result>(response: ServerResponse, work: () => Result): Result {
  return storage().run(response, work);
}

/**
 * Finds the response behind the current request, to cut its connection: a web stream by itself cannot end one whose
 * reader takes nothing. Undefined without an HTTP server in front, as in tests.
 */
export function findRawResponse(): ServerResponse | undefined {
  return storage().getStore();
}
