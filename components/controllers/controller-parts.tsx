import { Anchor, Group, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/controllers/controllers.module.css";
import {
  classifyController,
  describeController,
  formatQuantile,
  formatReading,
  notReported,
} from "#components/controllers/describe-controller.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { controllerHref, defectsHref } from "#lib/client/controller-queries.ts";
import type { Controller } from "#lib/contract/controller.ts";

type Props = { controller: Controller };

export function ControllerLink({ controller }: Props) {
  return (
    <>
      <Anchor component={Link} href={controllerHref(controller)} inherit>
        {controller.label}
      </Anchor>
      <Text size="xs" c="dimmed" fw={400}>
        {controller.purpose}
      </Text>
    </>
  );
}

export function ControllerStateLine({ controller }: Props) {
  const { state, since } = controller;
  const { meaning, todo } = describeController(controller);
  return (
    <>
      <Group gap="xs" wrap="wrap">
        <StateBadge shown={classifyController(state)} size="sm" />
        {since !== null && (
          <Text size="sm" c="dimmed" component="span">
            <RelativeTime at={since} form="for" />
          </Text>
        )}
      </Group>
      <Text size="sm">{meaning}</Text>
      {todo !== undefined && (
        <Text size="sm" c="dimmed">
          {todo}
        </Text>
      )}
    </>
  );
}

export function ControllerVersion({ controller }: Props) {
  const { version, defects } = controller;
  const warnings = defects.filter(({ severity }) => severity === "warning").length;
  return (
    <>
      <bdi>{version ?? notReported}</bdi>
      {defects.length > 0 && (
        <Text size="xs">
          <Anchor
            component={Link}
            href={defectsHref(controller)}
            {...(warnings > 0 ? { c: "var(--gh-amber-text)" } : {})}
            inherit
          >
            {defects.length === 1 ? "1 known defect" : `${defects.length} known defects`}
          </Anchor>
        </Text>
      )}
    </>
  );
}

/** Shows percentiles, each with the bucket that it is in. */
export function ControllerLatency({ controller: { latency } }: Props) {
  if (latency?.presence !== "present" || latency.p50 === null || latency.p99 === null) return formatReading(latency);
  return (
    <>
      <Quantile label="p50" of={latency.p50} />
      <Quantile label="p99" of={latency.p99} />
    </>
  );
}

function Quantile({ label, of }: { label: string; of: Parameters<typeof formatQuantile>[0] }) {
  const { text, bucket } = formatQuantile(of);
  return (
    <div className={classes.quantile}>
      <span className={classes.label}>{label}</span> {text}
      {bucket !== undefined && <span className={classes.bucket}> ({bucket})</span>}
    </div>
  );
}

export function LastScrape({ controller: { lastScrape, error } }: Props) {
  if (lastScrape === null) return <span>never</span>;
  return (
    <>
      <RelativeTime at={lastScrape} />
      {error !== null && (
        <Text size="xs" c="dimmed">
          failed
        </Text>
      )}
    </>
  );
}
