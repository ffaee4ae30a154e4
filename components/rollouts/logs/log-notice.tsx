import { Button, Skeleton, Stack, Text } from "@mantine/core";
import classes from "#components/rollouts/logs/logs.module.css";
import type { LogState } from "#components/rollouts/logs/use-log-lines.ts";
import type { LogView } from "#components/rollouts/logs/use-log-view.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import type { LogPod } from "#lib/contract/log.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

type LogNoticeProps = {
  state: LogState & { retry: () => void };
  rollout: RolloutDetail;
  view: LogView;
  pods: readonly LogPod[];
  /** There are lines, but none matches the search. */
  hasLines: boolean;
};

/** Explains, in place of the lines, why no line is shown. */
export function LogNotice({ state, rollout, view, pods, hasLines }: LogNoticeProps) {
  const { status, error } = state;
  if (pods.length > 0 && status === "loading")
    return (
      <Stack gap={6} className={classes.note} aria-hidden="true">
        {[70, 55, 82, 64].map((width) => (
          <Skeleton key={width} height={12} width={`${width}%`} />
        ))}
      </Stack>
    );
  return (
    <Stack gap="xs" className={classes.note}>
      <Text size="sm" role={error === null ? undefined : "alert"}>
        <HostileText text={explain({ state, view, pods, hasLines })} />
      </Text>
      {isGatehouseError(error, "cluster_refused") && (
        <Text size="sm" c="dimmed">
          Logs are read with your own rights in the cluster. A role such as the ClusterRole <code>view</code> gives
          them.
        </Text>
      )}
      {(error !== null || view.at !== null) && <LinkList links={rollout.links} about={rollout.name} />}
      {status === "failed" && (
        <div>
          <Button size="xs" variant="default" onClick={state.retry}>
            Try again
          </Button>
        </div>
      )}
    </Stack>
  );
}

function explain({ state, view, pods, hasLines }: Omit<LogNoticeProps, "rollout">): string {
  const { error, problems } = state;
  if (hasLines) return "No line matches.";
  if (view.previous && pods.length === 0) return "None of these pods has restarted this container.";
  if (pods.length === 0)
    return "This version has no pods now, so there is no log. The cluster deletes logs with their pods.";
  if (error !== null) return error.message;
  if (view.at === null) return problems.size > 0 ? "There are no lines." : "Nothing has been written yet.";
  const at = view.at.getTime();
  const isYounger = pods.every(({ createdAt }) => createdAt !== null && Date.parse(createdAt) > at);
  return isYounger
    ? `These pods started after ${formatExact(view.at.toISOString())}. The pods of that time are gone, and their logs with them.`
    : `No lines within a minute of ${formatExact(view.at.toISOString())}. The cluster may have rotated the log since.`;
}
