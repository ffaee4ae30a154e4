"use client";

import { Button, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import { IconBell } from "#components/ui/icons.tsx";
import { preferenceKey } from "#lib/client/browser-notifications.ts";
import { forgetNotified } from "#lib/client/use-browser-notifications.ts";

/**
 * Offers notifications of this browser. It asks for permission only when it is clicked, and disappears once they are on
 * or the browser refuses; the settings page turns them off again.
 */
export function NotifyMe() {
  const isPossible = typeof Notification !== "undefined" && navigator.locks !== undefined;
  const [permission, setPermission] = useState(isPossible ? Notification.permission : "denied");
  const [preference, setPreference] = useLocalStorage({
    key: preferenceKey,
    defaultValue: "off",
    getInitialValueInEffect: false,
  });
  const [isAnswered, setAnswered] = useState(false);
  async function turnOn(): Promise<void> {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    setAnswered(true);
    if (answer !== "granted") return;
    forgetNotified();
    setPreference("on");
  }
  const isOn = preference === "on" && permission === "granted";
  if (isOn || permission === "denied")
    return (
      <Text size="sm" c="dimmed" role="status">
        {!isAnswered ? "" : isOn ? "Notifications are on in this browser." : "This browser blocks notifications."}
      </Text>
    );
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconBell size={14} aria-hidden="true" />}
      onClick={() => void turnOn()}
    >
      Notify me
    </Button>
  );
}
