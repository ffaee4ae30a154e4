import { useNow } from "#components/ui/use-now.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { StreamStatus } from "#lib/client/shared-stream.ts";
import { useSources } from "#lib/client/system-queries.ts";
import { useStreamStatus } from "#lib/client/use-change-stream.ts";
import type { Source } from "#lib/contract/system.ts";

/** Returns how fresh this page's data is, computed once a second. */
export function useFreshness(): Freshness {
  const now = useNow();
  const stream = useStreamStatus();
  const { data, dataUpdatedAt } = useSources();
  const skew = now === 0 ? 0 : serverNowMs() - Date.now();
  return summariseFreshness({ sources: data?.items, answeredMs: dataUpdatedAt + skew, stream, nowMs: now });
}

export type Freshness = {
  tone: "good" | "wait" | "bad";
  /** Short words for the indicator. `sinceMs` completes them with a time. */
  words: "live" | "connecting" | "no sources yet" | "no answer" | "offline" | "stale" | "denied" | "held" | "syncing";
  /** For `live`: the last contact of the worst source; otherwise the start of this state, if known. */
  sinceMs: number | undefined;
  /** The sources that are not live. */
  troubled: Source[];
};

type Input = {
  sources: readonly Source[] | undefined;
  /** Time of the last successful answer about the sources, by the browser's clock. */
  answeredMs: number;
  stream: StreamStatus;
  nowMs: number;
};

/** Older answers are no evidence of the current state. */
const answerLifetimeMs = 35_000;

/**
 * Summarises how far the page's data can be trusted. A page that gets no answers is stale regardless of its last
 * answer, and one bad source outweighs many good ones.
 */
export function summariseFreshness({ sources, answeredMs, stream, nowMs }: Input): Freshness {
  if (sources === undefined) {
    const tone = stream.state === "lost" ? "bad" : "wait";
    return {
      tone,
      words: tone === "bad" ? "no answer" : "connecting",
      sinceMs: tone === "bad" ? stream.sinceMs : undefined,
      troubled: [],
    };
  }
  if (nowMs - answeredMs > answerLifetimeMs)
    return { tone: "bad", words: "no answer", sinceMs: answeredMs, troubled: [] };
  if (sources.length === 0) return { tone: "wait", words: "no sources yet", sinceMs: undefined, troubled: [] };

  // A source that the config no longer names is not watched, and that is correct.
  const troubled = sources.filter(({ state, configured }) => configured && state !== "live" && state !== "absent");
  const bad = troubled.filter(({ state }) => state !== "syncing");
  const contacts = (list: readonly Source[]) =>
    list.flatMap(({ lastContact }) => (lastContact === null ? [] : [Date.parse(lastContact)]));
  if (bad.length > 0) {
    if (bad.every(({ state, hold }) => state === "suspect" && hold !== null))
      return {
        tone: "bad",
        words: "held",
        sinceMs: least(bad.map(({ hold }) => Date.parse(hold?.since ?? ""))),
        troubled,
      };
    const isDenied = bad.every(({ state }) => state === "denied");
    return { tone: "bad", words: isDenied ? "denied" : "stale", sinceMs: least(contacts(bad)), troubled };
  }
  if (troubled.length > 0) return { tone: "wait", words: "syncing", sinceMs: undefined, troubled };
  const live = sources.filter(({ state }) => state === "live");
  return { tone: "good", words: "live", sinceMs: least(live.flatMap(heardMs)), troubled: [] };
}

/** Returns the newer contact. Staleness goes by the older one, but that is half a minute old even if all is well. */
function heardMs({ watchContact, readContact, lastContact }: Source): number[] {
  const times = [watchContact, readContact, lastContact].flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  return times.length === 0 ? [] : [Math.max(...times)];
}

function least(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}
