import { Text } from "@mantine/core";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { InboxAnswer } from "#lib/contract/inbox.ts";

/** Says why nothing more is needed: "Acknowledged by operator 5 min ago: known, fix is on its way". */
export function AnswerLine({ answer: { kind, who, at, reason } }: { answer: InboxAnswer }) {
  return (
    <Text size="sm" c="dimmed">
      {kind === "acknowledged" ? "Acknowledged" : "Aborted on purpose"}
      {who === null ? ", client unknown," : ` by ${who}`} <RelativeTime at={at} />
      {reason !== null && (
        <>
          : <HostileText text={reason} />
        </>
      )}
    </Text>
  );
}
