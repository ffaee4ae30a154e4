import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

/** A reader that takes nothing for this long is cut, like one of the event stream: its data is not kept forever. */
const usualStallMs = 30_000;

/** Streams lines as they are produced, at the reader's pace. A failure midway breaks the connection. */
export function streamLines({
  lines,
  fileName,
  contentType,
  stallMs = usualStallMs,
}: {
  lines: AsyncGenerator<string>;
  fileName: string;
  contentType: string;
  stallMs?: number;
}): Response {
  const encoder = new TextEncoder();
  const connection = findRawResponse();
  let stall: NodeJS.Timeout | undefined;
  const cut = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.error(new DOMException("the reader stopped taking what it asked for", "AbortError"));
    // An orderly end would wait for the reader.
    connection?.destroy();
    void lines.return(undefined);
  };
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      clearTimeout(stall);
      const next = await lines.next();
      if (next.done === true) controller.close();
      else {
        controller.enqueue(encoder.encode(next.value));
        stall = setTimeout(cut, stallMs, controller).unref();
      }
    },
    cancel: async () => {
      clearTimeout(stall);
      await lines.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}

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
