import { classifyToken } from "#components/settings/describe-token.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useNow } from "#components/ui/use-now.ts";

/** Shows whether a token or a credential is still good. */
export function TokenState({ token }: { token: Parameters<typeof classifyToken>[0] }) {
  return <StateBadge shown={classifyToken(token, useNow())} size="sm" variant="plain" />;
}

/** Shows a time that may never come. */
export function TimeOrNever({ at }: { at: string | null }) {
  return at === null ? <>never</> : <RelativeTime at={at} />;
}
