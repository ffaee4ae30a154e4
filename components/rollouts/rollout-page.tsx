"use client";

import { Skeleton, Stack, Tabs, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useRef, useState } from "react";
import { RolloutActions } from "#components/actions/rollout-actions.tsx";
import { DecidingMetrics } from "#components/rollouts/deciding-metrics.tsx";
import { LiveTab } from "#components/rollouts/live-tab.tsx";
import { RolloutHeader } from "#components/rollouts/rollout-header.tsx";
import classes from "#components/rollouts/rollouts.module.css";
import { StepBar } from "#components/rollouts/step-bar.tsx";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { StateKey } from "#components/ui/state-tokens.ts";
import { useNow } from "#components/ui/use-now.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import { useRollout } from "#lib/client/rollout-queries.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

// Loads only the visible tab.
const loading = () => <Skeleton height={240} />;
const ReleasesTab = dynamic(
  () => import("#components/rollouts/releases-tab.tsx").then((module) => module.ReleasesTab),
  { loading },
);
const RunsTab = dynamic(() => import("#components/rollouts/runs-tab.tsx").then((module) => module.RunsTab), {
  loading,
});
const AuditTab = dynamic(() => import("#components/rollouts/audit-tab.tsx").then((module) => module.AuditTab), {
  loading,
});
const LogsTab = dynamic(() => import("#components/rollouts/logs/logs-tab.tsx").then((module) => module.LogsTab), {
  ssr: false,
  loading,
});
const ObjectTab = dynamic(() => import("#components/rollouts/object-tab.tsx").then((module) => module.ObjectTab), {
  loading,
});

// Most rollouts have none.
const FindingList = dynamic(() => import("#components/ui/finding-list.tsx").then((module) => module.FindingList), {
  ssr: false,
});

const tabs = [
  { value: "live", label: "Live" },
  { value: "releases", label: "Releases" },
  { value: "analysis", label: "Analysis" },
  { value: "logs", label: "Logs" },
  { value: "audit", label: "Audit" },
  { value: "object", label: "Object" },
] as const;
const tabNames = tabs.map(({ value }) => value);

const RolloutHandling = dynamic(
  () => import("#components/rollouts/rollout-handling.tsx").then((module) => module.RolloutHandling),
  { loading: () => <Skeleton height={22} width="40%" /> },
);

export function RolloutPage({ rollout: name }: { rollout: ObjectRef }) {
  const query = useRollout(name);
  return (
    <QueryView
      what="The rollout"
      query={query}
      missing={{ title: `No rollout ${name.namespace}/${name.name} in ${name.cluster}`, list: "rollouts" }}
      skeleton={<PageSkeleton blocks={[[28, "40%"], [16, "65%"], [48], [34, "50%"], [300]]} />}
    >
      {(rollout) => (
        <Stack gap="md">
          <RolloutHeader rollout={rollout} />
          <Notices notices={rollout.notices} />
          <RolloutActions rollout={rollout} />
          {(rollout.handling !== null || rollout.links.length > 0) && <RolloutHandling rollout={rollout} />}
          {rollout.findings.open > 0 && (
            <div className={classes.findings}>
              <FindingList
                label="Findings about this rollout"
                filters={{ cluster: name.cluster, namespace: name.namespace, kind: name.kind, name: name.name }}
              />
            </div>
          )}
          <DecidingMetrics rollout={rollout} />
          {rollout.steps.length > 0 && <StepBar rollout={rollout} />}
          <RolloutTabs rollout={rollout} />
        </Stack>
      )}
    </QueryView>
  );
}

/** Scrolls to the tabs if the address or a link, rather than a click on a tab, names another tab than the first. */
export function RolloutTabs({ rollout }: { rollout: RolloutDetail }) {
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(tabNames).withDefault("live").withOptions({ history: "replace" }),
  );
  const ref = useRef<HTMLDivElement>(null);
  const clicked = useRef<string>("live");
  const [isAtTabs, setIsAtTabs] = useState(tab !== "live");
  useEffect(() => {
    if (tab === "live" || tab === clicked.current || ref.current === null) return;
    setIsAtTabs(true);
    return keepOnTop(ref.current);
  }, [tab]);
  const show = (value: string | null) => {
    const next = tabNames.find((known) => known === value) ?? "live";
    clicked.current = next;
    void setTab(next);
  };
  return (
    <Tabs
      ref={ref}
      className={classes.tabbed}
      data-opened={isAtTabs || undefined}
      value={tab}
      onChange={show}
      keepMounted={false}
    >
      <Tabs.List mb="md" className={classes.tabs}>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="live">
        <LiveTab rollout={rollout} />
      </Tabs.Panel>
      <Tabs.Panel value="releases">
        <ReleasesTab rollout={rollout} />
      </Tabs.Panel>
      <Tabs.Panel value="analysis">
        <RunsTab rollout={rollout} />
      </Tabs.Panel>
      <Tabs.Panel value="logs">
        <LogsTab rollout={rollout} />
      </Tabs.Panel>
      <Tabs.Panel value="audit">
        <AuditTab rollout={rollout} />
      </Tabs.Panel>
      <Tabs.Panel value="object">
        <ObjectTab rollout={rollout} />
      </Tabs.Panel>
    </Tabs>
  );
}

const settlingMs = 3_000;
const ownScrolling = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Scrolls to an element, and again while the page above it is loading, until the reader does anything. */
function keepOnTop(element: HTMLElement): () => void {
  const show = () => element.scrollIntoView({ block: "start" });
  show();
  const observer = new ResizeObserver(show);
  observer.observe(document.body);
  const end = new AbortController();
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    end.abort();
  };
  const timer = setTimeout(stop, settlingMs);
  for (const event of ownScrolling) window.addEventListener(event, stop, { signal: end.signal, passive: true });
  return stop;
}

type Notice = RolloutDetail["notices"][number];

const states: Record<Notice["severity"], StateKey> = {
  critical: "failed",
  warning: "error",
  attention: "waiting",
  info: "unknown",
};

/** Shows the notices to read before any click, with the time left until the controller acts. */
function Notices({ notices }: Pick<RolloutDetail, "notices">) {
  const now = useNow();
  if (notices.length === 0) return null;
  return (
    <section aria-label="What to know now" className={classes.notices} data-severity={highestOf(notices)}>
      <ul>
        {notices.map(({ severity, text, deadline }) => (
          <li key={text}>
            <StateIcon state={states[severity]} />
            <Text size="sm">
              {text} {deadline !== null && now > 0 && <strong>{describeDeadline(deadline, now)}</strong>}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

const order: readonly Notice["severity"][] = ["critical", "warning", "attention", "info"];

function highestOf(notices: readonly Notice[]): Notice["severity"] {
  return order.find((wanted) => notices.some(({ severity }) => severity === wanted)) ?? "info";
}

function describeDeadline(deadline: string, nowMs: number): string {
  const left = Date.parse(deadline) - nowMs;
  return left > 0 ? `${formatDuration(left)} left.` : "The deadline has passed.";
}
