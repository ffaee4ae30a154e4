"use client";

import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ReasonField } from "#components/ui/dialog-parts.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { ConfigStatus } from "#lib/contract/system.ts";
import { isBlank } from "#lib/util/text.ts";

type Held = NonNullable<ConfigStatus["held"]>;

/** Confirms exactly the listed removals: a file that changed since is refused by its digest. */
export function ConfirmConfigDialog({ held: liveHeld, onClose }: { held: Held; onClose: () => void }) {
  const [held] = useState(liveHeld);
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const queries = useQueryClient();
  const confirmation = useMutation({
    mutationFn: () =>
      request<ConfigStatus>({
        method: "POST",
        path: "/api/v1/config/confirm",
        body: { reason: reason.trim(), digest: held.digest },
      }),
    onSuccess: async (status) => {
      queries.setQueryData(queryKeys.configStatus(), status);
      onClose();
      await Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.clusters() }),
        queries.invalidateQueries({ queryKey: queryKeys.sources() }),
      ]);
    },
  });

  function submit(): void {
    setSent(true);
    if (!isBlank(reason)) confirmation.mutate();
  }

  return (
    <FormDialog
      title="Confirm the removal"
      request={confirmation}
      onSubmit={submit}
      onClose={onClose}
      label="Confirm the removal"
      errorTitle="Not confirmed"
    >
      <Removed what="Clusters" names={held.clusters} then="Gatehouse stops recording them. Existing records stay." />
      <Removed what="Role bindings" names={held.bindings} then="These people lose their roles at once." />
      <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} />
    </FormDialog>
  );
}

function Removed({ what, names, then }: { what: string; names: readonly string[]; then: string }) {
  if (names.length === 0) return null;
  return (
    <div>
      <Text fw={600} size="sm">
        {what} to be removed: <bdi>{names.join(", ")}</bdi>
      </Text>
      <Text size="sm">{then}</Text>
    </div>
  );
}
