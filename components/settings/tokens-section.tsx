"use client";

import { Anchor, Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { classifyToken, rolesUpTo } from "#components/settings/describe-token.ts";
import {
  ConfirmButton,
  type ListColumn,
  ListSection,
  TimeOrNever,
  TokenState,
} from "#components/settings/list-section.tsx";
import { DialogFoot } from "#components/ui/dialog-parts.tsx";
import { IconKey } from "#components/ui/icons.tsx";
import { lifetimes, toExpiry } from "#components/ui/lifetimes.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { SecretModal, SecretOnce } from "#components/ui/secret-once.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { withBasePath } from "#lib/client/base-path.ts";
import { useCreateToken, useRevokeToken, useTokens } from "#lib/client/credential-queries.ts";
import { useIsAdmin, useMe } from "#lib/client/system-queries.ts";
import type { Role } from "#lib/contract/common.ts";
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

/** Creates a token, then shows its secret once: closing the dialog discards it. */
function CreateTokenDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const [name, setName] = useState("");
  const [tokenRole, setTokenRole] = useState<Role>("viewer");
  const [days, setDays] = useState("30");
  const [isRestricted, setRestricted] = useState(false);
  const [isNameMissing, setNameMissing] = useState(false);
  const create = useCreateToken();
  const roles = rolesUpTo(role);

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const trimmed = name.trim();
    setNameMissing(trimmed === "");
    if (trimmed === "" || create.isPending) return;
    create.mutate({ name: trimmed, role: tokenRole, ...toExpiry(days), ...(isRestricted ? { restricted: true } : {}) });
  }

  return (
    <SecretModal
      title={create.data === undefined ? "Create a token" : `Token ${create.data.name}`}
      isPending={create.isPending}
      hasSecret={create.data !== undefined}
      onClose={onClose}
    >
      {create.data !== undefined ? (
        <SecretOnce text={create.data.token} label="The token's secret" copies="the secret" onClose={onClose} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Name"
              description="Its purpose. Recorded in the audit log with your name."
              withAsterisk
              maxLength={100}
              data-autofocus
              value={name}
              error={isNameMissing && name.trim() === "" ? "Enter a name." : undefined}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <NativeSelect
              label="Role"
              value={tokenRole}
              data={roles}
              onChange={(event) => setTokenRole(roles.find((item) => item === event.currentTarget.value) ?? "viewer")}
            />
            <NativeSelect
              label="Expires after"
              value={days}
              data={lifetimes}
              onChange={(event) => setDays(event.currentTarget.value)}
            />
            <Checkbox
              label="Restricted to role bindings"
              description="No permissions until a role binding references its ID."
              checked={isRestricted}
              onChange={(event) => setRestricted(event.currentTarget.checked)}
            />
            <DialogFoot
              label="Create the token"
              onCancel={onClose}
              isPending={create.isPending}
              error={create.error}
              errorTitle="No token was created"
            />
          </Stack>
        </form>
      )}
    </SecretModal>
  );
}
