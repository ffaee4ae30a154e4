import type { LogRecord, RolloutLogLinesQuery } from "#lib/contract/log.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { PodWithContainers } from "#lib/domain/kube/pod-containers.ts";
import { isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { assertSomeRead, findLogPlace, readVersionPods } from "#lib/server/pages/logs/find-log-place.ts";
import { type LogLimits, logLimits } from "#lib/server/pages/logs/log-limits.ts";
import { takeLogSlots } from "#lib/server/pages/logs/log-slots.ts";
import { type PodLogAsking, type PodLogItem, readPodLog } from "#lib/server/pages/logs/read-pod-log.ts";
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
