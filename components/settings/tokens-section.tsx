"use client";

import { Button, Paper, Skeleton, Table, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { ConfirmButton } from "#components/settings/confirm-button.tsx";
import { CreateTokenDialog } from "#components/settings/create-token-dialog.tsx";
import { classifyToken } from "#components/settings/describe-token.ts";
import classes from "#components/settings/settings.module.css";
import { LoadMore } from "#components/ui/load-more.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { useMe } from "#lib/client/system-queries.ts";
import { useRevokeToken, useTokens } from "#lib/client/token-queries.ts";
import type { ApiToken } from "#lib/contract/system.ts";

/** Shows the tokens that act for the reader without a browser; for an admin, everybody's. */
export function TokensSection() {
  const me = useMe().data;
  const isAdmin = me?.role === "admin";
  const list = useTokens();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button size="xs" variant="default" disabled={me === undefined} onClick={() => setCreating(true)}>
      Create a token
    </Button>
  );
  return (
    <section aria-labelledby="tokens">
      <div className={classes.head}>
        <Title order={2} id="tokens">
          {isAdmin ? "All API tokens" : "My API tokens"}
        </Title>
        {create}
      </div>
      <QueryView
        what="The tokens"
        data={list.items}
        error={list.error}
        retry={list.retry}
        skeleton={<Skeleton height={140} aria-hidden="true" />}
      >
        {(tokens) =>
          tokens.length === 0 ? (
            <NothingHere
              icon={<IconKey size={40} stroke={1.2} />}
              title="No tokens yet"
              hint="A token lets a script or a pipeline act on your behalf, with your role at most."
            />
          ) : (
            <>
              <TokenTable tokens={tokens} />
              <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
            </>
          )
        }
      </QueryView>
      {isCreating && me !== undefined && <CreateTokenDialog role={me.role} onClose={() => setCreating(false)} />}
    </section>
  );
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  return (
    <Paper withBorder className={classes.frame}>
      <Table.ScrollContainer minWidth={860}>
        <Table aria-labelledby="tokens">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Name</Table.Th>
              <Table.Th scope="col">State</Table.Th>
              <Table.Th scope="col">Role</Table.Th>
              <Table.Th scope="col">Acts as</Table.Th>
              <Table.Th scope="col">Last used</Table.Th>
              <Table.Th scope="col">Created</Table.Th>
              <Table.Th scope="col">Expires</Table.Th>
              <Table.Th scope="col">
                <span className="visually-hidden">Revoke it</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function TokenRow({ token }: { token: ApiToken }) {
  const revoke = useRevokeToken();
  const shown = classifyToken(token, useNow());
  const { id, name, role, restricted, owner, actsAs, lastUsedAt, createdAt, expiresAt, revokedAt } = token;
  return (
    <Table.Tr className={shown.word === "Valid" ? undefined : classes.over}>
      <Table.Th scope="row" className={classes.device}>
        {name}
        <Text size="xs" c="dimmed">
          of {owner}
        </Text>
      </Table.Th>
      <Table.Td>
        <StateBadge shown={shown} size="sm" variant="plain" />
      </Table.Td>
      <Table.Td>
        {role}
        {restricted && (
          <Text size="xs" c="dimmed" className={classes.device}>
            only by bindings of {id}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.device}>
        {actsAs.username}
        {actsAs.groups.length > 0 && ` (${actsAs.groups.join(", ")})`}
      </Table.Td>
      <Table.Td>{lastUsedAt === null ? "never" : <RelativeTime at={lastUsedAt} />}</Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>{expiresAt === null ? "never" : <RelativeTime at={expiresAt} />}</Table.Td>
      <Table.Td>
        {revokedAt === null && (
          <ConfirmButton
            label="Revoke"
            what={`token ${name}`}
            isPending={revoke.isPending}
            onConfirm={() =>
              revoke.mutate(id, {
                onError: (error) =>
                  notifications.show({ color: "red", title: "The token was not revoked", message: error.message }),
              })
            }
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
