"use client";

import { Alert, Checkbox, Text } from "@mantine/core";
import { IconSnowflake, IconUsers } from "@tabler/icons-react";
import { nameWithUsername } from "#components/actions/assess-ask.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { Approval } from "#lib/contract/approval.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type FreezeNoticeProps = {
  needs: AllowedAction["needs"];
  breaksGlass: boolean;
  onBreak: (breaks: boolean) => void;
};

/** Shows the freeze in force and, for people with the right, how to break it. */
export function FreezeNotice({ needs: { freeze, breakGlass }, breaksGlass, onBreak }: FreezeNoticeProps) {
  if (freeze === null) return null;
  return (
    <Alert color="gray" variant="outline" bg="var(--gh-surface)" icon={<IconSnowflake size={18} aria-hidden="true" />}>
      <Text size="sm">
        Frozen by "{freeze.name}" until {formatExact(freeze.until)} (<RelativeTime at={freeze.until} />
        ).
      </Text>
      {breakGlass && (
        <Checkbox
          mt="xs"
          label="Override the freeze (break-glass)"
          description="The audit log records the freeze and your reason. Requires a recent sign-in."
          checked={breaksGlass}
          onChange={(event) => onBreak(event.currentTarget.checked)}
        />
      )}
    </Alert>
  );
}

type SecondPersonNoticeProps = { needs: AllowedAction["needs"]; approval: Approval | undefined };

/** Shows the rule that requires two people, and the progress of that. */
export function SecondPersonNotice({ needs: { secondPerson }, approval }: SecondPersonNoticeProps) {
  if (secondPerson === null) return null;
  return (
    <Alert color="gray" variant="outline" bg="var(--gh-surface)" icon={<IconUsers size={18} aria-hidden="true" />}>
      <Text size="sm">
        {approval === undefined ? (
          `Rule "${secondPerson.rule}" requires a second person. Your request is valid for ${secondPerson.expireMinutes} minutes, and only for this state of the rollout.`
        ) : approval.state === "approved" ? (
          <>
            {nameWithUsername(approval.decidedBy ?? "An unknown person", approval.decidedByUsername)} approved it for
            this state of the rollout
            {approval.decisionReason === null ? "" : `: ${approval.decisionReason}`}. It expires{" "}
            <RelativeTime at={approval.expiresAt} />.
          </>
        ) : (
          <>
            You requested approval. It expires <RelativeTime at={approval.expiresAt} />.
          </>
        )}
      </Text>
    </Alert>
  );
}
