import type { StreamStatus } from "#lib/client/event-stream/shared-stream.ts";
import type { Source } from "#lib/contract/system.ts";

export type Freshness = {
  tone: "good" | "wait" | "bad";
  /** Short words for the lamp. `sinceMs` completes them with a time. */
  words: "live" | "connecting" | "no sources yet" | "no answer" | "stale" | "denied" | "held" | "syncing";
  /** For `live`: when something was heard last, of the source that is worst off; else since when it is so, where known. */
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

/** Answers older than this say nothing about now. */
const answerLifetimeMs = 35_000;

/**
 * How far what the page shows can be trusted. A page that gets no answers is stale whatever the last answer said, and
 * one bad source outweighs many good ones.
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

  // What the config names no more is watched by nobody, and that is as it should be.
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

/** The newer of both contacts: staleness goes by the older, but that one is half a minute old where all is well. */
function heardMs({ watchContact, readContact, lastContact }: Source): number[] {
  const times = [watchContact, readContact, lastContact].flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  return times.length === 0 ? [] : [Math.max(...times)];
}

function least(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}
