"use client";

import { Alert, Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { rolesUpTo } from "#components/settings/describe-token.ts";
import { FormError } from "#components/ui/dialog-parts.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { lifetimes } from "#components/ui/lifetimes.ts";
import { PageTitle } from "#components/ui/page-title.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useDecideDevice, useDeviceRequest } from "#lib/client/device-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { Role } from "#lib/contract/common.ts";
import type { DeviceRequest } from "#lib/contract/device-sign-in.ts";

/** Signs in a terminal that shows a code. The code of a link is filled in, but never approved by itself. */
export function DevicePage({ code }: { code: string }) {
  const [typed, setTyped] = useState(code);
  const [asked, setAsked] = useState(code);
  const device = useDeviceRequest(asked);
  const decide = useDecideDevice(asked);

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const trimmed = typed.trim();
    if (trimmed === asked && device.isError) void device.refetch();
    setAsked(trimmed);
  }

  if (decide.data !== undefined) return <Decided device={decide.data} />;
  return (
    <>
      <PageTitle>Sign in from a terminal</PageTitle>
      <Stack gap="lg" maw="34rem">
        {device.data === undefined ? (
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              <Text>Enter the code that your own terminal shows after gatehouse login.</Text>
              <TextInput
                label="Code"
                placeholder="XXXX-XXXX"
                autoComplete="off"
                spellCheck={false}
                maxLength={40}
                value={typed}
                error={device.error === null ? undefined : <HostileText text={device.error.message} />}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <Button type="submit" loading={device.isFetching} disabled={typed.trim() === ""} w="fit-content">
                Continue
              </Button>
            </Stack>
          </form>
        ) : (
          <DeviceDecisionForm device={device.data} code={asked} decide={decide} />
        )}
      </Stack>
    </>
  );
}

function Decided({ device: { state, deviceName } }: { device: DeviceRequest }) {
  const isApproved = state === "approved";
  return (
    <>
      <PageTitle>Sign in from a terminal</PageTitle>
      <Alert
        role="status"
        variant="outline"
        bg="var(--gh-surface)"
        color={isApproved ? "green" : "gray"}
        title={isApproved ? "The terminal is signed in" : "The terminal was refused"}
        maw="34rem"
      >
        <Text size="sm">
          {isApproved ? (
            <>
              <HostileText text={deviceName} /> gets a token within seconds; you can close this page. To end it, revoke
              the token in{" "}
              <Anchor component={Link} href="/settings">
                Settings
              </Anchor>
              .
            </>
          ) : (
            <>
              <HostileText text={deviceName} /> gets no token. You can close this page.
            </>
          )}
        </Text>
      </Alert>
    </>
  );
}

type DeviceDecisionFormProps = {
  device: DeviceRequest;
  code: string;
  decide: ReturnType<typeof useDecideDevice>;
};

/** Shows which terminal asks, warns, and lets the reader choose the role and lifetime of its token. */
function DeviceDecisionForm({ device, code, decide }: DeviceDecisionFormProps) {
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
          {peer !== null && peer !== address && <>, as the proxy {peer} says</>}. The terminal chose this name.
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
