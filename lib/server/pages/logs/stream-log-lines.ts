import type { LogRecord, RolloutLogLinesQuery } from "#lib/contract/log.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { pods } from "#lib/domain/kube/find-owned-pods.ts";
import type { PodWithContainers } from "#lib/domain/kube/pod-containers.ts";
import { splitLogTime } from "#lib/domain/kube/split-log-time.ts";
import { isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { splitLogLines } from "#lib/server/clusters/kubernetes/split-log-lines.ts";
import { objectPath, readStatusMessage } from "#lib/server/clusters/object-api.ts";
import { assertSomeRead, findLogPlace, type LogPlace, readVersionPods } from "#lib/server/pages/logs/find-log-place.ts";
import { type LogLimits, logLimits, takeLogSlots } from "#lib/server/pages/logs/log-limits.ts";
import { asLogRefusal } from "#lib/server/pages/logs/log-refusal.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { mergeStreams } from "#lib/util/merge-streams.ts";

const usualTail = 500;
/** A quiet container delays the API server's answer: after this long, the others are shown without it. */
const openWithinMs = 3_000;

type End = Extract<LogRecord, { type: "end" }>;

/**
 * Opens the logs of some pods of a rollout, read from the cluster as the person. Yields records; the last one has the
 * reason for the end. Nothing is stored. `signal` ends the requests to the API server: abort it when the reader is
 * gone. Throws `not_found` if none of the pods belongs to the rollout any more, `rate_limited`, and the first refusal
 * if the cluster refused all logs.
 */
export async function streamLogLines({
  ctx,
  input,
  signal,
  limits = logLimits,
}: Call<RolloutPath & RolloutLogLinesQuery> & { signal: AbortSignal; limits?: LogLimits }): Promise<
  AsyncGenerator<LogRecord, void, void>
> {
  const place = await findLogPlace(ctx, input);
  const versions = await readVersionPods(place);
  assertSomeRead(versions);
  const found = versions.flatMap(({ pods }) => pods).filter(({ name }) => input.pods.includes(name));
  const gone = input.pods.filter((name) => !found.some((pod) => pod.name === name));
  if (found.length === 0) throw new ServiceError("not_found", describeGone(gone));
  const release = takeLogSlots(ctx.runtime, { person: actorKey(ctx.actor), wanted: found.length, limits });
  // Also if the answer is never read.
  signal.addEventListener("abort", release, { once: true });
  const stop = new AbortController();
  try {
    const all = AbortSignal.any([signal, stop.signal]);
    const asked = found.map((pod) => askFor(pod, input));
    const read = asked.map((each) => readPodLog(place, each, { maxLineBytes: limits.maxLineBytes, signal: all }));
    await assertSomeOpen(read.map(({ opened }) => opened));
    const items = mergeStreams(read.map((each) => each.items));
    return bound({ items, gone, limits, stop, release, isFollowed: input.follow });
  } catch (error) {
    stop.abort();
    release();
    throw error;
  }
}

function askFor(pod: PodWithContainers, input: RolloutLogLinesQuery): PodLogAsking {
  const { follow, previous, sinceTime, untilTime } = input;
  const tailLines = input.tailLines ?? (sinceTime === undefined ? usualTail : undefined);
  const container = input.container ?? pod.containers[0]?.name ?? "";
  return { pod: pod.name, container, follow, previous, tailLines, sinceTime, untilTime };
}

/** Waits until one log is open or the time is up. Throws the first refusal if all were refused. */
async function assertSomeOpen(openings: readonly Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<"time is up">((resolve) => {
    timer = setTimeout(resolve, openWithinMs, "time is up");
  });
  const outcome = await Promise.race([timeUp, Promise.allSettled(openings)]);
  clearTimeout(timer);
  if (outcome === "time is up" || outcome.some(({ status }) => status === "fulfilled")) return;
  const [first] = outcome;
  if (first?.status === "rejected") throw asServiceError(first.reason);
}

function asServiceError(reason: unknown): unknown {
  if (isServiceError(reason) || !isClusterUnreachableError(reason)) return reason;
  return new ServiceError("unavailable", `Cluster ${reason.cluster} does not answer.`, { cause: reason });
}

/** Ends an answer at its limits, and gives everything back, however it ends. */
async function* bound({
  items,
  gone,
  limits,
  stop,
  release,
  isFollowed,
}: {
  items: AsyncGenerator<PodLogItem, void, void>;
  gone: readonly string[];
  limits: LogLimits;
  stop: AbortController;
  release: () => void;
  isFollowed: boolean;
}): AsyncGenerator<LogRecord, void, void> {
  let [lines, bytes] = [0, 0];
  let isTimeUp = false;
  const timer = setTimeout(() => {
    isTimeUp = true;
    stop.abort();
  }, limits.maxMinutes * 60_000);
  timer.unref();
  const maxBytes = limits.maxMebibytes * 1024 * 1024;
  try {
    for (const pod of gone) yield { type: "problem", pod, text: describeGone([pod]) };
    for await (const item of items) {
      if (item.record.type === "line") lines += 1;
      bytes += item.bytes;
      if (lines > limits.maxLines) return yield endOf("lines", `This answer ends at ${limits.maxLines} lines.`);
      if (bytes > maxBytes) return yield endOf("bytes", `This answer ends at ${limits.maxMebibytes} MiB.`);
      yield item.record;
    }
    if (isTimeUp) yield endOf("time", `This answer ends after ${limits.maxMinutes} minutes.`);
    else yield endOf("complete", isFollowed ? "The containers have ended." : "");
  } finally {
    clearTimeout(timer);
    stop.abort();
    release();
  }
}

function endOf(reason: End["reason"], text: string): End {
  return { type: "end", reason, text };
}

function describeGone(names: readonly string[]): string {
  if (names.length === 1) return `Pod ${names[0]} is gone, and its log with it.`;
  return "These pods are gone, and their logs with them.";
}

type PodLogAsking = {
  pod: string;
  container: string;
  follow: boolean;
  previous: boolean;
  tailLines: number | undefined;
  /** ISO 8601. */
  sinceTime: string | undefined;
  untilTime: string | undefined;
};

/** A line, or the reason why lines are missing; `bytes`: the size that was read for it. */
type PodLogItem = { record: Extract<LogRecord, { type: "line" | "problem" }>; bytes: number };

/**
 * Opens the log of one container. `opened` settles once the API server has answered, which may take until the container
 * writes a line; it rejects with a ServiceError. `items` waits for that itself, and yields a refusal as a record.
 */
function readPodLog(
  { client, as, row }: Pick<LogPlace, "client" | "as" | "row">,
  asked: PodLogAsking,
  { maxLineBytes, signal }: { maxLineBytes: number; signal: AbortSignal },
): { opened: Promise<unknown>; items: AsyncGenerator<PodLogItem> } {
  const { cluster, namespace } = row;
  const open = async (): Promise<AsyncIterable<Uint8Array>> => {
    const answer = await client.stream({
      path: `${objectPath({ resource: pods, namespace, name: asked.pod })}/log`,
      query: {
        container: asked.container,
        timestamps: true,
        follow: asked.follow || undefined,
        previous: asked.previous || undefined,
        tailLines: asked.tailLines,
        sinceTime: asked.sinceTime === undefined ? undefined : toWholeSecond(asked.sinceTime),
      },
      as,
      signal,
    });
    if (answer.chunks !== undefined) return answer.chunks;
    const place = { cluster, namespace, username: as.username };
    throw asLogRefusal(place, asked, { status: answer.status, message: readStatusMessage(answer) });
  };
  const opened = open();
  // A caller that awaits it gets the error; it may never be awaited.
  opened.catch(() => {});
  return { opened, items: readItems({ opened, asked, maxLineBytes, signal }) };
}

async function* readItems({
  opened,
  asked,
  maxLineBytes,
  signal,
}: {
  opened: Promise<AsyncIterable<Uint8Array>>;
  asked: PodLogAsking;
  maxLineBytes: number;
  signal: AbortSignal;
}): AsyncGenerator<PodLogItem> {
  const { pod } = asked;
  const since = asked.sinceTime === undefined ? undefined : Date.parse(asked.sinceTime);
  const until = asked.untilTime === undefined ? undefined : Date.parse(asked.untilTime);
  try {
    for await (const line of splitLogLines(await opened, { maxLineBytes })) {
      const { at, text } = splitLogTime(line.text);
      const ms = at === null ? undefined : Date.parse(at);
      if (ms !== undefined && until !== undefined && ms > until) return;
      // The cluster cuts at whole seconds, so it sends lines from before too.
      if (ms !== undefined && since !== undefined && ms < since) continue;
      const dropped = line.droppedBytes === 0 ? {} : { droppedBytes: line.droppedBytes };
      yield { record: { type: "line", pod, at, text, ...dropped }, bytes: line.bytes };
    }
  } catch (error) {
    if (signal.aborted) return;
    yield { record: { type: "problem", pod, text: describeFailure(pod, error) }, bytes: 0 };
  }
}

function describeFailure(pod: string, error: unknown): string {
  if (isServiceError(error)) return (error satisfies ServiceError).message;
  if (isClusterUnreachableError(error)) return `The connection for pod ${pod} was lost.`;
  throw error;
}

/** The cluster takes no fraction of a second; rounding down loses no line. */
function toWholeSecond(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
