"use client";

import { Alert, Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { IconBolt } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { describeFault, describeScope } from "#demo/page/fault-catalogue.ts";
import { FaultForm } from "#demo/page/fault-form.tsx";
import { usePlayFault, useSandboxFaults } from "#demo/page/fault-queries.ts";
import classes from "#demo/page/faults.module.css";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { ActiveFault, SandboxFaults } from "#lib/contract/sandbox-faults.ts";

export function FaultsPage() {
  const faults = useSandboxFaults();
  return (
    <>
      <PageTitle>Faults</PageTitle>
      <Text size="sm" c="dimmed" mb="md" className={classes.words}>
        The demo's cluster can fail the way real ones do. Play a fault, then look at{" "}
        <Anchor component={Link} href="/sources" inherit>
          Sources
        </Anchor>{" "}
        and at the actions of a rollout. Each play is recorded in the audit log.
      </Text>
      <QueryView what="The faults" query={faults} skeleton={<Skeleton height={320} aria-hidden="true" />}>
        {(data) => (
          <div className={classes.columns}>
            <section aria-labelledby="play">
              <Title order={2} id="play" mb="xs">
                Play a fault
              </Title>
              <FaultForm ways={data.ways} faults={data.faults} />
            </section>
            <Active faults={data} />
          </div>
        )}
      </QueryView>
    </>
  );
}

function Active({ faults }: { faults: SandboxFaults }) {
  const end = usePlayFault();
  return (
    <section aria-labelledby="active">
      <Group justify="space-between" mb="xs" mih={30}>
        <Title order={2} id="active">
          On now
        </Title>
        {faults.active.length > 0 && (
          <Button size="xs" variant="default" onClick={() => end.mutate({ fault: "none" })}>
            End all
          </Button>
        )}
      </Group>
      {end.error !== null && (
        <Alert color="red" variant="outline" mb="sm" role="alert" bg="var(--gh-surface)">
          {end.error.message}
        </Alert>
      )}
      {faults.active.length === 0 ? (
        <Paper withBorder className={classes.panel}>
          <NothingHere
            icon={<IconBolt size={32} stroke={1.2} />}
            title="No active faults"
            hint="Active faults appear here with the time they have left."
          />
        </Paper>
      ) : (
        <Stack gap="xs" component="ul" className={classes.list}>
          {faults.active.map((active) => (
            <li key={`${active.fault} ${active.since} ${describeScope(active)}`}>
              <ActiveOne
                active={active}
                onEnd={() => {
                  const { resource, namespace, verb } = active;
                  end.mutate({ fault: "none", resource, namespace, verb });
                }}
              />
            </li>
          ))}
        </Stack>
      )}
    </section>
  );
}

function ActiveOne({ active, onEnd }: { active: ActiveFault; onEnd: () => void }) {
  const now = useNow();
  const { label, plays, rule, expect } = describeFault(active.fault, active.how);
  const left =
    active.until === undefined
      ? "until ended"
      : now === 0
        ? ""
        : `${formatDuration(Date.parse(active.until) - now)} left`;
  return (
    <Paper withBorder className={classes.panel}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={600}>
            {label}{" "}
            <Text span size="sm" c="dimmed" fw={400}>
              {rule}
            </Text>
          </Text>
          <Text size="sm">
            {plays} {expect}
          </Text>
          <Text size="sm" c="dimmed">
            <bdi>{describeScope(active)}</bdi> · {left}
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          flex="none"
          onClick={onEnd}
          aria-label={`End: ${label}, ${describeScope(active)}`}
        >
          End
        </Button>
      </Group>
    </Paper>
  );
}
