"use client";

import { Anchor, Text } from "@mantine/core";
import { type Ref, useRef } from "react";
import classes from "#components/actions/handling.module.css";
import { formatClock } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconBellZ, IconUserCheck } from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { useClaim, useReleaseClaim, useWake } from "#lib/client/inbox-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { Claim, Snooze, WaitHandling } from "#lib/contract/wait-handling.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Returns the claim while it has not expired: nothing tells a page that a time has come. */
function useLiveClaim({ claim }: WaitHandling): Claim | null {
  const now = useNow();
  return claim !== null && (now === 0 || Date.parse(claim.expiresAt) > now) ? claim : null;
}

/** Says who is on it: "operator is on it · 4 min", "Yours for 2 more min". */
export function ClaimLine({ handling }: { handling: WaitHandling }) {
  const claim = useLiveClaim(handling);
  if (claim === null) return null;
  return (
    <Text size="sm" className={classes.line}>
      <IconUserCheck size={16} stroke={1.6} aria-hidden="true" />
      {claim.isMine ? (
        <span>
          <strong>Yours</strong>, ends <RelativeTime at={claim.expiresAt} />
        </span>
      ) : (
        <span>
          <strong>
            <bdi>{claim.who}</bdi>
          </strong>{" "}
          is on it · <RelativeTime at={claim.at} form="since" />
        </span>
      )}
    </Text>
  );
}

type ClaimButtonsProps = {
  rollout: Pick<RolloutSummary, "cluster" | "namespace" | "kind" | "name" | "attention">;
  handling: WaitHandling;
};

/**
 * Claims a wait, extends or releases one's own claim, or takes over another person's. One button changes its meaning,
 * so that it keeps the focus.
 */
export function ClaimButtons({ rollout, handling }: ClaimButtonsProps) {
  const live = useLiveClaim(handling);
  const claim = useClaim();
  const release = useReleaseClaim();
  const first = useRef<HTMLButtonElement>(null);
  const { attention } = rollout;
  if (!handling.mayClaim || attention === null) return null;
  const name = `${rollout.namespace}/${rollout.name}`;
  const isPending = claim.isPending || release.isPending;
  const error = claim.error ?? release.error;
  const { words, label } = describeOffer(live, name);
  return (
    <>
      <LineButton
        ref={first}
        label={label}
        isBusy={isPending}
        isClaim={live === null}
        onClick={() => {
          release.reset();
          const takesOver = live === null || live.isMine ? {} : { takesOver: live.id };
          claim.mutate({ rollout, body: { since: attention.since, ...takesOver } });
        }}
      >
        {words}
      </LineButton>
      {live?.isMine === true && (
        <LineButton
          label={`Hand back ${name}`}
          isBusy={isPending}
          onClick={() => {
            claim.reset();
            release.mutate(rollout, { onSuccess: () => first.current?.focus() });
          }}
        >
          Hand back
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

function describeOffer(claim: Claim | null, name: string): { words: string; label: string } {
  if (claim === null) return { words: "I'm on it", label: `I'm on it: ${name}` };
  return claim.isMine
    ? { words: "Extend", label: `Extend your claim on ${name}` }
    : { words: "Take over", label: `Take over ${name} from ${claim.who}` };
}

/** Says who put it off, and until when: "Snoozed by operator until 14:30 (in 14 min): known load test". */
export function SnoozeLine({ snooze: { who, until, reason } }: { snooze: Snooze }) {
  const now = useNow();
  return (
    <Text size="sm" c="dimmed" className={classes.line}>
      <IconBellZ size={16} stroke={1.6} aria-hidden="true" />
      <span>
        Snoozed by <bdi>{who}</bdi> until{" "}
        {until === null ? (
          "it changes"
        ) : (
          <>
            {now > 0 && formatClock(Date.parse(until), now)} (<RelativeTime at={until} />)
          </>
        )}
        : <HostileText text={reason} />
      </span>
    </Text>
  );
}

/** Ends the snooze. Hidden without a snooze, and from people who may not end it. */
export function WakeButton({ rollout, handling }: { rollout: ObjectRef; handling: WaitHandling }) {
  const wake = useWake();
  if (handling.snooze === null || handling.maySnooze === null) return null;
  const name = `${rollout.namespace}/${rollout.name}`;
  return (
    <>
      <LineButton label={`Wake ${name} now`} isBusy={wake.isPending} onClick={() => wake.mutate(rollout)}>
        Wake now
      </LineButton>
      {wake.error !== null && (
        <Text span size="sm" role="alert" c="var(--gh-red-text)">
          <HostileText text={wake.error.message} />
        </Text>
      )}
    </>
  );
}

type LineButtonProps = {
  /** Names the button's target, since many rows have the same words. */
  label: string;
  onClick: () => void;
  /** A request is pending: the button keeps its place and the focus, and ignores clicks. */
  isBusy?: boolean;
  /** The keyboard shortcut for claiming presses it. */
  isClaim?: boolean;
  ref?: Ref<HTMLButtonElement>;
  children: React.ReactNode;
};

/** Renders a button that looks like the links beside it. */
export function LineButton({ label, onClick, isBusy = false, isClaim = false, ref, children }: LineButtonProps) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ref={ref}
      aria-disabled={isBusy || undefined}
      aria-label={label}
      data-claim={isClaim || undefined}
      onClick={isBusy ? undefined : onClick}
    >
      {children}
    </Anchor>
  );
}
