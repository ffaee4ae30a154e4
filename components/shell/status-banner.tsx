"use client";

import { Alert, Anchor, Button, Group, Text, Tooltip } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { describeTrouble, splitLength } from "#components/shell/describe-trouble.ts";
import classes from "#components/shell/shell.module.css";
import { formatRelative } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconFileAlert, IconPlugConnectedX } from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { type Freshness, useFreshness } from "#components/ui/use-freshness.ts";
import { useNow } from "#components/ui/use-now.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import { useClusters, useConfigStatus, useIsAdmin } from "#lib/client/system-queries.ts";
import { useStreamStatus } from "#lib/client/use-change-stream.ts";

/**
 * Shows only states that limit a person's actions: unreliable data, and read-only clusters. The live region is always
 * rendered, and announces each sentence once, not every second.
 */
export function StatusBanner() {
  return (
    <div role="status">
      <Banner />
    </div>
  );
}

function Banner() {
  const freshness = useFreshness();
  const isOffline = useIsOffline();
  const now = useNow();
  const clusters = useClusters().data?.items.filter(({ configured }) => configured);
  const isReadOnly = clusters !== undefined && clusters.length > 0 && clusters.every(({ access }) => access === "read");

  if (isOffline)
    return <Trouble sentences={["You are offline. This page shows the last known state until the network is back."]} />;
  if (freshness.words === "no answer") {
    const length =
      freshness.sinceMs === undefined || now === 0 ? "" : ` for ${formatDuration(now - freshness.sinceMs)}`;
    return (
      <Trouble
        sentences={[`Gatehouse has not answered${length}. This page may be out of date; it recovers automatically.`]}
      />
    );
  }
  const sentences = describeTrouble(freshness.troubled, now);
  if (sentences.length > 0) return <Trouble sentences={sentences} areOfSources />;
  if (isReadOnly) {
    return (
      <Alert color="gray" variant="outline" mb="md" role="presentation" bg="var(--gh-surface)">
        <Text size="sm">Read-only: Gatehouse only watches these clusters.</Text>
      </Alert>
    );
  }
  return null;
}

/** A server on this machine answers without a network. */
function useIsOffline(): boolean {
  const { online } = useNetwork();
  return useStreamStatus().state === "lost" && !online;
}

type TroubleProps = {
  sentences: readonly string[];
  /** Without an answer, the page of the sources knows no more than this one. */
  areOfSources?: boolean;
};

function Trouble({ sentences, areOfSources = false }: TroubleProps) {
  return (
    <Alert
      color="orange"
      variant="outline"
      mb="md"
      role="presentation"
      bg="var(--gh-surface)"
      icon={<IconPlugConnectedX size={18} />}
    >
      {sentences.map((sentence, index) => {
        const { before, length, after } = splitLength(sentence);
        return (
          <Text size="sm" key={before + after}>
            {before}
            {length !== "" && <span aria-hidden="true">{length}</span>}
            {after}{" "}
            {areOfSources && index === sentences.length - 1 && (
              <Anchor component={Link} href="/sources" inherit>
                Sources
              </Anchor>
            )}
          </Text>
        );
      })}
    </Alert>
  );
}

export function FreshnessLamp() {
  const known = useFreshness();
  const isOffline = useIsOffline();
  const freshness = isOffline ? offline : known;
  const now = useNow();
  const icon = freshness.tone === "good" ? "successful" : freshness.tone === "wait" ? "running" : "unknown";
  return (
    <Tooltip label={explain(freshness, now)}>
      <Link
        href="/sources"
        className={classes.lamp}
        data-tone={freshness.tone}
        aria-label={`${sentence(freshness, now)}. Sources`}
      >
        <StateIcon state={icon} size={14} />
        {sentence(freshness, now)}
      </Link>
    </Tooltip>
  );
}

const offline: Freshness = { tone: "bad", words: "offline", sinceMs: undefined, troubled: [] };

/** Contact is usual about once a minute. */
const usualMs = 90_000;

function sentence({ words, sinceMs, tone }: Freshness, now: number): string {
  if (sinceMs === undefined || now === 0 || (tone === "good" && now - sinceMs < usualMs)) return words;
  return tone === "good"
    ? `${words}, ${formatRelative(sinceMs, now)}`
    : `${words} for ${formatDuration(now - sinceMs)}`;
}

function explain({ words, sinceMs, troubled }: Freshness, now: number): string {
  if (words === "live")
    return `All sources are live.${sinceMs === undefined ? "" : ` Oldest contact: ${formatRelative(sinceMs, now)}.`}`;
  if (words === "offline") return "Your browser has no network, so this page may be out of date.";
  if (words === "no answer") return "Gatehouse is not responding, so this page may be out of date.";
  if (troubled.length === 0) return "Waiting for the first answer.";
  const names = troubled.slice(0, 3).map(({ cluster, kind, state }) => `${cluster} ${kind}: ${state}`);
  return names.join(", ") + (troubled.length > 3 ? ` and ${troubled.length - 3} more` : "");
}

const ConfirmConfigDialog = dynamic(
  () => import("#components/shell/confirm-config-dialog.tsx").then((module) => module.ConfirmConfigDialog),
  { ssr: false },
);

/** Warns that the config file differs from the config in force, with the effect. An admin can accept a held file. */
export function ConfigBanner() {
  const status = useConfigStatus().data;
  const isAdmin = useIsAdmin();
  const [isConfirming, setConfirming] = useState(false);
  if (status === undefined || status.state === "ok") return null;
  const { held, since, error = "" } = status;
  return (
    <Alert
      color={held === undefined ? "red" : "orange"}
      variant="outline"
      mb="md"
      role="status"
      bg="var(--gh-surface)"
      icon={<IconFileAlert size={18} />}
      title={held === undefined ? "The config file cannot be used" : "Config change held"}
    >
      <Text size="sm">
        <HostileText text={error} />
        {since !== undefined && (
          <>
            {" "}
            (<RelativeTime at={since} />)
          </>
        )}
      </Text>
      <Text size="sm">
        {held === undefined
          ? "The last valid config stays in force: watching, recording and aborting continue. Actions that advance a rollout are off until the file is fixed."
          : "The previous config stays in force, and retention is paused."}
      </Text>
      {held !== undefined && isAdmin && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={() => setConfirming(true)}>
            Confirm the removal
          </Button>
        </Group>
      )}
      {held !== undefined && isConfirming && <ConfirmConfigDialog held={held} onClose={() => setConfirming(false)} />}
    </Alert>
  );
}
