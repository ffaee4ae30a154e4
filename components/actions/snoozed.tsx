"use client";

import { Text } from "@mantine/core";
import { IconBellZ } from "@tabler/icons-react";
import { formatClock } from "#components/actions/format-clock.ts";
import classes from "#components/actions/handling.module.css";
import { LineButton } from "#components/actions/line-button.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { useWake } from "#lib/client/inbox-queries.ts";
import type { Snooze, WaitHandling } from "#lib/contract/wait-handling.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Says who put it off, and until when: "Snoozed by operator until 14:30 (in 14 min): known load test". */
export function SnoozeLine({ snooze: { who, until, reason } }: { snooze: Snooze }) {
  const now = useNow();
  return (
    <Text size="sm" c="dimmed" className={classes.line}>
      <IconBellZ size={16} stroke={1.6} aria-hidden="true" />
      <span>
        Snoozed by <bdi>{who}</bdi> until{" "}
        {until === null ? (
          "it changes"
        ) : (
          <>
            {now > 0 && formatClock(Date.parse(until), now)} (<RelativeTime at={until} />)
          </>
        )}
        : <HostileText text={reason} />
      </span>
    </Text>
  );
}

/** Ends the snooze. Hidden without a snooze, and from people who may not end it. */
export function WakeButton({ rollout, handling }: { rollout: ObjectRef; handling: WaitHandling }) {
  const wake = useWake();
  if (handling.snooze === null || handling.maySnooze === null) return null;
  const name = `${rollout.namespace}/${rollout.name}`;
  return (
    <>
      <LineButton label={`Wake ${name} now`} isBusy={wake.isPending} onClick={() => wake.mutate(rollout)}>
        Wake now
      </LineButton>
      {wake.error !== null && (
        <Text span size="sm" role="alert" c="var(--gh-red-text)">
          <HostileText text={wake.error.message} />
        </Text>
      )}
    </>
  );
}
