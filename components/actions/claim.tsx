"use client";

import { Text } from "@mantine/core";
import { IconUserCheck } from "@tabler/icons-react";
import { useRef } from "react";
import classes from "#components/actions/handling.module.css";
import { LineButton } from "#components/actions/line-button.tsx";
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
