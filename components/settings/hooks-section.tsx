"use client";

import { Button, Paper, Skeleton, Table, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { CreateCredentialDialog } from "#components/hooks/create-credential-dialog.tsx";
import { allHooks } from "#components/hooks/write-hooks.ts";
import { ConfirmButton } from "#components/settings/confirm-button.tsx";
import { classifyToken } from "#components/settings/describe-token.ts";
import classes from "#components/settings/settings.module.css";
import { LoadMore } from "#components/ui/load-more.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
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
    <section aria-labelledby="hook-credentials">
      <div className={classes.head}>
        <Title order={2} id="hook-credentials">
          Hook credentials
        </Title>
        <Button size="xs" variant="default" disabled={clusters.length === 0} onClick={() => setCreating(true)}>
          Create a hook credential
        </Button>
      </div>
      <QueryView
        what="The hook credentials"
        data={list.items}
        error={list.error}
        retry={list.retry}
        skeleton={<Skeleton height={140} aria-hidden="true" />}
      >
        {(credentials) =>
          credentials.length === 0 ? (
            <NothingHere
              icon={<IconWebhook size={40} stroke={1.2} />}
              title="No hook credentials yet"
              hint="With one, Flagger asks Gatehouse at the gates of a canary, and reports its checks."
            />
          ) : (
            <>
              <CredentialTable credentials={credentials} />
              <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
            </>
          )
        }
      </QueryView>
      {isCreating && (
        <CreateCredentialDialog clusters={clusters} namespaces="" types={allHooks} onClose={() => setCreating(false)} />
      )}
    </section>
  );
}

function CredentialTable({ credentials }: { credentials: readonly HookCredential[] }) {
  return (
    <Paper withBorder className={classes.frame}>
      <Table.ScrollContainer minWidth={860}>
        <Table aria-labelledby="hook-credentials">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Name</Table.Th>
              <Table.Th scope="col">State</Table.Th>
              <Table.Th scope="col">Cluster</Table.Th>
              <Table.Th scope="col">Namespaces</Table.Th>
              <Table.Th scope="col">Last used</Table.Th>
              <Table.Th scope="col">Created</Table.Th>
              <Table.Th scope="col">Expires</Table.Th>
              <Table.Th scope="col">
                <span className="visually-hidden">Revoke it</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {credentials.map((credential) => (
              <CredentialRow key={credential.id} credential={credential} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function CredentialRow({ credential }: { credential: HookCredential }) {
  const revoke = useRevokeHookCredential();
  const shown = classifyToken(credential, useNow());
  const { id, name, cluster, namespaces, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt } = credential;
  return (
    <Table.Tr className={shown.word === "Valid" ? undefined : classes.over}>
      <Table.Th scope="row" className={classes.device}>
        {name}
        <Text size="xs" c="dimmed">
          by {createdBy}
        </Text>
      </Table.Th>
      <Table.Td>
        <StateBadge shown={shown} size="sm" variant="plain" />
      </Table.Td>
      <Table.Td className={classes.device}>{cluster}</Table.Td>
      <Table.Td className={classes.device}>{namespaces.join(", ")}</Table.Td>
      <Table.Td>{lastUsedAt === null ? "never" : <RelativeTime at={lastUsedAt} />}</Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>{expiresAt === null ? "never" : <RelativeTime at={expiresAt} />}</Table.Td>
      <Table.Td>
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
