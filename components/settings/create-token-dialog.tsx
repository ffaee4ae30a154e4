"use client";

import { Button, Checkbox, Code, CopyButton, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { rolesUpTo } from "#components/settings/describe-token.ts";
import classes from "#components/settings/settings.module.css";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { useCreateToken } from "#lib/client/token-queries.ts";
import type { Role } from "#lib/contract/common.ts";

const lifetimes = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "366", label: "366 days" },
  { value: "", label: "never" },
];

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
    const expiry = days === "" ? {} : { expiresInDays: Number(days) };
    create.mutate({ name: trimmed, role: tokenRole, ...expiry, ...(isRestricted ? { restricted: true } : {}) });
  }

  return (
    <Modal
      opened
      onClose={create.isPending ? () => undefined : onClose}
      size="lg"
      // A stray click outside the dialog must not lose a secret that is shown only once.
      closeOnClickOutside={create.data === undefined}
      title={
        <Text component="span" fw={600} size="lg">
          {create.data === undefined ? "Create a token" : `Token ${create.data.name}`}
        </Text>
      }
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {create.data !== undefined ? (
        <Secret secret={create.data.token} onClose={onClose} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Name"
              description="What it is for. Recorded in the audit log with your name."
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
    </Modal>
  );
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Text>Copy the secret now: Gatehouse keeps no copy and cannot show it again.</Text>
      <Code block className={classes.secret} aria-label="The token's secret">
        {secret}
      </Code>
      <Group justify="flex-end" gap="sm">
        <CopyButton value={secret} timeout={4000}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} aria-live="polite">
              {copied ? "Copied" : "Copy the secret"}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
