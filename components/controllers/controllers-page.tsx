"use client";

import { DataList, Paper, Skeleton, Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import {
  ControllerLatency,
  ControllerLink,
  ControllerStateLine,
  ControllerVersion,
  LastScrape,
} from "#components/controllers/controller-parts.tsx";
import classes from "#components/controllers/controllers.module.css";
import { formatReading, sumControllers } from "#components/controllers/describe-controller.ts";
import { Fact } from "#components/ui/fact.tsx";
import { IconHeartbeat } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { type HeadColumn, TableHead } from "#components/ui/table-parts.tsx";
import { useControllers } from "#lib/client/controller-queries.ts";
import type { Controller } from "#lib/contract/controller.ts";

export function ControllersPage() {
  const controllers = useControllers();
  return (
    <>
      <PageTitle>Controllers</PageTitle>
      <QueryView
        what="The controllers"
        query={{ data: controllers.data?.items, error: controllers.error, refetch: controllers.refetch }}
        skeleton={<Skeleton height={260} aria-hidden="true" />}
      >
        {(items) =>
          items.length === 0 ? (
            <NothingHere
              icon={<IconHeartbeat size={40} stroke={1.2} />}
              title="No controllers yet"
              hint="A controller appears when the recorder sees its Deployment, or when the config names its metrics: clusters[].controllers.endpoints."
            />
          ) : (
            <Stack gap="lg">
              <Text>{sumControllers(items)}</Text>
              {[...Map.groupBy(items, ({ cluster }) => cluster)].map(([cluster, group]) => (
                <ClusterControllers key={cluster} cluster={cluster} controllers={group} />
              ))}
              <Text size="sm" c="dimmed" className={classes.words}>
                Rates and percentiles are of the last five minutes. A percentile is estimated from a histogram: the
                exact value lies in the bucket in brackets. “Not reported” does not mean zero.
              </Text>
            </Stack>
          )
        }
      </QueryView>
    </>
  );
}

function ClusterControllers({ cluster, controllers }: { cluster: string; controllers: readonly Controller[] }) {
  const isNarrow = useMediaQuery("(max-width: 75em)");
  const id = `cluster-${cluster}`;
  return (
    <Section id={id} title={cluster}>
      <Paper withBorder className={classes.frame}>
        {isNarrow ? (
          <ul className={classes.cards} aria-labelledby={id}>
            {controllers.map((controller) => (
              <ControllerCard key={controller.id} controller={controller} />
            ))}
          </ul>
        ) : (
          <ControllerTable labelledBy={id} controllers={controllers} />
        )}
      </Paper>
    </Section>
  );
}

const columns: readonly HeadColumn[] = [
  { header: "Controller", width: "20%" },
  { header: "State", width: "19%" },
  { header: "Version", width: "11%" },
  { header: "Errors / min", width: "9%", align: "right" },
  { header: "Latency", width: "22%" },
  { header: "Queue", width: "10%", align: "right" },
  { header: "Last scrape", width: "9%" },
];

function ControllerTable({ labelledBy, controllers }: { labelledBy: string; controllers: readonly Controller[] }) {
  return (
    <Table aria-labelledby={labelledBy} className={classes.table}>
      <TableHead columns={columns} />
      <Table.Tbody>
        {controllers.map((controller) => (
          <Table.Tr key={controller.id} data-row>
            <Table.Th scope="row" className={classes.name}>
              <ControllerLink controller={controller} />
            </Table.Th>
            <Table.Td className={classes.words}>
              <ControllerStateLine controller={controller} />
            </Table.Td>
            <Table.Td>
              <ControllerVersion controller={controller} />
            </Table.Td>
            <Table.Td ta="right">{formatReading(controller.errors)}</Table.Td>
            <Table.Td>
              <ControllerLatency controller={controller} />
            </Table.Td>
            <Table.Td ta="right">{formatReading(controller.depth)}</Table.Td>
            <Table.Td>
              <LastScrape controller={controller} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Shows the same as a card, for narrow screens. */
function ControllerCard({ controller }: { controller: Controller }) {
  return (
    <li className={classes.card} data-row>
      <div className={classes.name}>
        <ControllerLink controller={controller} />
      </div>
      <div className={classes.words}>
        <ControllerStateLine controller={controller} />
      </div>
      <DataList gap={4} labelWidth="8rem" mt={6} className={classes.cardFacts}>
        <Fact label="Version">
          <ControllerVersion controller={controller} />
        </Fact>
        <Fact label="Errors per minute">{formatReading(controller.errors)}</Fact>
        <Fact label="Latency">
          <ControllerLatency controller={controller} />
        </Fact>
        <Fact label="Queue">{formatReading(controller.depth)}</Fact>
        <Fact label="Last scrape">
          <LastScrape controller={controller} />
        </Fact>
      </DataList>
    </li>
  );
}
