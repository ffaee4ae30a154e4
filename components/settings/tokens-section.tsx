"use client";

import { Button, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { ConfirmButton } from "#components/settings/confirm-button.tsx";
import { CreateTokenDialog } from "#components/settings/create-token-dialog.tsx";
import { classifyToken } from "#components/settings/describe-token.ts";
import { ListSection } from "#components/settings/list-section.tsx";
import classes from "#components/settings/settings.module.css";
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
  return (
    <>
      <ListSection
        id="tokens"
        title={isAdmin ? "All API tokens" : "My API tokens"}
        what="The tokens"
        list={list}
        action={
          <Button size="xs" variant="default" disabled={me === undefined} onClick={() => setCreating(true)}>
            Create a token
          </Button>
        }
        empty={{
          icon: <IconKey size={40} stroke={1.2} />,
          title: "No tokens yet",
          hint: "A token lets a script or a pipeline act on your behalf, with your role at most.",
        }}
        columns={["Name", "State", "Role", "Acts as", "Last used", "Created", "Expires"]}
        acts="Revoke it"
      >
        {(token) => <TokenRow key={token.id} token={token} />}
      </ListSection>
      {isCreating && me !== undefined && <CreateTokenDialog role={me.role} onClose={() => setCreating(false)} />}
    </>
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
        <Text size="xs" c="dimmed" fw={400}>
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
      <Table.Td ta="right">
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
