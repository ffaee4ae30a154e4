"use client";

import { Box, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useState } from "react";
import { describeClock, describeSource } from "#components/sources/describe-source.ts";
import { HeldDialog } from "#components/sources/held-dialog.tsx";
import { SourceCard, SourceTable } from "#components/sources/source-rows.tsx";
import classes from "#components/sources/sources.module.css";
import { classifySource, isForeign } from "#components/ui/classify-state.ts";
import { FindingList } from "#components/ui/finding-list.tsx";
import { IconPlugConnected } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { useClusters, useIsAdmin, useSources } from "#lib/client/system-queries.ts";
import { useStreamStatus } from "#lib/client/use-change-stream.ts";
import type { Cluster, Source, SourceState } from "#lib/contract/system.ts";
import { deliveryKinds } from "#lib/domain/delivery/delivery-kind.ts";
import { formatCountOf } from "#lib/util/words.ts";

const AddCluster = dynamic(() => import("#components/sources/add-cluster.tsx").then((module) => module.AddCluster), {
  ssr: false,
});

export function SourcesPage() {
  const isAdmin = useIsAdmin();
  const sources = useSources();
  const clusters = useClusters();
  // Kept by id, so that the dialog follows the source; if it leaves the list, the last one seen stays.
  const [opened, setOpened] = useState<Source>();
  const shown = sources.data?.items.find(({ id }) => id === opened?.id) ?? opened;
  return (
    <>
      <PageTitle aside={<StreamLine />}>Sources</PageTitle>
      <QueryView
        what="The sources"
        query={{ data: sources.data?.items, error: sources.error, refetch: sources.refetch }}
        skeleton={<Skeleton height={260} aria-hidden="true" />}
      >
        {(items) =>
          items.length === 0 ? (
            <NothingHere
              icon={<IconPlugConnected size={40} stroke={1.2} />}
              title="No sources yet"
              hint="A source is one kind of object in one cluster that the recorder watches. They appear once the recorder has started."
            />
          ) : (
            <Stack gap="lg">
              <FindingList label="Findings about sources" filters={{ about: "source" }} />
              {groupByCluster(items).map(([cluster, group]) => (
                <ClusterSources
                  key={cluster}
                  name={cluster}
                  cluster={clusters.data?.items.find(({ name }) => name === cluster)}
                  sources={group}
                  onHeld={setOpened}
                />
              ))}
              <Text size="sm" c="dimmed" className={classes.words}>
                A source is one kind of object in one cluster. Gatehouse tracks two signs of life: the watch, which may
                be quiet for half a minute, and a read of the newest state. A source is stale once the older of the two
                exceeds its limit.
              </Text>
            </Stack>
          )
        }
      </QueryView>
      {isAdmin && sources.data !== undefined && (
        <Box mt="lg">
          <AddCluster isOpen={sources.data.items.length === 0} />
        </Box>
      )}
      {shown !== undefined && <HeldDialog key={shown.id} source={shown} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function StreamLine() {
  const { state } = useStreamStatus();
  const words = {
    live: "Live",
    connecting: "Connecting to the change stream.",
    lost: "Change stream lost; this page refreshes every ten seconds.",
  };
  return (
    <Text size="sm" c="dimmed">
      {words[state]}
    </Text>
  );
}

type ClusterSourcesProps = {
  name: string;
  cluster: Cluster | undefined;
  sources: readonly Source[];
  onHeld: (source: Source) => void;
};

function ClusterSources({ name, cluster, sources, onHeld }: ClusterSourcesProps) {
  const isNarrow = useMediaQuery("(max-width: 56.25em)");
  const id = `cluster-${name}`;
  const isAllForeign = sources.length > 1 && sources.every((source) => isForeign(source));
  const first = sources[0];
  // Explained once: it is one problem, the same for every kind.
  const foreign = isAllForeign && first !== undefined ? describeSource({ ...first, hold: null }, 0) : undefined;
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id}>
        {name}
      </Title>
      <Text size="sm">{sumSources(sources)}</Text>
      {cluster !== undefined && (
        <Text size="sm" c="dimmed" mb="xs" style={{ overflowWrap: "anywhere" }}>
          {cluster.configured
            ? [cluster.server, cluster.access === "act" ? "actions enabled" : "read-only"].filter(Boolean).join(" · ")
            : "No longer configured or watched. Existing records stay."}
        </Text>
      )}
      {foreign !== undefined && (
        <Text size="sm" mb="xs" className={classes.words}>
          <strong>{foreign.meaning}</strong> {foreign.todo}
        </Text>
      )}
      {sources.some(({ clockSkewSeconds }) => describeClock(clockSkewSeconds) !== undefined) && (
        <Text size="sm" mb="xs" className={classes.words}>
          Its clock differs from the recorder's. Gatehouse orders events by its own clock and shows a duration as
          unknown if the clocks contradict each other.
        </Text>
      )}
      <Paper withBorder className={classes.frame}>
        {isNarrow ? (
          <ul className={classes.cards} aria-labelledby={id}>
            {sources.map((source) => (
              <SourceCard key={source.id} source={source} isBrief={isAllForeign} onHeld={onHeld} />
            ))}
          </ul>
        ) : (
          <SourceTable labelledBy={id} sources={sources} isBrief={isAllForeign} onHeld={onHeld} />
        )}
      </Paper>
    </section>
  );
}

const worstFirst: readonly SourceState[] = ["error", "denied", "suspect", "stale", "syncing", "absent", "live"];

/** The kinds that decisions depend on come before those that only add detail. */
const decidingFirst: readonly string[] = [
  ...deliveryKinds,
  "AnalysisRun",
  "Experiment",
  "AnalysisTemplate",
  "ClusterAnalysisTemplate",
  "MetricTemplate",
];

/** Sorts sources that need attention first, then by kind. Unwatched ones come last. */
export function orderSources(sources: readonly Source[]): Source[] {
  return sources.toSorted(
    (left, right) =>
      rankOf(left) - rankOf(right) ||
      rankOfKind(left) - rankOfKind(right) ||
      left.kind.localeCompare(right.kind) ||
      (left.namespace ?? "").localeCompare(right.namespace ?? ""),
  );
}

/** Groups the sources by cluster, the cluster with the worst source first. */
export function groupByCluster(sources: readonly Source[]): [cluster: string, sources: Source[]][] {
  const groups = [...Map.groupBy(orderSources(sources), ({ cluster }) => cluster)];
  const best = (group: readonly Source[]) => (group[0] === undefined ? Number.POSITIVE_INFINITY : rankOf(group[0]));
  return groups.toSorted(([a, left], [b, right]) => best(left) - best(right) || a.localeCompare(b));
}

/** Summarises sources: "9 sources: 1 denied, 8 live · 214 objects, 3 held", "All 9 sources are live · 214 objects". */
export function sumSources(sources: readonly Source[]): string {
  const watched = sources.filter(({ configured }) => configured);
  const parts = worstFirst.flatMap((state) => {
    const count = watched.filter((source) => source.state === state).length;
    return count === 0 ? [] : [`${count} ${classifySource(state).word.toLowerCase()}`];
  });
  const gone = sources.length - watched.length;
  if (gone > 0) parts.push(`${gone} no longer configured`);
  const limits = [...new Set(watched.map(({ staleAfterSeconds }) => staleAfterSeconds))].toSorted((a, b) => a - b);
  const isCounted = sources.some((source) => source.objects !== null);
  const objects = sources.reduce((sum, source) => sum + (source.objects ?? 0), 0);
  const held = sources.reduce((sum, { hold }) => sum + (hold?.count ?? 0), 0);
  const counts = [...(isCounted ? [formatCountOf(objects, "object")] : []), ...(held === 0 ? [] : [`${held} held`])];
  const limit = limits.length === 0 ? "" : ` · stale after ${limits.join(" or ")} s`;
  const areLive = sources.length > 1 && sources.every(({ state, configured }) => configured && state === "live");
  const states = areLive
    ? `All ${formatCountOf(sources.length, "source")} are live`
    : `${formatCountOf(sources.length, "source")}: ${parts.join(", ")}`;
  return [states, ...(counts.length === 0 ? [] : [counts.join(", ")])].join(" · ") + limit;
}

function rankOfKind({ kind }: Source): number {
  const rank = decidingFirst.indexOf(kind);
  return rank === -1 ? decidingFirst.length : rank;
}

function rankOf({ state, configured }: Source): number {
  return configured ? worstFirst.indexOf(state) : worstFirst.length;
}
