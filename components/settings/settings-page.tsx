"use client";

import { Stack } from "@mantine/core";
import { RightsSection } from "#components/settings/rights-section.tsx";
import { SessionsSection } from "#components/settings/sessions-section.tsx";
import { TokensSection } from "#components/settings/tokens-section.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";

/** Shows the reader's identity, sessions, and the tokens that act for them. */
export function SettingsPage() {
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <Stack gap="xl">
        <RightsSection />
        <SessionsSection />
        <TokensSection />
      </Stack>
    </>
  );
}
