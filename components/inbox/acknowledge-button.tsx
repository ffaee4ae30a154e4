"use client";

import { Anchor } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useWithdrawAcknowledgement } from "#lib/client/inbox-queries.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const AcknowledgeDialog = dynamic(
  () => import("#components/inbox/acknowledge-dialog.tsx").then((module) => module.AcknowledgeDialog),
  { ssr: false },
);

/** Removes the row from the inbox until its state changes, or puts it back. Hidden from people who may do neither. */
export function AcknowledgeButton({ item: { rollout, answer, mayAcknowledge } }: { item: InboxItem }) {
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
