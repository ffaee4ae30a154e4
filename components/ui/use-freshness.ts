import { type Freshness, summariseFreshness } from "#components/ui/summarise-freshness.ts";
import { useNow } from "#components/ui/use-now.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import { useSources } from "#lib/client/system-queries.ts";
import { useStreamStatus } from "#lib/client/use-change-stream.ts";

/** Returns how fresh this page's data is, computed once a second. */
export function useFreshness(): Freshness {
  const now = useNow();
  const stream = useStreamStatus();
  const { data, dataUpdatedAt } = useSources();
  const skew = now === 0 ? 0 : serverNowMs() - Date.now();
  return summariseFreshness({ sources: data?.items, answeredMs: dataUpdatedAt + skew, stream, nowMs: now });
}
