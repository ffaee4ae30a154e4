"use client";

import { Alert, Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { rolesUpTo } from "#components/settings/describe-token.ts";
import { FormError } from "#components/ui/form-error.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { lifetimes } from "#components/ui/lifetimes.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { useDecideDevice } from "#lib/client/device-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { Role } from "#lib/contract/common.ts";
import type { DeviceRequest } from "#lib/contract/device-sign-in.ts";

type DeviceDecisionFormProps = {
  device: DeviceRequest;
  code: string;
  decide: ReturnType<typeof useDecideDevice>;
};

/** Shows which terminal asks, warns, and lets the reader choose the role and lifetime of its token. */
export function DeviceDecisionForm({ device, code, decide }: DeviceDecisionFormProps) {
  const me = useMe().data;
  const [role, setRole] = useState<Role>("viewer");
  const [days, setDays] = useState("7");
  const roles = rolesUpTo(me?.role ?? "viewer");
  const { deviceName, address, peer, createdAt } = device;

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    if (!decide.isPending) decide.mutate({ decision: "approve", role, expiresInDays: Number(days) });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>
          <strong>
            <HostileText text={deviceName} />
          </strong>{" "}
          asks to be signed in as {me?.username ?? "you"}. It asked <RelativeTime at={createdAt} />
          {address !== null && <> from {address}</>}
          {peer !== null && peer !== address && <>, as the proxy {peer} says</>}. It chose its name itself.
        </Text>
        <Alert
          color="yellow"
          variant="outline"
          bg="var(--gh-surface)"
          title={`Does your own terminal show ${code.toUpperCase()}?`}
        >
          <Text size="sm">
            Approve only if you have just run gatehouse login yourself. If someone sent you this code or a link, they
            want to act as you: refuse it.
          </Text>
        </Alert>
        <NativeSelect
          label="Role of its token"
          value={role}
          data={roles}
          onChange={(event) => setRole(roles.find((item) => item === event.currentTarget.value) ?? "viewer")}
        />
        <NativeSelect
          label="Signed in for"
          value={days}
          data={lifetimes.filter(({ value }) => value !== "")}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <FormError title="The terminal was not signed in" error={decide.error} />
        <Group gap="sm">
          <Button type="submit" loading={decide.isPending} disabled={me === undefined}>
            Approve
          </Button>
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate({ decision: "refuse" })}>
            Refuse
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
