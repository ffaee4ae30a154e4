"use client";

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconFileAlert } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useConfigStatus, useIsAdmin } from "#lib/client/system-queries.ts";

const ConfirmConfigDialog = dynamic(
  () => import("#components/shell/confirm-config-dialog.tsx").then((module) => module.ConfirmConfigDialog),
  { ssr: false },
);

/** Warns that the config file differs from the config in force, with the effect. An admin can accept a held file. */
export function ConfigBanner() {
  const status = useConfigStatus().data;
  const isAdmin = useIsAdmin();
  const [isConfirming, setConfirming] = useState(false);
  if (status === undefined || status.state === "ok") return null;
  const { held, since, error = "" } = status;
  return (
    <Alert
      color={held === undefined ? "red" : "orange"}
      variant="outline"
      mb="md"
      role="status"
      bg="var(--gh-surface)"
      icon={<IconFileAlert size={18} />}
      title={held === undefined ? "The config file cannot be used" : "Config change held"}
    >
      <Text size="sm">
        <HostileText text={error} />
        {since !== undefined && (
          <>
            {" "}
            (<RelativeTime at={since} />)
          </>
        )}
      </Text>
      <Text size="sm">
        {held === undefined
          ? "The last valid config stays in force: watching, recording and aborting continue. Actions that advance a rollout are off until the file is fixed."
          : "The previous config stays in force, and retention is paused."}
      </Text>
      {held !== undefined && isAdmin && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={() => setConfirming(true)}>
            Confirm the removal
          </Button>
        </Group>
      )}
      {held !== undefined && isConfirming && <ConfirmConfigDialog held={held} onClose={() => setConfirming(false)} />}
    </Alert>
  );
}
