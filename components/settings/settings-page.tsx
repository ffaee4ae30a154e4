"use client";

import { Stack } from "@mantine/core";
import dynamic from "next/dynamic";
import { BrowserSection } from "#components/settings/browser-section.tsx";
import { RightsSection } from "#components/settings/rights-section.tsx";
import { SessionsSection } from "#components/settings/sessions-section.tsx";
import { TokensSection } from "#components/settings/tokens-section.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";

const DisplaySection = dynamic(
  () => import("#components/settings/display-section.tsx").then((module) => module.DisplaySection),
  { ssr: false },
);

// Only admins see it.
const HooksSection = dynamic(
  () => import("#components/settings/hooks-section.tsx").then((module) => module.HooksSection),
  { ssr: false },
);

/** Shows the reader's identity, display, notifications, sessions and tokens; to admins also the credentials of controllers. */
export function SettingsPage() {
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <Stack gap="xl">
        <RightsSection />
        <DisplaySection />
        <BrowserSection />
        <SessionsSection />
        <TokensSection />
        <HooksSection />
      </Stack>
    </>
  );
}
