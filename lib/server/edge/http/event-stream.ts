import type { ServerResponse } from "node:http";
import { type Rights, readsEverything } from "#lib/domain/policy/rights.ts";
import { clientAddress } from "#lib/server/edge/http/client-address.ts";
import { mayHear } from "#lib/server/edge/http/may-hear.ts";
import { findRawResponse } from "#lib/server/edge/http/stream-lines.ts";
import { activityHeader, authenticate } from "#lib/server/people/auth/authenticate.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import {
  type Change,
  type ChangeCursor,
  compareCursors,
  formatCursor,
  parseCursor,
} from "#lib/server/platform/db/change-log.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { isSame } from "#lib/util/diff-merge.ts";

export type StreamTiming = {
  commentEveryMs: number;
  /** Revoked rights end within 30 s, including the duration of the check itself. */
  recheckEveryMs: number;
  /** A stream whose reader could not be checked for this long is closed, for whatever reason. */
  uncheckedMs: number;
};
const usualTiming: StreamTiming = { commentEveryMs: 15_000, recheckEveryMs: 20_000, uncheckedMs: 30_000 };
/** A reader that leaves this many bytes unread is cut: it resumes by Last-Event-ID when it can read again. */
const maxBufferedBytes = 256 * 1024;
const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Opens server-sent events from the change log: `change` events, each with its cursor as id. Resumes after
 * Last-Event-ID, or sends `reset` if the log no longer reaches back to it. Sends only changes that the caller may read.
 * The caller's rights are checked again while the stream is open; if they change, it sends `reset`.
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
  // Next drops the body of a HEAD response without cancelling it: the stream would stay open forever.
  if (request.method === "HEAD") return new Response(null, { headers: streamHeaders });
  const owner = actorKey(ctx.actor);
  const connection = findRawResponse();
  assertMayOpen({ owner, runtime });
  const resumeText = request.headers.get("last-event-id");
  const resumeAt = resumeText === null ? undefined : parseCursor(resumeText);
  let stop: (() => void) | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: async (controller) => {
        const { rights } = ctx.actor;
        const stream = createStream({ controller, runtime, rights, owner, connection, onEnd: () => stop?.() });
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

/**
 * Limits the streams of one owner. One browser needs one stream for all its tabs; without a limit, a single token could
 * exhaust the process.
 */
function assertMayOpen({ owner, runtime }: { owner: string; runtime: WebRuntime }): void {
  const { streamsPerPerson } = runtime.config().config.limits;
  if (runtime.changes.listenerCount(owner) < streamsPerPerson) return;
  const detail = `You have ${streamsPerPerson} event streams open, which is the limit; close one and try again.`;
  throw new ServiceError("rate_limited", detail, { retryAfterSeconds: 30 });
}

function createStream({
  controller,
  runtime,
  rights: firstRights,
  owner,
  connection,
  onEnd,
}: {
  controller: ReadableStreamDefaultController<Uint8Array>;
  runtime: WebRuntime;
  rights: Rights;
  owner: string;
  connection: ServerResponse | undefined;
  onEnd: () => void;
}): Stream {
  let isOpen = true;
  let reported: ChangeCursor | undefined;
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
  const write = (bytes: Uint8Array) => {
    if (!isOpen) return;
    controller.enqueue(bytes);
    if ((controller.desiredSize ?? 0) > 0) return;
    runtime.metrics.streamCuts.inc();
    isOpen = false;
    onEnd();
    // An orderly end would wait for the reader to take what is queued; this drops it, and the connection.
    controller.error(new DOMException("the reader of the event stream fell behind", "AbortError"));
    connection?.destroy();
  };
  const writeChanges = (changes: readonly Change[]) => {
    const place = reported;
    const [first] = changes;
    // They are ordered: if the first one is new, all are, as for nearly every client nearly all the time.
    const areAllNew = first === undefined || place === undefined || compareCursors(first.cursor, place) > 0;
    const fresh =
      areAllNew || place === undefined ? changes : changes.filter(({ cursor }) => compareCursors(cursor, place) > 0);
    const last = fresh.at(-1);
    if (last === undefined) return;
    reported = last.cursor;
    const heard = readsEverything(rights) ? fresh : fresh.filter((change) => mayHear(rights, change));
    if (heard.length > 0) write(encodeChanges(heard));
  };
  const writeReset = (cursor: ChangeCursor) => {
    reported = cursor;
    write(encode(formatEvent({ id: cursor, name: "reset", data: "{}" })));
  };
  const unsubscribe = runtime.changes.subscribe({
    owner,
    onChanges: (changes) => (waiting === undefined ? writeChanges(changes) : void waiting.push(...changes)),
    onReset: writeReset,
    onClose: close,
  });

  return {
    begin: async ({ isResuming, resumeAt }) => {
      const now = runtime.changes.cursor();
      const missed =
        resumeAt === undefined ? undefined : await runtime.changes.readSince(resumeAt).catch(() => "reset" as const);
      write(encode("retry: 2000\n\n"));
      if (Array.isArray(missed)) {
        reported = resumeAt;
        writeChanges(missed);
      } else if (now === undefined) {
        // The log has not been read yet, so there is no starting position: the client reconnects.
        close();
      } else if (isResuming) writeReset(now);
      else {
        reported = now;
        write(encode(`id: ${formatCursor(now)}\n\n`));
      }
      const held = waiting ?? [];
      waiting = undefined;
      writeChanges(held);
    },
    // The id shows a reader with few rights how far the log has come: it resumes from there.
    comment: () => write(encode(`: still here\n${reported === undefined ? "" : `id: ${formatCursor(reported)}\n`}\n`)),
    setRights: (next) => {
      const hasChanged = !isSame(next, rights);
      rights = next;
      if (hasChanged && reported !== undefined) writeReset(reported);
    },
    close,
    unsubscribe,
  };
}

/** Sends comments, and repeats the check of the caller's rights: a stream ends with its session. */
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
  // An open stream is not a sign of a person's activity.
  headers.delete(activityHeader);
  const commentTimer = setInterval(stream.comment, timing.commentEveryMs);
  const closeUnchecked = () => {
    runtime.log.warn({ requestId }, "event stream closed: its reader's rights could not be checked");
    stream.close();
  };
  const startDeadline = () => setTimeout(closeUnchecked, timing.uncheckedMs).unref();
  let deadline = startDeadline();
  let isStopped = false;
  const recheck = async () => {
    try {
      const { rights } = await authenticate({ runtime, headers, address });
      if (isStopped) return;
      clearTimeout(deadline);
      deadline = startDeadline();
      stream.setRights(rights);
    } catch (error) {
      // Failures that are not refusals are tolerated until the deadline.
      if (!isServiceError(error) || error.code === "unavailable") return;
      runtime.log.info({ requestId }, "event stream closed: no longer signed in");
      stream.close();
    }
  };
  const recheckTimer = setInterval(() => void recheck(), timing.recheckEveryMs);
  commentTimer.unref();
  recheckTimer.unref();
  request.signal.addEventListener("abort", stream.close, { once: true });
  return () => {
    isStopped = true;
    clearInterval(commentTimer);
    clearInterval(recheckTimer);
    clearTimeout(deadline);
    stream.unsubscribe();
  };
}

const encoder = new TextEncoder();
const encode = (text: string): Uint8Array => encoder.encode(text);

const encoded = new WeakMap<readonly Change[], Uint8Array>();

/** Encodes a round of changes once: every client receives the same bytes. */
function encodeChanges(changes: readonly Change[]): Uint8Array {
  const known = encoded.get(changes);
  if (known !== undefined) return known;
  const bytes = encode(
    changes
      .map(({ cursor, event }) => formatEvent({ id: cursor, name: "change", data: JSON.stringify(event) }))
      .join(""),
  );
  encoded.set(changes, bytes);
  return bytes;
}

function formatEvent({ id, name, data }: { id: ChangeCursor; name: string; data: string }): string {
  return `id: ${formatCursor(id)}\nevent: ${name}\ndata: ${data}\n\n`;
}
