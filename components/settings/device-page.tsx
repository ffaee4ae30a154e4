"use client";

import { Alert, Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { DeviceDecisionForm } from "#components/settings/device-decision-form.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useDecideDevice, useDeviceRequest } from "#lib/client/device-queries.ts";
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
