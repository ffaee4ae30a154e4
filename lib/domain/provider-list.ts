import { argoProvider } from "#lib/domain/argo/provider.ts";
import type { Provider } from "#lib/domain/delivery/provider.ts";
import { flaggerProvider } from "#lib/domain/flagger/provider.ts";

/** All controllers that Gatehouse knows. A new one is a folder and a line here. */
export const providers: readonly Provider[] = [argoProvider, flaggerProvider];

/** Planned the actions that were stored before they named their provider. */
export const firstProvider = argoProvider;
