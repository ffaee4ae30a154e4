"use client";

import { Anchor, Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { ConfirmButton } from "#components/settings/confirm-button.tsx";
import { CreateTokenDialog } from "#components/settings/create-token-dialog.tsx";
import { classifyToken } from "#components/settings/describe-token.ts";
import { type ListColumn, ListSection } from "#components/settings/list-section.tsx";
import { TimeOrNever, TokenState } from "#components/settings/token-state.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { withBasePath } from "#lib/client/base-path.ts";
import { useRevokeToken, useTokens } from "#lib/client/credential-queries.ts";
import { useIsAdmin, useMe } from "#lib/client/system-queries.ts";
import type { ApiToken } from "#lib/contract/system.ts";

/** Lists the tokens that act for the reader without a browser; for an admin, all tokens. */
export function TokensSection() {
  const me = useMe().data;
  const isAdmin = useIsAdmin();
  const list = useTokens();
  const nowMs = useNow();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <ListSection
        id="tokens"
        title={isAdmin ? "All API tokens" : "My API tokens"}
        what="The tokens"
        list={list}
        action={
          <Group gap="md">
            <Anchor href={withBasePath("/docs/api")} size="sm">
              API reference
            </Anchor>
            <Button size="xs" variant="default" disabled={me === undefined} onClick={() => setCreating(true)}>
              Create a token
            </Button>
          </Group>
        }
        empty={{
          icon: <IconKey size={40} stroke={1.2} />,
          title: "No tokens yet",
          hint: "A token lets a script or a pipeline act on your behalf, with your role at most.",
        }}
        columns={columns}
        act={{ header: "Revoke it", cell: (token) => <RevokeToken token={token} /> }}
        isOver={(token) => classifyToken(token, nowMs).word !== "Valid"}
      />
      {isCreating && me !== undefined && <CreateTokenDialog role={me.role} onClose={() => setCreating(false)} />}
    </>
  );
}

const columns: readonly ListColumn<ApiToken>[] = [
  {
    header: "Name",
    isName: true,
    cell: ({ name, owner }) => (
      <>
        {name}
        <Text size="xs" c="dimmed" fw={400}>
          of {owner}
        </Text>
      </>
    ),
  },
  { header: "State", cell: (token) => <TokenState token={token} /> },
  {
    header: "Role",
    cell: ({ id, role, restricted }) => (
      <>
        {role}
        {restricted && (
          <Text size="xs" c="dimmed">
            only by bindings of {id}
          </Text>
        )}
      </>
    ),
  },
  {
    header: "Acts as",
    cell: ({ actsAs: { username, groups } }) => (groups.length > 0 ? `${username} (${groups.join(", ")})` : username),
  },
  { header: "Last used", cell: ({ lastUsedAt }) => <TimeOrNever at={lastUsedAt} /> },
  { header: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { header: "Expires", cell: ({ expiresAt }) => <TimeOrNever at={expiresAt} /> },
];

function RevokeToken({ token: { id, name, revokedAt } }: { token: ApiToken }) {
  const revoke = useRevokeToken();
  if (revokedAt !== null) return null;
  return (
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
  );
}
