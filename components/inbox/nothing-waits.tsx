"use client";

import { Anchor } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import Link from "next/link";
import { AuditSentence } from "#components/ui/audit-sentence.tsx";
import { NothingHere } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useLastAnswer } from "#lib/client/audit-queries.ts";
import { auditHref } from "#lib/client/rollout-path.ts";

/** Shows that nothing needs a decision, with the last thing that somebody decided. */
export function NothingWaits() {
  const last = useLastAnswer().data?.items[0];
  return (
    <NothingHere
      icon={<IconCircleCheck size={40} stroke={1.2} />}
      title="Nothing needs a decision"
      hint={
        <>
          Rollouts in every cluster appear here when they pause for a decision, end Inconclusive or degrade.
          {last !== undefined && (
            <>
              <br />
              Last answer: <AuditSentence item={last} />, <RelativeTime at={last.time} /> (
              <Anchor component={Link} href={auditHref(last.seq)} inherit>
                entry {last.seq}
              </Anchor>
              ).
            </>
          )}
        </>
      }
      action={
        <Anchor component={Link} href="/rollouts">
          All rollouts
        </Anchor>
      }
    />
  );
}
