"use client";

import { ClaimButtons, ClaimLine, SnoozeLine, WakeButton } from "#components/actions/wait-handling.tsx";
import classes from "#components/rollouts/rollout-handling.module.css";
import { LinkList } from "#components/ui/link-list.tsx";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

/** Shows the claim and the snooze of a waiting rollout, and the links that lead out of Gatehouse. */
export function RolloutHandling({ rollout }: { rollout: RolloutDetail }) {
  const { handling, links, name } = rollout;
  return (
    <div>
      {handling !== null && <ClaimLine handling={handling} />}
      {handling !== null && handling.snooze !== null && <SnoozeLine snooze={handling.snooze} />}
      <div className={classes.links}>
        {handling !== null && (
          <>
            <ClaimButtons rollout={rollout} handling={handling} />
            <WakeButton rollout={rollout} handling={handling} />
          </>
        )}
        <LinkList links={links} about={name} />
      </div>
    </div>
  );
}
