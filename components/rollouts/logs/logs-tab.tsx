"use client";

import { Alert, Button, Group, NativeSelect, SegmentedControl, Skeleton, Stack, Switch, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { chooseColumns, hasPrevious, listContainers, listSources } from "#components/rollouts/logs/log-choice.ts";
import { LogColumn } from "#components/rollouts/logs/log-column.tsx";
import classes from "#components/rollouts/logs/logs.module.css";
import { type LogView, type SetLogView, useLogView } from "#components/rollouts/logs/use-log-view.ts";
import { FilterText } from "#components/ui/filter-bar.tsx";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconColumns2, IconLock } from "#components/ui/icons.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { useRolloutLogs } from "#lib/client/rollout-queries.ts";
import type { RolloutLogs } from "#lib/contract/log.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

/** Shows the logs of both versions' pods side by side, read from the cluster with the reader's own rights. */
export function LogsTab({ rollout }: { rollout: RolloutDetail }) {
  const { view } = useLogView();
  const { data, error, refetch } = useRolloutLogs(rollout, view.job);
  if (data === undefined && (isGatehouseError(error, "cluster_refused") || isGatehouseError(error, "not_allowed_now")))
    return <Refusal rollout={rollout} text={error.message} isRight={error.code === "cluster_refused"} />;
  return (
    <QueryView what="The pods" query={{ data, error, refetch }} skeleton={<Skeleton height={420} />}>
      {(logs) => <Logs rollout={rollout} logs={logs} />}
    </QueryView>
  );
}

function Logs({ rollout, logs }: { rollout: RolloutDetail; logs: RolloutLogs }) {
  const { view, set } = useLogView();
  const isNarrow = useMediaQuery("(max-width: 48em)", false);
  const isWrapped = view.wrap ?? isNarrow;
  const groups = listSources(logs);
  const { left, right } = chooseColumns(groups, view);
  if (left === undefined)
    return (
      <NothingHere
        icon={<IconColumns2 size={40} stroke={1.2} />}
        title="No pods"
        hint="This rollout runs no pods now. The cluster deletes logs with their pods."
      />
    );
  const columns = [left, right];
  const containers = listContainers(columns);
  const usual = containers[0]?.name ?? null;
  const mayAdd = right === undefined && groups.flatMap(({ items }) => items).length > 1;
  const other = groups.flatMap(({ items }) => items).find(({ value }) => value !== left.value);
  return (
    <Stack gap="sm">
      {view.at !== null && (
        <Alert variant="outline" color="gray" p="xs" bg="var(--gh-surface)">
          <Group gap="sm" justify="space-between">
            <Text size="sm">
              One minute before and after <strong>{formatExact(view.at.toISOString())}</strong>. The dashed line marks
              it.
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => void set({ at: null })}>
              Show the newest lines
            </Button>
          </Group>
        </Alert>
      )}
      <Group justify="space-between" gap="xs" align="flex-end">
        <LogTools
          view={view}
          set={set}
          containers={containers}
          usual={usual}
          hasPrevious={hasPrevious(columns, view.container)}
          isWrapped={isWrapped}
        />
        {mayAdd && other !== undefined && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconColumns2 size={14} aria-hidden="true" />}
            onClick={() => void set({ right: other.value })}
          >
            Add a column
          </Button>
        )}
      </Group>
      <div className={classes.columns}>
        <LogColumn
          rollout={rollout}
          source={left}
          groups={groups}
          view={view}
          isWrapped={isWrapped}
          onChoose={(value) => void set({ left: value })}
          {...(right === undefined ? {} : { onClose: () => void set({ left: right.value, right: "none" }) })}
        />
        {right !== undefined && (
          <LogColumn
            rollout={rollout}
            source={right}
            groups={groups}
            view={view}
            isWrapped={isWrapped}
            onChoose={(value) => void set({ right: value })}
            onClose={() => void set({ right: "none" })}
          />
        )}
      </div>
      <Text size="xs" c="dimmed">
        Read from cluster {rollout.cluster} as {logs.readAs}, with your own rights there. Gatehouse does not store log
        lines.
        {!logs.source.fresh && ` The versions may be out of date: ${logs.source.reason}`}
      </Text>
    </Stack>
  );
}

function Refusal({ rollout, text, isRight }: { rollout: RolloutDetail; text: string; isRight: boolean }) {
  return (
    <Alert
      color="gray"
      variant="outline"
      bg="var(--gh-surface)"
      icon={<IconLock size={18} />}
      title={isRight ? "You may not read these logs" : "No logs here"}
      role="alert"
    >
      <Text size="sm">
        <HostileText text={text} />
      </Text>
      {isRight && (
        <Text size="sm" mt={4}>
          Logs are read with your own rights in the cluster. A role such as the ClusterRole <code>view</code> gives
          them.
        </Text>
      )}
      <LinkList links={rollout.links} about={rollout.name} />
    </Alert>
  );
}

type LogToolsProps = {
  view: LogView;
  set: SetLogView;
  containers: readonly { name: string; label: string }[];
  /** The container that is shown if none was chosen. */
  usual: string | null;
  hasPrevious: boolean;
  isWrapped: boolean;
};

/** Chooses the settings that the columns share: container, instance, search, and line format. */
function LogTools({ view, set, containers, usual, hasPrevious, isWrapped }: LogToolsProps) {
  const isAround = view.at !== null;
  return (
    <search className={classes.tools} aria-label="Choose and search lines">
      <NativeSelect
        size="xs"
        aria-label="Container"
        value={view.container ?? usual ?? ""}
        data={containers.map(({ name, label }) => ({ value: name, label }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          void set({ container: value === usual ? null : value, previous: null });
        }}
      />
      {(hasPrevious || view.previous) && (
        <SegmentedControl
          size="xs"
          aria-label="Instance"
          value={view.previous ? "previous" : "current"}
          onChange={(value) => void set({ previous: value === "previous" ? true : null })}
          data={[
            { value: "current", label: "Current" },
            { value: "previous", label: "Before the restart" },
          ]}
        />
      )}
      <FilterText
        label="Find in lines"
        isSearch
        value={view.find}
        onChange={(value) => void set({ find: value, ...(value === null ? { only: null } : {}) })}
      />
      <div className={classes.switches}>
        <Switch
          size="xs"
          label="Only matching lines"
          checked={view.only}
          disabled={view.find === ""}
          onChange={(event) => void set({ only: event.currentTarget.checked || null })}
        />
        {!isAround && (
          <Switch
            size="xs"
            label="Follow"
            checked={view.follow && !view.previous}
            disabled={view.previous}
            onChange={(event) => void set({ follow: event.currentTarget.checked ? null : false })}
          />
        )}
        <Switch
          size="xs"
          label="Times"
          checked={view.times}
          onChange={(event) => void set({ times: event.currentTarget.checked ? null : false })}
        />
        <Switch
          size="xs"
          label="Wrap"
          checked={isWrapped}
          onChange={(event) => void set({ wrap: event.currentTarget.checked })}
        />
      </div>
    </search>
  );
}
