import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { affectedKeys } from "#lib/client/affected-keys.ts";
import { saysStale } from "#lib/client/says-stale.ts";
import { useSources } from "#lib/client/system-queries.ts";

/**
 * Refetches the queries that depend on freshness when a source's state changes. A source that falls silent writes no
 * change: only its age, checked with each response about the sources, reveals it. Mounted once, in the shell.
 */
export function useSourceChanges(): void {
  const client = useQueryClient();
  const { data, dataUpdatedAt } = useSources();
  const states = data?.items.map(({ cluster, kind, namespace, state }) => [cluster, kind, namespace, state]);
  const text = states === undefined ? undefined : JSON.stringify(states);
  const seen = useRef<string>(undefined);
  useEffect(() => {
    if (text === undefined || text === seen.current) return;
    const isFirst = seen.current === undefined;
    seen.current = text;
    if (isFirst) return;
    for (const queryKey of affectedKeys({ kind: "source", id: "", op: "upsert" })) {
      if (queryKey[0] !== "sources") void client.invalidateQueries({ queryKey });
    }
  }, [client, text]);
  // A page may have loaded during a silence that no answer about the sources has shown: each such answer refetches it.
  useEffect(() => {
    if (dataUpdatedAt === 0) return;
    void client.invalidateQueries({ type: "active", predicate: ({ state }) => saysStale(state.data) });
  }, [client, dataUpdatedAt]);
}
