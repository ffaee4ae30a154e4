"use client";

import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { ConfigStatus } from "#lib/contract/system.ts";

type Held = NonNullable<ConfigStatus["held"]>;

/** What it lists is what is confirmed: a file that changed since is refused by its digest. */
export function ConfirmConfigDialog({ held: liveHeld, onClose }: { held: Held; onClose: () => void }) {
  const [held] = useState(liveHeld);
  const [reason, setReason] = useState("");
  const [isReasonMissing, setReasonMissing] = useState(false);
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

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    setReasonMissing(reason.trim() === "");
    if (reason.trim() !== "") confirmation.mutate();
  }

  return (
    <Modal opened onClose={onClose} title="Confirm the removal" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Removed
            what="Clusters"
            names={held.clusters}
            then="They are not recorded any more; what was recorded stays."
          />
          <Removed what="Role bindings" names={held.bindings} then="These people lose their roles at once." />
          <Textarea
            label="Reason"
            description="Required. Recorded in the audit log."
            withAsterisk
            aria-required
            autosize
            minRows={2}
            maxLength={2000}
            data-autofocus
            value={reason}
            error={isReasonMissing && reason.trim() === "" ? "Say why." : undefined}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {confirmation.error !== null && (
            <Text size="sm" c="var(--gh-red-text)" role="alert">
              {confirmation.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={confirmation.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={confirmation.isPending}>
              Confirm the removal
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Removed({ what, names, then }: { what: string; names: readonly string[]; then: string }) {
  if (names.length === 0) return null;
  return (
    <div>
      <Text fw={600} size="sm">
        {what} that go: <bdi>{names.join(", ")}</bdi>
      </Text>
      <Text size="sm">{then}</Text>
    </div>
  );
}
