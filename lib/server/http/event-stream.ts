import type { Rights } from "#lib/domain/policy/rights.ts";
import { activityHeader, authenticate } from "#lib/server/auth/authenticate.ts";
import {
  type Change,
  type ChangeCursor,
  compareCursors,
  formatCursor,
  parseCursor,
} from "#lib/server/db/change-log.ts";
import { clientAddress } from "#lib/server/http/client-address.ts";
import { mayHear } from "#lib/server/http/may-hear.ts";
import type { WebRuntime } from "#lib/server/runtime/web-runtime.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

export type StreamTiming = {
  commentEveryMs: number;
  /** Rights that were taken away end within 30 s: what the check itself takes is in that. */
  recheckEveryMs: number;
};
const usualTiming: StreamTiming = { commentEveryMs: 15_000, recheckEveryMs: 20_000 };
/** A reader that leaves this many bytes unread is cut: it resumes by Last-Event-ID when it can read again. */
const maxBufferedBytes = 256 * 1024;
const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Server-sent events from the change log: `change` events, each with its cursor as id. Resumes after Last-Event-ID, or
 * says `reset` where the log no longer reaches back to it. Tells only of what the caller may read; the caller's rights
 * are checked again while it is open, and `reset` is said where they have become others.
 */
export async function openEventStream({
  ctx,
  request,
  runtime,
  timing = usualTiming,
}: {
  ctx: ServiceContext;
  request: Request;
  runtime: WebRuntime;
  timing?: StreamTiming;
}): Promise<Response> {
  // Next drops the body of an answer to HEAD without cancelling it: the stream would stay open for ever.
  if (request.method === "HEAD") return new Response(null, { headers: streamHeaders });
  const resumeText = request.headers.get("last-event-id");
  const resumeAt = resumeText === null ? undefined : parseCursor(resumeText);
  let stop: (() => void) | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: async (controller) => {
        const stream = createStream({ controller, runtime, rights: ctx.actor.rights, onEnd: () => stop?.() });
        stop = keepOpen({ stream, runtime, request, requestId: ctx.requestId, timing });
        await stream.begin({ isResuming: resumeText !== null, resumeAt });
      },
      cancel: () => stop?.(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
  );
  return new Response(body, { headers: streamHeaders });
}

type Stream = {
  begin(place: { isResuming: boolean; resumeAt: ChangeCursor | undefined }): Promise<void>;
  comment(): void;
  setRights(rights: Rights): void;
  close(): void;
  unsubscribe(): void;
};

function createStream({
  controller,
  runtime,
  rights: firstRights,
  onEnd,
}: {
  controller: ReadableStreamDefaultController<Uint8Array>;
  runtime: WebRuntime;
  rights: Rights;
  onEnd: () => void;
}): Stream {
  const encoder = new TextEncoder();
  let isOpen = true;
  let told: ChangeCursor | undefined;
  let rights = firstRights;
  /** Changes that arrive while older ones are still being read from the log. */
  let waiting: Change[] | undefined = [];

  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    onEnd();
    try {
      controller.close();
    } catch {
      // The client went away first.
    }
  };
  const write = (text: string) => {
    if (!isOpen) return;
    controller.enqueue(encoder.encode(text));
    if ((controller.desiredSize ?? 0) > 0) return;
    runtime.metrics.streamCuts.inc();
    close();
  };
  const writeChanges = (changes: readonly Change[]) => {
    const fresh = changes.filter(({ cursor }) => told === undefined || compareCursors(cursor, told) > 0);
    const last = fresh.at(-1);
    if (last === undefined) return;
    told = last.cursor;
    const heard = fresh.filter((change) => mayHear(rights, change));
    if (heard.length === 0) return;
    write(
      heard
        .map(({ cursor, event }) => formatEvent({ id: cursor, name: "change", data: JSON.stringify(event) }))
        .join(""),
    );
  };
  const writeReset = (cursor: ChangeCursor) => {
    told = cursor;
    write(formatEvent({ id: cursor, name: "reset", data: "{}" }));
  };
  const unsubscribe = runtime.changes.subscribe({
    onChanges: (changes) => (waiting === undefined ? writeChanges(changes) : void waiting.push(...changes)),
    onReset: writeReset,
    onClose: close,
  });

  return {
    begin: async ({ isResuming, resumeAt }) => {
      const now = runtime.changes.cursor();
      const missed =
        resumeAt === undefined ? undefined : await runtime.changes.readSince(resumeAt).catch(() => "reset" as const);
      write("retry: 2000\n\n");
      if (Array.isArray(missed)) {
        told = resumeAt;
        writeChanges(missed);
      } else if (now === undefined) {
        // The log has not been read yet, so there is no place to begin from: the client comes again.
        close();
      } else if (isResuming) writeReset(now);
      else {
        told = now;
        write(`id: ${formatCursor(now)}\n\n`);
      }
      const held = waiting ?? [];
      waiting = undefined;
      writeChanges(held);
    },
    // The id tells a reader of little how far the log has come: it resumes from there.
    comment: () => write(`: still here\n${told === undefined ? "" : `id: ${formatCursor(told)}\n`}\n`),
    setRights: (next) => {
      const isSame = JSON.stringify(next) === JSON.stringify(rights);
      rights = next;
      if (!isSame && told !== undefined) writeReset(told);
    },
    close,
    unsubscribe,
  };
}

/** Comments, and the repeated check of the caller's rights: a session that ends takes its stream along. */
function keepOpen({
  stream,
  runtime,
  request,
  requestId,
  timing,
}: {
  stream: Stream;
  runtime: WebRuntime;
  request: Request;
  requestId: string;
  timing: StreamTiming;
}): () => void {
  const address = clientAddress(request.headers);
  const headers = new Headers(request.headers);
  // An open stream is no sign of a person's doing.
  headers.delete(activityHeader);
  const commentTimer = setInterval(stream.comment, timing.commentEveryMs);
  const recheckTimer = setInterval(() => {
    const checked = authenticate({ runtime, headers, address }).then(({ rights }) => stream.setRights(rights));
    checked.catch((error: unknown) => {
      // While the database is away nothing is sent either; any refusal ends the stream.
      if (!(error instanceof ServiceError) || error.code === "unavailable") return;
      runtime.log.info({ requestId }, "event stream closed: no longer signed in");
      stream.close();
    });
  }, timing.recheckEveryMs);
  commentTimer.unref();
  recheckTimer.unref();
  request.signal.addEventListener("abort", stream.close, { once: true });
  return () => {
    clearInterval(commentTimer);
    clearInterval(recheckTimer);
    stream.unsubscribe();
  };
}

function formatEvent({ id, name, data }: { id: ChangeCursor; name: string; data: string }): string {
  return `id: ${formatCursor(id)}\nevent: ${name}\ndata: ${data}\n\n`;
}
