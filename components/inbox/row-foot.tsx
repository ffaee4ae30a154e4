"use client";

import { Anchor } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ClaimButtons, LineButton, WakeButton } from "#components/actions/wait-handling.tsx";
import classes from "#components/inbox/inbox.module.css";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { findingHref } from "#lib/client/finding-queries.ts";
import { useWithdrawAcknowledgement } from "#lib/client/inbox-queries.ts";
import { rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const SnoozeDialog = dynamic(
  () => import("#components/inbox/snooze-dialog.tsx").then((module) => module.SnoozeDialog),
  { ssr: false },
);

const mostLinks = 3;

export function RowLinks({ item }: { item: InboxItem }) {
  const { rollout, evidence, links, finding } = item;
  const runUid = evidence[0]?.runUid;
  return (
    <div className={classes.links}>
      {finding !== null && (
        <Anchor
          component={HoverLink}
          href={findingHref(finding.id)}
          size="sm"
          aria-label={`Finding about ${rollout.name}: ${finding.title}`}
        >
          Finding
        </Anchor>
      )}
      {runUid !== undefined && (
        <Anchor component={HoverLink} href={runHref(runUid)} size="sm" aria-label={`Analysis run of ${rollout.name}`}>
          Analysis run
        </Anchor>
      )}
      <Anchor
        component={HoverLink}
        href={rolloutHref(rollout, "releases")}
        size="sm"
        aria-label={`Releases of ${rollout.name}`}
      >
        Releases
      </Anchor>
      <LinkList links={links} about={rollout.name} most={mostLinks} />
    </div>
  );
}

/** Shows the buttons that handle the wait without acting on the cluster. */
export function RowHandling({ item }: { item: InboxItem }) {
  const { rollout, answer, handling } = item;
  return (
    <span className={classes.handling}>
      {(answer === null || handling.claim !== null) && <ClaimButtons rollout={rollout} handling={handling} />}
      <SnoozeButton item={item} />
      <AcknowledgeButton item={item} />
    </span>
  );
}

/** Snoozes the row for all users, or ends the snooze. Hidden from people who may not, and for answered rows. */
function SnoozeButton({ item: { rollout, answer, handling } }: { item: InboxItem }) {
  const [isOpen, setOpen] = useState(false);
  if (answer !== null) return null;
  if (handling.snooze !== null) return <WakeButton rollout={rollout} handling={handling} />;
  if (handling.maySnooze === null) return null;
  return (
    <>
      <LineButton label={`Snooze ${rollout.namespace}/${rollout.name}`} onClick={() => setOpen(true)}>
        Snooze
      </LineButton>
      {isOpen && <SnoozeDialog rollout={rollout} limits={handling.maySnooze} onClose={() => setOpen(false)} />}
    </>
  );
}

const AcknowledgeDialog = dynamic(
  () => import("#components/inbox/acknowledge-dialog.tsx").then((module) => module.AcknowledgeDialog),
  { ssr: false },
);

/** Removes the row from the inbox until its state changes, or puts it back. Hidden from people who may do neither. */
function AcknowledgeButton({ item: { rollout, answer, mayAcknowledge } }: { item: InboxItem }) {
  const [isOpen, setOpen] = useState(false);
  const withdraw = useWithdrawAcknowledgement();
  if (!mayAcknowledge || answer?.kind === "aborted") return null;
  const name = `${rollout.namespace}/${rollout.name}`;
  if (answer !== null) {
    return (
      <Anchor
        component="button"
        type="button"
        size="sm"
        disabled={withdraw.isPending}
        aria-label={`Put ${name} back into the inbox`}
        onClick={() => withdraw.mutate(rollout)}
      >
        {withdraw.error === null ? "Put back" : `Not put back: ${withdraw.error.message}`}
      </Anchor>
    );
  }
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-label={`Acknowledge ${name}`}
        onClick={() => setOpen(true)}
      >
        Acknowledge
      </Anchor>
      {isOpen && <AcknowledgeDialog rollout={rollout} onClose={() => setOpen(false)} />}
    </>
  );
}
