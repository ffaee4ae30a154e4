"use client";

import { Anchor, Paper, Stack, Switch, Text } from "@mantine/core";
import { useLocalStorage, useMounted } from "@mantine/hooks";
import Link from "next/link";
import { useState } from "react";
import { Section } from "#components/ui/section.tsx";
import { preferenceKey } from "#lib/client/browser-notifications.ts";
import { useIsAdmin } from "#lib/client/system-queries.ts";
import { forgetNotified } from "#lib/client/use-browser-notifications.ts";

const blocked =
  "This browser blocks notifications from Gatehouse. Allow them for this site in the browser's settings, then turn them on here.";
const impossible = "Notifications need HTTPS or a local address.";

/** Turns on the notifications of this browser; leads admins to the channels. */
export function BrowserSection() {
  const isMounted = useMounted();
  const isAdmin = useIsAdmin();
  return (
    <Section id="notifications" title="Notifications">
      <Paper withBorder p="md">
        <Stack gap="sm">
          {isMounted && <BrowserSwitch />}
          {isAdmin && (
            <Text size="sm">
              <Anchor component={Link} href="/settings/notifications" inherit>
                Channels and messages
              </Anchor>{" "}
              shows what Gatehouse sends to Slack, webhooks and e-mail.
            </Text>
          )}
        </Stack>
      </Paper>
    </Section>
  );
}

function BrowserSwitch() {
  const isPossible = typeof Notification !== "undefined" && navigator.locks !== undefined;
  const [permission, setPermission] = useState(isPossible ? Notification.permission : "denied");
  const [preference, setPreference] = useLocalStorage({
    key: preferenceKey,
    defaultValue: "off",
    getInitialValueInEffect: false,
  });
  async function change(isWanted: boolean): Promise<void> {
    if (!isWanted) return setPreference("off");
    const answer = await Notification.requestPermission();
    setPermission(answer);
    if (answer !== "granted") return;
    forgetNotified();
    setPreference("on");
  }
  const problem = isPossible ? (permission === "denied" ? blocked : undefined) : impossible;
  return (
    <Switch
      label="Show notifications in this browser"
      description={
        problem ??
        "When a rollout that you may see waits for a person, fails, or has a new finding. While a page of Gatehouse is open, once for all of its tabs."
      }
      checked={preference === "on" && permission === "granted"}
      disabled={problem !== undefined}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
}
