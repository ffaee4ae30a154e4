"use client";

import { Button, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { CreateCredentialDialog } from "#components/hooks/create-credential-dialog.tsx";
import { allHooks } from "#components/hooks/write-hooks.ts";
import { ConfirmButton } from "#components/settings/confirm-button.tsx";
import { classifyToken } from "#components/settings/describe-token.ts";
import { ListSection } from "#components/settings/list-section.tsx";
import classes from "#components/settings/settings.module.css";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { useHookCredentials, useRevokeHookCredential } from "#lib/client/hook-queries.ts";
import { useClusters, useMe } from "#lib/client/system-queries.ts";
import type { HookCredential } from "#lib/contract/hook.ts";

/** Shows an admin the credentials with which controllers ask at gates; nothing to anybody else. */
export function HooksSection() {
  return useMe().data?.role === "admin" ? <Hooks /> : null;
}

function Hooks() {
  const list = useHookCredentials();
  const clusters = useClusters().data?.items.map(({ name }) => name) ?? [];
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
          hint: "With one, Flagger asks Gatehouse at the gates of a canary, or an API server tells who changed what.",
        }}
        columns={["Name", "State", "For", "Cluster", "Namespaces", "Last used", "Created", "Expires"]}
        acts="Revoke it"
      >
        {(credential) => <CredentialRow key={credential.id} credential={credential} />}
      </ListSection>
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

function CredentialRow({ credential }: { credential: HookCredential }) {
  const revoke = useRevokeHookCredential();
  const shown = classifyToken(credential, useNow());
  const { id, name, purpose, cluster, namespaces, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt } = credential;
  return (
    <Table.Tr className={shown.word === "Valid" ? undefined : classes.over}>
      <Table.Th scope="row" className={classes.device}>
        {name}
        <Text size="xs" c="dimmed" fw={400}>
          by {createdBy}
        </Text>
      </Table.Th>
      <Table.Td>
        <StateBadge shown={shown} size="sm" variant="plain" />
      </Table.Td>
      <Table.Td>{purpose === "flagger" ? "Flagger" : "Audit events"}</Table.Td>
      <Table.Td className={classes.device}>{cluster}</Table.Td>
      <Table.Td className={classes.device}>{namespaces.join(", ")}</Table.Td>
      <Table.Td>{lastUsedAt === null ? "never" : <RelativeTime at={lastUsedAt} />}</Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>{expiresAt === null ? "never" : <RelativeTime at={expiresAt} />}</Table.Td>
      <Table.Td ta="right">
        {revokedAt === null && (
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
        )}
      </Table.Td>
    </Table.Tr>
  );
}
