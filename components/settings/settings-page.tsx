"use client";

import { Stack } from "@mantine/core";
import { RightsSection } from "#components/settings/rights-section.tsx";
import { SessionsSection } from "#components/settings/sessions-section.tsx";
import { TokensSection } from "#components/settings/tokens-section.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";

/** Who one is here, where one is signed in, and what acts in one's name. */
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
