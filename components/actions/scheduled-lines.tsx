"use client";

import { Button, Group, Text } from "@mantine/core";
import { FormError } from "#components/ui/dialog-parts.tsx";
import { formatClock } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ErrorNotice } from "#components/ui/query-view.tsx";
import { nameWithUsername } from "#lib/client/describe-approval.ts";
import { useScheduledActions, useWithdrawScheduled } from "#lib/client/schedule-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { entryOf } from "#lib/domain/acting/action-catalogue.ts";

/** Shows what is to be done on the rollout later, and what was not done in the last day; nothing if there is none. */
export function ScheduledLines({ rollout }: { rollout: RolloutSummary }) {
  const { data, error, refetch } = useScheduledActions(rollout);
  if (data === undefined)
    return error === null ? null : (
      <ErrorNotice what="The scheduled actions of this rollout" error={error} onRetry={() => void refetch()} />
    );
  return data.items.filter((item) => item.rollout.id === rollout.id).map((item) => <Line key={item.id} item={item} />);
}

function Line({ item }: { item: ScheduledAction }) {
  const withdraw = useWithdrawScheduled(item.id);
  const words = describeScheduled(item, serverNowMs());
  return (
    <>
      <Group gap="sm">
        <Text size="sm" c={isToCome(item) ? undefined : "dimmed"} style={{ overflowWrap: "anywhere" }}>
          <HostileText text={words} />
          {item.state === "running" && ": in progress"}
          {item.message === "" ? (
            "."
          ) : (
            <>
              : <HostileText text={item.message} />
            </>
          )}
        </Text>
        {item.withdrawable && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Withdraw: ${words}`}
            loading={withdraw.isPending}
            onClick={() => withdraw.mutate()}
          >
            Withdraw
          </Button>
        )}
      </Group>
      <FormError title="Not withdrawn" error={withdraw.error} />
    </>
  );
}

/** Shows in small text what is to be done on one row's rollout. The rows of a list share one query. */
export function ScheduledNote({ rolloutId }: { rolloutId: string }) {
  const items = useScheduledActions().data?.items ?? [];
  return items
    .filter((item) => item.rollout.id === rolloutId && isToCome(item))
    .map((item) => (
      <Text key={item.id} size="xs" c="dimmed">
        <HostileText text={`${describeScheduled(item, serverNowMs())}.`} />
      </Text>
    ));
}

/** Returns "Continue at 09:00 by operator". */
function describeScheduled(
  { action, dueAt, requestedBy, requestedByUsername }: ScheduledAction,
  nowMs: number,
): string {
  const who = nameWithUsername(requestedBy, requestedByUsername);
  return `${entryOf(action).label} at ${formatClock(Date.parse(dueAt), nowMs)} by ${who}`;
}

/** Returns whether it is still to be done, or being done. */
function isToCome({ state }: Pick<ScheduledAction, "state">): boolean {
  return state === "pending" || state === "running";
}
