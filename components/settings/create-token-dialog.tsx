"use client";

import { Checkbox, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { rolesUpTo } from "#components/settings/describe-token.ts";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { lifetimes, toExpiry } from "#components/ui/lifetimes.ts";
import { SecretModal, SecretOnce } from "#components/ui/secret-once.tsx";
import { useCreateToken } from "#lib/client/credential-queries.ts";
import type { Role } from "#lib/contract/common.ts";

/** Creates a token, then shows its secret once: closing the dialog discards it. */
export function CreateTokenDialog({ role, onClose }: { role: Role; onClose: () => void }) {
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
