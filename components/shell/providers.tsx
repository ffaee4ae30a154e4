"use client";

import { MantineProvider } from "@mantine/core";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useEffect, useState } from "react";
import { repeatEarlyClick } from "#components/shell/early-clicks.ts";
import { watchDialogs } from "#components/shell/return-focus.ts";
import { resolveCssVariables, theme } from "#components/ui/theme.ts";
import { watchActivity } from "#lib/client/activity.ts";
import { sessionEnd } from "#lib/client/session.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

// Loads late: nothing is announced before a page works, and earlier notifications are kept and shown then.
const Toasts = dynamic(() => import("#components/shell/toasts.tsx").then((module) => module.Toasts), { ssr: false });

type ProvidersProps = { nonce: string | undefined; children: React.ReactNode };

export function Providers({ nonce, children }: ProvidersProps) {
  const [client] = useState(createQueryClient);
  useEffect(() => watchActivity(), []);
  useEffect(() => watchDialogs(), []);
  useEffect(() => repeatEarlyClick(), []);
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

function noteIfSignedOut(error: Error): void {
  if (isGatehouseError(error) && error.status === 401) sessionEnd.note();
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteIfSignedOut }),
    mutationCache: new MutationCache({ onError: noteIfSignedOut }),
    defaultOptions: {
      queries: {
        // The change stream announces stale data; while it is down, returning to the page refetches.
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && isGatehouseError(error) && error.isTransient,
        // An outage of the server is not an outage of the network: queries run even if the browser reports that it is
        // offline.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
