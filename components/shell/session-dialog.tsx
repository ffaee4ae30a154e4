"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { withBasePath } from "#lib/client/base-path.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { goToSignIn, sessionEnd } from "#lib/client/session.ts";
import type { Me } from "#lib/contract/system.ts";

const checkMs = 2_000;

/**
 * Asks the person to sign in again, in another tab: an identity provider cannot be shown inside the page. The page stays
 * as it is, and continues once the same person is signed in. For another person it is loaded again.
 */
export function SessionDialog() {
  const client = useQueryClient();
  const tab = useRef<Window | null>(null);
  const [isWaiting, setWaiting] = useState(false);

  useEffect(() => {
    async function check(): Promise<void> {
      const me = await request<Me>({ path: "/api/v1/me" }).catch(() => undefined);
      if (me === undefined) return;
      tab.current?.close();
      const before = client.getQueryData<Me>(queryKeys.me());
      if (before === undefined || before.issuer !== me.issuer || before.subject !== me.subject) {
        window.location.reload();
        return;
      }
      sessionEnd.clear();
      void client.invalidateQueries();
    }
    const ask = () => void check();
    // The person may have signed in on another tab by themselves.
    window.addEventListener("focus", ask);
    const timer = isWaiting ? setInterval(ask, checkMs) : undefined;
    return () => {
      window.removeEventListener("focus", ask);
      clearInterval(timer);
    };
  }, [client, isWaiting]);

  function openSignIn(): void {
    tab.current = window.open(withBasePath("/signin"), "gatehouse-sign-in");
    if (tab.current === null) goToSignIn();
    else setWaiting(true);
  }

  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      zIndex={1_000}
      title={
        <Text component="span" fw={600} size="lg">
          Your session has ended
        </Text>
      }
    >
      <Stack gap="md">
        <Text size="sm" role="status">
          {isWaiting
            ? "Waiting for you to sign in in the other tab."
            : "Sign in again to continue. This page stays as it is, with everything that you typed."}
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={goToSignIn}>
            Leave this page
          </Button>
          <Button onClick={openSignIn} data-autofocus>
            Sign in
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
