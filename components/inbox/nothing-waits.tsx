"use client";

import { Anchor } from "@mantine/core";
import { IconCircleCheck, IconZoomQuestion } from "@tabler/icons-react";
import Link from "next/link";
import { describeNothing } from "#components/inbox/describe-nothing.ts";
import { AuditSentence } from "#components/ui/audit-sentence.tsx";
import { NothingHere } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useFreshness } from "#components/ui/use-freshness.ts";
import { useLastAnswer } from "#lib/client/audit-queries.ts";
import { auditHref } from "#lib/client/rollout-path.ts";

/** Shows that nothing needs a decision, or that this is not known, with the latest decision. */
export function NothingWaits() {
  const last = useLastAnswer().data?.items[0];
  const { isKnown, title, hint } = describeNothing(useFreshness());
  const Icon = isKnown ? IconCircleCheck : IconZoomQuestion;
  return (
    <NothingHere
      icon={<Icon size={40} stroke={1.2} />}
      title={title}
      hint={
        <>
          {hint}
          {!isKnown && (
            <>
              {" "}
              <Anchor component={Link} href="/sources" inherit>
                Sources
              </Anchor>
            </>
          )}
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
