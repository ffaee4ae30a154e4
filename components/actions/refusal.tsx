"use client";

import { Alert, Button, Text } from "@mantine/core";
import { useState } from "react";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ApiError } from "#lib/client/api-error.ts";
import { signInAgain } from "#lib/client/session.ts";
import { useMe } from "#lib/client/system-queries.ts";

type RefusalProps = {
  error: Error;
  label: string;
  /** The page to come back to where a fresh sign-in is asked for. */
  returnTo: string;
};

/** Why nothing was done, and what to do about it. */
export function Refusal({ error, label, returnTo }: RefusalProps) {
  const code = error instanceof ApiError ? error.code : undefined;
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      title={code === "network" ? "No answer" : `${label} was refused`}
      bg="var(--gh-surface)"
    >
      <Text size="sm">
        <HostileText text={error.message} />
        {code === "network" && " It may or may not have been done; asking again is safe, it is the same request."}
      </Text>
      {code === "reauthentication_required" && <SignInAgain returnTo={returnTo} />}
      {error instanceof ApiError && error.requestId !== undefined && (
        <Text size="xs" c="dimmed">
          Request {error.requestId}
        </Text>
      )}
    </Alert>
  );
}

function SignInAgain({ returnTo }: { returnTo: string }) {
  const issuer = useMe().data?.issuer;
  const [problem, setProblem] = useState<string>();
  const [isLeaving, setLeaving] = useState(false);
  if (issuer === undefined) return null;

  function leave(callbackPath: string, from: string): void {
    setLeaving(true);
    setProblem(undefined);
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
      <Text size="sm">You come back to this page; what you have typed here is not kept.</Text>
      {problem !== undefined && <Text size="sm">{problem}</Text>}
    </>
  );
}
