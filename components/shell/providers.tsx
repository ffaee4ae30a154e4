"use client";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useEffect, useState } from "react";
import { resolveCssVariables, theme } from "#components/ui/theme.ts";
import { watchActivity } from "#lib/client/activity.ts";
import { createQueryClient } from "#lib/client/query-client.ts";

type ProvidersProps = { nonce: string | undefined; children: React.ReactNode };

export function Providers({ nonce, children }: ProvidersProps) {
  const [client] = useState(createQueryClient);
  useEffect(() => watchActivity(), []);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={resolveCssVariables}
      getStyleNonce={nonce === undefined ? undefined : () => nonce}
    >
      <QueryClientProvider client={client}>
        <NuqsAdapter>{children}</NuqsAdapter>
      </QueryClientProvider>
      <Notifications position="bottom-right" limit={4} containerWidth={400} />
    </MantineProvider>
  );
}
