import { Button, Group, Table, Text, Tooltip } from "@mantine/core";
import { describeClock, describeContacts, describeSource } from "#components/sources/describe-source.ts";
import classes from "#components/sources/sources.module.css";
import { classifySource, type ShownState } from "#components/ui/classify-state.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { type HeadColumn, TableHead } from "#components/ui/table-parts.tsx";
import { useNow } from "#components/ui/use-now.ts";
import type { Source } from "#lib/contract/system.ts";

/** `isBrief`: the meaning of the state is explained once above, for all rows. */
type RowProps = { source: Source; isBrief: boolean; onHeld: (source: Source) => void };
type TableProps = Omit<RowProps, "source"> & { labelledBy: string; sources: readonly Source[] };

const columns: readonly HeadColumn[] = [
  { header: "Kind", width: "24%" },
  { header: "State", width: "31%" },
  { header: "Last contact", width: "24%" },
  { header: "Objects", width: "8%", align: "right" },
  { header: "Recorded", width: "13%" },
];

export function SourceTable({ labelledBy, sources, isBrief, onHeld }: TableProps) {
  return (
    <Table aria-labelledby={labelledBy} className={classes.table}>
      <TableHead columns={columns} />
      <Table.Tbody>
        {sources.map((source) => (
          <Table.Tr key={source.id}>
            <Table.Th scope="row" className={classes.name}>
              {source.kind}
              <Scope source={source} />
            </Table.Th>
            <Table.Td>
              <State source={source} isBrief={isBrief} onHeld={onHeld} />
            </Table.Td>
            <Table.Td>
              <Contact source={source} />
            </Table.Td>
            <Table.Td ta="right">{source.objects ?? "unknown"}</Table.Td>
            <Table.Td>
              <History source={source} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Shows the same as a card, for narrow screens. */
export function SourceCard({ source, isBrief, onHeld }: RowProps) {
  return (
    <li className={classes.card}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
        <div className={classes.name}>
          {source.kind}
          <Scope source={source} />
        </div>
        {source.objects !== null && (
          <Text size="sm" style={{ whiteSpace: "nowrap" }}>
            {source.objects} {source.objects === 1 ? "object" : "objects"}
          </Text>
        )}
      </Group>
      <State source={source} isBrief={isBrief} onHeld={onHeld} />
      <Text size="sm" component="div" mt={2}>
        Last contact <Contact source={source} />
      </Text>
      <Text size="xs" c="dimmed" component="div">
        Recorded <History source={source} />
      </Text>
    </li>
  );
}

function Scope({ source: { namespace } }: { source: Source }) {
  return namespace === null ? null : (
    <Text size="xs" c="dimmed" fw={400}>
      in <bdi>{namespace}</bdi>
    </Text>
  );
}

function State({ source, isBrief, onHeld }: RowProps) {
  const now = useNow();
  const { meaning, todo } = describeSource(source, now);
  const shown: ShownState = source.configured
    ? classifySource(source.state)
    : { state: "unknown", word: "No longer configured" };
  return (
    <div className={classes.words}>
      <Group gap="xs" wrap="wrap">
        <StateBadge shown={shown} size="sm" />
        {source.hold !== null && (
          <Text size="sm" c="dimmed" component="span">
            held <RelativeTime at={source.hold.since} />
          </Text>
        )}
      </Group>
      {!isBrief && (source.state !== "live" || source.hold !== null || !source.configured) && (
        <Text size="sm">{meaning}</Text>
      )}
      {!isBrief && todo !== undefined && (
        <Text size="sm" c="dimmed">
          {todo}
        </Text>
      )}
      {source.lastError !== null && source.configured && (
        <div className={classes.error}>
          <HostileText text={source.lastError} />
        </div>
      )}
      {source.hold !== null && (
        <Button size="xs" variant="default" mt={6} mb={4} onClick={() => onHeld(source)}>
          Show held objects
        </Button>
      )}
    </div>
  );
}

function Contact({ source }: { source: Source }) {
  const now = useNow();
  // The older of the two is the one that the state goes by.
  const at = source.lastContact;
  const clock = describeClock(source.clockSkewSeconds);
  const exact = (what: string, time: string | null) =>
    time === null ? `${what}: never` : `${what}: ${formatExact(time)}`;
  return (
    <>
      {at === null ? "never" : <RelativeTime at={at} />}
      {source.state !== "live" && now !== 0 && (source.watchContact !== null || source.readContact !== null) && (
        <Tooltip label={`${exact("Watch", source.watchContact)}. ${exact("Read", source.readContact)}.`}>
          <Text size="xs" c="dimmed">
            {describeContacts(source, now)}
          </Text>
        </Tooltip>
      )}
      {clock !== undefined && (
        <Text size="xs" c="var(--gh-amber-text)">
          {clock}
        </Text>
      )}
    </>
  );
}

function History({ source: { historyBeginsAt } }: { source: Source }) {
  return historyBeginsAt === null ? "never" : <RelativeTime at={historyBeginsAt} form="for" />;
}
