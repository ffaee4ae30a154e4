"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { LineButton } from "#components/actions/line-button.tsx";
import { WakeButton } from "#components/actions/snoozed.tsx";
import type { InboxItem } from "#lib/contract/inbox.ts";

const SnoozeDialog = dynamic(
  () => import("#components/inbox/snooze-dialog.tsx").then((module) => module.SnoozeDialog),
  { ssr: false },
);

/** Puts the row off for everybody, or ends that. Hidden from people who may not, and for answered rows. */
export function SnoozeButton({ item: { rollout, answer, handling } }: { item: InboxItem }) {
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
