"use client";

import { Paper, Skeleton, Stack, Table, Text, Title } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import classes from "#components/sources/sources.module.css";
import { classifySource } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useClusters, useSources } from "#lib/client/system-queries.ts";
import { useStreamStatus } from "#lib/client/use-change-stream.ts";
import type { Cluster, Source } from "#lib/contract/system.ts";

export function SourcesPage() {
  const sources = useSources();
  const clusters = useClusters();
  return (
    <>
      <PageTitle aside={<StreamLine />}>Sources</PageTitle>
      <QueryView
        what="The sources"
        data={sources.data?.items}
        error={sources.error}
        retry={() => void sources.refetch()}
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
              {[...Map.groupBy(items, ({ cluster }) => cluster)].map(([cluster, group]) => (
                <ClusterSources
                  key={cluster}
                  name={cluster}
                  cluster={clusters.data?.items.find(({ name }) => name === cluster)}
                  sources={group}
                />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </>
  );
}

function StreamLine() {
  const { state } = useStreamStatus();
  const words = {
    live: "This page follows every change.",
    connecting: "Connecting to the change stream.",
    lost: "The change stream is broken; the page asks by itself every ten seconds.",
  };
  return (
    <Text size="sm" c="dimmed">
      {words[state]}
    </Text>
  );
}

type ClusterSourcesProps = { name: string; cluster: Cluster | undefined; sources: readonly Source[] };

function ClusterSources({ name, cluster, sources }: ClusterSourcesProps) {
  const id = `cluster-${name}`;
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id}>
        {name}
      </Title>
      {cluster !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          {cluster.configured
            ? `${cluster.server} · ${cluster.access === "act" ? "Gatehouse may act here" : "read-only"}`
            : "No longer configured: what was recorded stays"}{" "}
          · {cluster.rollouts} rollouts
        </Text>
      )}
      <Paper withBorder className={classes.frame}>
        <Table.ScrollContainer minWidth={560}>
          <Table aria-labelledby={id}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Kind</Table.Th>
                <Table.Th scope="col">Namespace</Table.Th>
                <Table.Th scope="col">State</Table.Th>
                <Table.Th scope="col">Last contact</Table.Th>
                <Table.Th scope="col" ta="right">
                  Objects
                </Table.Th>
                <Table.Th scope="col">History since</Table.Th>
                <Table.Th scope="col">Last error</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sources.map((source) => (
                <SourceRow key={`${source.kind} ${source.namespace}`} source={source} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </section>
  );
}

function SourceRow({ source }: { source: Source }) {
  const { kind, namespace, state, lastContact, objects, historyBeginsAt, lastError } = source;
  return (
    <Table.Tr>
      <Table.Th scope="row">{kind}</Table.Th>
      <Table.Td>{namespace ?? "all"}</Table.Td>
      <Table.Td>
        <StateBadge shown={classifySource(state)} size="sm" />
      </Table.Td>
      <Table.Td>{lastContact === null ? "never" : <RelativeTime at={lastContact} />}</Table.Td>
      <Table.Td ta="right">{objects}</Table.Td>
      <Table.Td>{historyBeginsAt === null ? "not yet" : <RelativeTime at={historyBeginsAt} />}</Table.Td>
      <Table.Td className={classes.error}>{lastError === null ? "" : <HostileText text={lastError} />}</Table.Td>
    </Table.Tr>
  );
}
