"use client";

import { Text } from "@mantine/core";
import classes from "#components/rollouts/rollouts.module.css";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { StateKey } from "#components/ui/state-tokens.ts";
import { useNow } from "#components/ui/use-now.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

type Notice = RolloutDetail["notices"][number];

const states: Record<Notice["severity"], StateKey> = {
  critical: "failed",
  warning: "error",
  attention: "waiting",
  info: "unknown",
};

/** Shows the notices to read before any click, with the time left until the controller acts. */
export function Notices({ notices }: Pick<RolloutDetail, "notices">) {
  const now = useNow();
  if (notices.length === 0) return null;
  return (
    <section aria-label="What to know now" className={classes.notices} data-severity={highestOf(notices)}>
      <ul>
        {notices.map(({ severity, text, deadline }) => (
          <li key={text}>
            <StateIcon state={states[severity]} />
            <Text size="sm">
              {text} {deadline !== null && now > 0 && <strong>{describeDeadline(deadline, now)}</strong>}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

const order: readonly Notice["severity"][] = ["critical", "warning", "attention", "info"];

function highestOf(notices: readonly Notice[]): Notice["severity"] {
  return order.find((wanted) => notices.some(({ severity }) => severity === wanted)) ?? "info";
}

function describeDeadline(deadline: string, nowMs: number): string {
  const left = Date.parse(deadline) - nowMs;
  return left > 0 ? `${formatDuration(left)} left.` : "The deadline has passed.";
}
