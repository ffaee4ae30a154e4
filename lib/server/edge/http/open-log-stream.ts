import type { LogRecord } from "#lib/contract/log.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayRead } from "#lib/domain/policy/rights.ts";
import { clientAddress } from "#lib/server/edge/http/client-address.ts";
import { findRawResponse } from "#lib/server/edge/http/stream-lines.ts";
import { activityHeader, authenticate } from "#lib/server/people/auth/authenticate.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

export type LogStreamTiming = {
  idleEveryMs: number;
  /** A reader that takes nothing for this long is cut. */
  stallMs: number;
  /** Revoked rights end within 30 s, including the duration of the check itself. */
  recheckEveryMs: number;
};
const usualTiming: LogStreamTiming = { idleEveryMs: 10_000, stallMs: 30_000, recheckEveryMs: 20_000 };
const headers = {
  "content-type": "application/x-ndjson",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

type Records = AsyncGenerator<LogRecord, void, void>;

/**
 * Sends records as lines of JSON at the reader's pace. Ends the requests behind them when the reader goes, stalls, or
 * may no longer read the rollout.
 */
export async function openLogStream({
  request,
  runtime,
  place,
  open,
  timing = usualTiming,
}: {
  request: Request;
  runtime: WebRuntime;
  place: ObjectRef;
  open: (signal: AbortSignal) => Promise<Records>;
  timing?: LogStreamTiming;
}): Promise<Response> {
  // Next drops the body of a HEAD response without cancelling it: the logs would stay open.
  if (request.method === "HEAD") return new Response(null, { headers });
  const connection = findRawResponse();
  const gone = new AbortController();
  const records = await open(AbortSignal.any([gone.signal, request.signal]));
  const encoder = new TextEncoder();
  const encode = (record: LogRecord) => encoder.encode(`${JSON.stringify(record)}\n`);
  let stall: NodeJS.Timeout | undefined;
  let pending: ReturnType<Records["next"]> | undefined;
  const finish = (): void => {
    clearTimeout(stall);
    clearInterval(recheck);
    gone.abort();
    // Lets the generator give back what it holds, once its requests have ended.
    void records.return(undefined).catch(() => {});
  };
  let isRefused = false;
  let noteRefusal = (): void => {};
  const recheck = setInterval(() => {
    void isStillReadable({ request, runtime, place }).then((isReadable) => {
      if (isReadable) return;
      isRefused = true;
      noteRefusal();
    });
  }, timing.recheckEveryMs);
  recheck.unref();
  request.signal.addEventListener("abort", finish, { once: true });

  // Not a race of promises: one that stays pending would collect a reaction for every record.
  const waitFor = (next: ReturnType<Records["next"]>) =>
    new Promise<Awaited<typeof next> | "idle" | "refused">((resolve, reject) => {
      const timer = setTimeout(resolve, timing.idleEveryMs, "idle").unref();
      const settle = (outcome: Awaited<typeof next> | "refused") => {
        clearTimeout(timer);
        resolve(outcome);
      };
      noteRefusal = () => settle("refused");
      next.then(settle, reject);
    });
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      clearTimeout(stall);
      pending ??= records.next();
      const next = isRefused ? "refused" : await waitFor(pending);
      if (next === "refused") {
        controller.enqueue(encode({ type: "end", reason: "signed-out", text: "You may no longer read this." }));
        finish();
        return controller.close();
      }
      if (next !== "idle") pending = undefined;
      if (next !== "idle" && next.done === true) {
        finish();
        return controller.close();
      }
      controller.enqueue(encode(next === "idle" ? { type: "idle" } : next.value));
      stall = setTimeout(() => {
        finish();
        controller.error(new DOMException("the reader stopped taking what it asked for", "AbortError"));
        // An orderly end would wait for the reader.
        connection?.destroy();
      }, timing.stallMs).unref();
    },
    cancel: finish,
  });
  return new Response(body, { headers });
}

/** Returns whether the reader is still signed in and may see the rollout; true if that cannot be found out now. */
async function isStillReadable({
  request,
  runtime,
  place,
}: {
  request: Request;
  runtime: WebRuntime;
  place: ObjectRef;
}): Promise<boolean> {
  const own = new Headers(request.headers);
  // An open stream is not a sign of a person's activity.
  own.delete(activityHeader);
  try {
    const { rights } = await authenticate({ runtime, headers: own, address: clientAddress(request.headers) });
    return mayRead(rights, place);
  } catch (error) {
    return !isServiceError(error) || error.code === "unavailable";
  }
}
