import type { LogRecord } from "#lib/contract/log.ts";
import { pods } from "#lib/domain/kube/find-owned-pods.ts";
import { splitLogTime } from "#lib/domain/kube/split-log-time.ts";
import { isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { splitLogLines } from "#lib/server/clusters/kubernetes/split-log-lines.ts";
import { objectPath, readStatusMessage } from "#lib/server/clusters/object-api.ts";
import type { LogPlace } from "#lib/server/pages/logs/find-log-place.ts";
import { asLogRefusal } from "#lib/server/pages/logs/log-refusal.ts";
import { isServiceError, type ServiceError } from "#lib/server/platform/actor/service-error.ts";

export type PodLogAsking = {
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
export type PodLogItem = { record: Extract<LogRecord, { type: "line" | "problem" }>; bytes: number };

/**
 * Opens the log of one container. `opened` settles once the API server has answered, which may take until the container
 * writes a line; it rejects with a ServiceError. `items` waits for that itself, and yields a refusal as a record.
 */
export function readPodLog(
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
