"use client";

import { Text } from "@mantine/core";
import { useState } from "react";
import { ReasonField } from "#components/ui/dialog-parts.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { useAcknowledgeFinding } from "#lib/client/finding-queries.ts";
import { isBlank } from "#lib/util/text.ts";

type AcknowledgeFindingDialogProps = { finding: { id: string; title: string }; onClose: () => void };

/** Asks for a reason. Nothing is sent to the cluster. */
export function AcknowledgeFindingDialog({ finding, onClose }: AcknowledgeFindingDialogProps) {
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const acknowledge = useAcknowledgeFinding();

  function confirm(): void {
    setSent(true);
    if (isBlank(reason)) return;
    acknowledge.mutate({ id: finding.id, reason: reason.trim() }, { onSuccess: onClose });
  }

  return (
    <FormDialog
      title="Acknowledge the finding"
      request={acknowledge}
      onSubmit={confirm}
      onClose={onClose}
      label="Acknowledge"
      errorTitle="Not acknowledged"
    >
      <Text size="sm">
        <HostileText text={finding.title} />
      </Text>
      <Text size="sm" c="dimmed">
        It no longer counts as open for anyone until it becomes more severe or comes back. Nothing is sent to the
        cluster.
      </Text>
      <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} />
    </FormDialog>
  );
}
