import { Group, Text } from "@mantine/core";
import { CutText } from "#components/ui/hostile-text.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { PlaceText } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { shortenKey } from "#lib/client/record-names.ts";
import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";

/** What an analysis run and an Experiment have in common. */
type Measured = Pick<AnalysisRunSummary, "namespace" | "cluster" | "rollout" | "revision" | "podHash" | "presence">;

export const clusterColumn: Column<{ cluster: string }> = {
  key: "cluster",
  header: "Cluster",
  width: "8%",
  leaves: 2,
  cell: ({ cluster }) => <CutText title={cluster}>{cluster}</CutText>,
};

/** A list leaves it out while there are no teams. */
export const teamColumn: Column<{ team: string | null }> = {
  key: "team",
  header: "Team",
  width: "9%",
  leaves: 1,
  cell: ({ team }) =>
    team === null ? (
      <Text span c="dimmed" inherit>
        none
      </Text>
    ) : (
      <CutText title={team}>{team}</CutText>
    ),
};

export const ownerColumn: Column<Measured> = {
  key: "rollout",
  header: "Rollout",
  width: "18%",
  cell: (item) => <Owner item={item} />,
};

export const revisionColumn: Column<Measured> = {
  key: "revision",
  header: "Revision",
  width: "8%",
  leaves: 2,
  align: "right",
  cell: ({ revision, podHash }) =>
    revision ?? (podHash === null ? "unknown" : <span title={podHash}>{shortenKey(podHash)}</span>),
};

export const presenceColumn: Column<Measured> = {
  key: "presence",
  header: "Stored in",
  width: "11%",
  leaves: 1,
  cell: ({ presence }) => placeWords[presence],
};

const placeWords: Record<Measured["presence"], string> = {
  live: "the cluster",
  deleted: "Gatehouse only",
  unobserved: "Gatehouse, end not seen",
  derived: "Gatehouse, from messages",
};

export function Owner({ item: { namespace, rollout } }: { item: Pick<Measured, "namespace" | "rollout"> }) {
  if (rollout === null) return <CutText title={`${namespace}, no rollout`}>{namespace}, no rollout</CutText>;
  return <PlaceText namespace={rollout.namespace} name={rollout.name} />;
}

export function describePresence(presence: Measured["presence"]): string {
  switch (presence) {
    case "live":
      return "in the cluster";
    case "deleted":
      return "Gatehouse only";
    case "unobserved":
      return "end not seen";
    case "derived":
      return "derived from messages";
  }
}

type CardTopProps = { at: string | null; isDated?: boolean; children: React.ReactNode };

/** The first line of a card: its state, and a time at the end. */
export function CardTop({ at, isDated = false, children }: CardTopProps) {
  return (
    <Group justify="space-between" gap="xs">
      {children}
      {at !== null && (
        <Text size="xs" c="dimmed">
          <RelativeTime at={at} isDated={isDated} />
        </Text>
      )}
    </Group>
  );
}
