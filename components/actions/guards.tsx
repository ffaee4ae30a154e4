"use client";

import { Alert, Button, Checkbox, Code, Text } from "@mantine/core";
import { useState } from "react";
import classes from "#components/actions/actions.module.css";
import { wordTimes } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconSnowflake, IconUsers } from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { describeProgress, nameApproversOf } from "#lib/client/describe-approval.ts";
import { signInAgain } from "#lib/client/session.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { Approval } from "#lib/contract/approval.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

type FreezeNoticeProps = {
  needs: AllowedAction["needs"];
  breaksGlass: boolean;
  /** The action is scheduled: that cannot override anything. */
  isLater?: boolean;
  onBreak: (breaks: boolean) => void;
};

const noticeLook = {
  color: "gray",
  variant: "outline",
  bg: "var(--gh-surface)",
  bd: "1px solid var(--gh-border-strong)",
} as const;

/** Shows the freeze in force, the set that it waits for and, for people with the right, how to override them. */
export function FreezeNotice({ needs, breaksGlass, isLater = false, onBreak }: FreezeNoticeProps) {
  const { freeze, barrier, breakGlass } = needs;
  if (freeze === null && barrier === undefined) return null;
  const Icon = freeze === null ? IconUsers : IconSnowflake;
  const overridden = [freeze && "freeze", barrier && "set"]
    .filter((word) => typeof word === "string")
    .join(" and the ");
  return (
    <Alert {...noticeLook} icon={<Icon size={18} aria-hidden="true" />}>
      {freeze !== null && (
        <Text size="sm">
          {wordTimes(freeze.because)} That is <RelativeTime at={freeze.until} />.
        </Text>
      )}
      {barrier !== undefined && (
        <Text size="sm">
          <HostileText text={barrier.because} />
        </Text>
      )}
      {isLater && <Text size="sm">This is checked again at the scheduled time.</Text>}
      {breakGlass && !isLater && (
        <Checkbox
          mt="xs"
          label={`Override the ${overridden} (break-glass)`}
          description={`The audit log records the ${overridden} and your reason. Requires a recent sign-in.`}
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
    <Alert {...noticeLook} icon={<IconUsers size={18} aria-hidden="true" />}>
      <Text size="sm">
        {approval === undefined ? (
          `${secondPerson.because} Your request is valid for ${secondPerson.expireMinutes} minutes, and only for this state of the rollout.`
        ) : approval.state === "approved" ? (
          <>
            {nameApproversOf(approval)} approved it for this state of the rollout
            {approval.decisionReason === null || approval.approvals.length > 1 ? "" : `: ${approval.decisionReason}`}.
            It expires <RelativeTime at={approval.expiresAt} />.
          </>
        ) : (
          <>
            You requested approval. {describeProgress(approval)} It expires <RelativeTime at={approval.expiresAt} />.
          </>
        )}
      </Text>
    </Alert>
  );
}

type RefusalProps = {
  error: Error;
  label: string;
  /** The equivalent command, for when Gatehouse itself cannot act. */
  kubectl?: string | undefined;
  /** The page to return to if a fresh sign-in is needed. */
  returnTo: string;
  /** Called before the person leaves for the sign-in. */
  onLeave: () => void;
};

/** Gatehouse's own failures, in which nothing was sent. */
const ownTrouble: readonly (string | undefined)[] = ["audit_unavailable", "unavailable"];

/** Explains why nothing was done, and what to do about it. */
export function Refusal({ error, label, kubectl, returnTo, onLeave }: RefusalProps) {
  const code = isGatehouseError(error) ? error.code : undefined;
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      title={code === "network" ? "No answer" : `${label} was refused`}
      bg="var(--gh-surface)"
    >
      <Text size="sm">
        <HostileText text={wordTimes(error.message)} />
        {code === "network" && " The action may or may not have run. Retrying is safe: it repeats the same request."}
      </Text>
      {code === "reauthentication_required" && <SignInAgain returnTo={returnTo} onLeave={onLeave} />}
      {ownTrouble.includes(code) && kubectl !== undefined && (
        <>
          <Text size="sm">If it cannot wait, run this without Gatehouse:</Text>
          <Code block className={classes.code}>
            {kubectl}
          </Code>
        </>
      )}
      {isGatehouseError(error) && error.requestId !== undefined && (
        <Text size="xs" c="dimmed">
          Request {error.requestId}
        </Text>
      )}
    </Alert>
  );
}

function SignInAgain({ returnTo, onLeave }: Pick<RefusalProps, "returnTo" | "onLeave">) {
  const issuer = useMe().data?.issuer;
  const [problem, setProblem] = useState<string>();
  const [isLeaving, setLeaving] = useState(false);
  if (issuer === undefined) return null;

  function leave(callbackPath: string, from: string): void {
    setLeaving(true);
    setProblem(undefined);
    onLeave();
    signInAgain({ issuer: from, callbackPath }).catch((caught: Error) => {
      setProblem(caught.message);
      setLeaving(false);
    });
  }

  return (
    <>
      <Button size="xs" my="xs" variant="default" loading={isLeaving} onClick={() => leave(returnTo, issuer)}>
        Sign in again
      </Button>
      <Text size="sm">You return to this page, and your input is kept.</Text>
      {problem !== undefined && <Text size="sm">{problem}</Text>}
    </>
  );
}
