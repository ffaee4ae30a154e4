"use client";

import { Anchor, Text } from "@mantine/core";
import { IconUserCheck } from "@tabler/icons-react";
import classes from "#components/actions/handling.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { useClaim, useReleaseClaim } from "#lib/client/inbox-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { Claim, WaitHandling } from "#lib/contract/wait-handling.ts";

/** Returns the claim while it has not expired: nothing tells a page that a time has come. */
function useLiveClaim({ claim }: WaitHandling): Claim | null {
  const now = useNow();
  return claim !== null && (now === 0 || Date.parse(claim.expiresAt) > now) ? claim : null;
}

/** Says who looks after it: "operator is on it · 4 min". */
export function ClaimLine({ handling }: { handling: WaitHandling }) {
  const claim = useLiveClaim(handling);
  if (claim === null) return null;
  return (
    <Text size="sm" className={classes.line}>
      <IconUserCheck size={16} stroke={1.6} aria-hidden="true" />
      <span>
        <strong>{claim.isMine ? "You are" : <bdi>{claim.who}</bdi>}</strong>
        {!claim.isMine && " is"} on it · <RelativeTime at={claim.at} form="since" focusable={false} />
        {claim.isMine && (
          <Text span inherit c="dimmed">
            {" "}
            · ends <RelativeTime at={claim.expiresAt} focusable={false} />
          </Text>
        )}
      </span>
    </Text>
  );
}

type ClaimButtonsProps = {
  rollout: Pick<RolloutSummary, "cluster" | "namespace" | "kind" | "name" | "attention">;
  handling: WaitHandling;
};

/** Claims a wait, extends or releases one's own claim, or takes over another person's. */
export function ClaimButtons({ rollout, handling }: ClaimButtonsProps) {
  const live = useLiveClaim(handling);
  const claim = useClaim();
  const release = useReleaseClaim();
  const { attention } = rollout;
  if (!handling.mayClaim || attention === null) return null;
  const name = `${rollout.namespace}/${rollout.name}`;
  const isPending = claim.isPending || release.isPending;
  const error = claim.error ?? release.error;
  const send = (takesOver?: string) => {
    release.reset();
    claim.mutate({ rollout, body: { since: attention.since, ...(takesOver === undefined ? {} : { takesOver }) } });
  };
  return (
    <>
      {live === null && (
        <LineButton label={`I'm on it: ${name}`} isDisabled={isPending} onClick={() => send()} isClaim>
          I'm on it
        </LineButton>
      )}
      {live?.isMine === true && (
        <>
          <LineButton label={`Extend your claim on ${name}`} isDisabled={isPending} onClick={() => send()}>
            Extend
          </LineButton>
          <LineButton
            label={`Release your claim on ${name}`}
            isDisabled={isPending}
            onClick={() => {
              claim.reset();
              release.mutate(rollout);
            }}
          >
            Release
          </LineButton>
        </>
      )}
      {live?.isMine === false && (
        <LineButton label={`Take over ${name} from ${live.who}`} isDisabled={isPending} onClick={() => send(live.id)}>
          Take over
        </LineButton>
      )}
      {error !== null && (
        <Text span size="sm" role="alert" c="var(--gh-red-text)">
          <HostileText text={error.message} />
        </Text>
      )}
    </>
  );
}

type LineButtonProps = {
  label: string;
  isDisabled: boolean;
  onClick: () => void;
  /** The key for claiming presses it. */
  isClaim?: boolean;
  children: React.ReactNode;
};

/** A button that looks like the links beside it. */
export function LineButton({ label, isDisabled, onClick, isClaim = false, children }: LineButtonProps) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      disabled={isDisabled}
      aria-label={label}
      data-claim={isClaim || undefined}
      onClick={onClick}
    >
      {children}
    </Anchor>
  );
}
