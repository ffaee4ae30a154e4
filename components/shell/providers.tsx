"use client";

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useEffect, useState } from "react";
import { resolveCssVariables, theme } from "#components/ui/theme.ts";
import { watchActivity } from "#lib/client/activity.ts";
import { createQueryClient } from "#lib/client/query-client.ts";

// Loads late: nothing is announced before a page works, and earlier notifications are kept and shown then.
const Toasts = dynamic(() => import("#components/shell/toasts.tsx").then((module) => module.Toasts), { ssr: false });

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
      <Toasts />
    </MantineProvider>
  );
}
