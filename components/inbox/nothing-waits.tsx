"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { AuditSentence } from "#components/ui/audit-sentence.tsx";
import { IconCircleCheck, IconZoomQuestion } from "#components/ui/icons.tsx";
import { NothingHere } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { type Freshness, useFreshness } from "#components/ui/use-freshness.ts";
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

/**
 * Words for an inbox without rows. That nothing waits is only claimed if every source is live; `isKnown` is false
 * otherwise.
 */
export function describeNothing({ words }: Pick<Freshness, "words">): {
  isKnown: boolean;
  title: string;
  hint: string;
} {
  if (words === "live" || words === "connecting")
    return {
      isKnown: true,
      title: "Nothing needs a decision",
      hint: "Rollouts in every cluster appear here when they pause for a decision, end Inconclusive or degrade.",
    };
  return {
    isKnown: false,
    title: "No known decisions",
    hint:
      words === "no sources yet"
        ? "No cluster is watched yet."
        : "Some sources are not live: a waiting rollout may be missing.",
  };
}
