"use client";

import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { CreateCredentialDialog } from "#components/gate-credentials/create-credential-dialog.tsx";
import { allHooks } from "#components/gate-credentials/write-hooks.ts";
import { classifyToken } from "#components/settings/describe-token.ts";
import {
  ConfirmButton,
  type ListColumn,
  ListSection,
  TimeOrNever,
  TokenState,
} from "#components/settings/list-section.tsx";
import { IconWebhook } from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { useHookCredentials, useRevokeHookCredential } from "#lib/client/credential-queries.ts";
import { useAdministeredClusters, useIsAdmin } from "#lib/client/system-queries.ts";
import type { HookCredential } from "#lib/contract/hook.ts";

/** Shows cluster admins the credentials with which controllers ask at gates; renders nothing for other readers. */
export function HooksSection() {
  const clusters = useAdministeredClusters();
  const isEveryAdmin = useIsAdmin();
  return isEveryAdmin || clusters.length > 0 ? <Hooks clusters={clusters} /> : null;
}

function Hooks({ clusters }: { clusters: readonly string[] }) {
  const list = useHookCredentials();
  const nowMs = useNow();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <ListSection
        id="hook-credentials"
        title="Hook credentials"
        what="The hook credentials"
        list={list}
        action={
          <Button size="xs" variant="default" disabled={clusters.length === 0} onClick={() => setCreating(true)}>
            Create a hook credential
          </Button>
        }
        empty={{
          icon: <IconWebhook size={40} stroke={1.2} />,
          title: "No hook credentials yet",
          hint: "Flagger uses one to ask Gatehouse at the gates of a canary; an API server uses one to report who made a change.",
        }}
        columns={columns}
        act={{ header: "Revoke it", cell: (credential) => <RevokeCredential credential={credential} /> }}
        isOver={(credential) => classifyToken(credential, nowMs).word !== "Valid"}
      />
      {isCreating && (
        <CreateCredentialDialog
          clusters={clusters}
          namespaces=""
          types={allHooks}
          canAudit
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

const columns: readonly ListColumn<HookCredential>[] = [
  {
    header: "Name",
    isName: true,
    cell: ({ name, createdBy }) => (
      <>
        {name}
        <Text size="xs" c="dimmed" fw={400}>
          by {createdBy}
        </Text>
      </>
    ),
  },
  { header: "State", cell: (credential) => <TokenState token={credential} /> },
  { header: "For", cell: ({ purpose }) => (purpose === "flagger" ? "Flagger" : "Audit events") },
  { header: "Cluster", cell: ({ cluster }) => cluster },
  { header: "Namespaces", cell: ({ namespaces }) => namespaces.join(", ") },
  { header: "Last used", cell: ({ lastUsedAt }) => <TimeOrNever at={lastUsedAt} /> },
  { header: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { header: "Expires", cell: ({ expiresAt }) => <TimeOrNever at={expiresAt} /> },
];

function RevokeCredential({ credential: { id, name, revokedAt } }: { credential: HookCredential }) {
  const revoke = useRevokeHookCredential();
  if (revokedAt !== null) return null;
  return (
    <ConfirmButton
      label="Revoke"
      what={`hook credential ${name}`}
      isPending={revoke.isPending}
      onConfirm={() =>
        revoke.mutate(id, {
          onError: (error) =>
            notifications.show({ color: "red", title: "The credential was not revoked", message: error.message }),
        })
      }
    />
  );
}
