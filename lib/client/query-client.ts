import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isApiError, isTransient } from "#lib/client/api-error.ts";
import { goToSignIn } from "#lib/client/session.ts";

function leaveIfSignedOut(error: Error): void {
  if (isApiError(error) && error.status === 401) goToSignIn();
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveIfSignedOut }),
    mutationCache: new MutationCache({ onError: leaveIfSignedOut }),
    defaultOptions: {
      queries: {
        // The change stream announces stale data; while it is down, returning to the page refetches.
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
        // An outage of the server is not an outage of the network: queries run even if the browser reports that it is
        // offline.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
