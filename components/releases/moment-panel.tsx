"use client";

import { Anchor, Skeleton, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import Link from "next/link";
import classes from "#components/releases/releases.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { formatExact, wordTimes } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { Section } from "#components/ui/section.tsx";
import { StateBadge, StateIcon } from "#components/ui/state-badge.tsx";
import { useReleaseMoment } from "#lib/client/release-queries.ts";
import { runHref } from "#lib/client/rollout-path.ts";
import type { MomentMetric, ReleaseMoment } from "#lib/contract/release-course.ts";
import { wordStep } from "#lib/domain/delivery/word-step.ts";
import { showRecorded } from "#lib/domain/units/show-value.ts";
import { capital } from "#lib/util/words.ts";

/** Shows the release as it stood at a moment: steps, pods, measurements so far, and what could have been done. */
export function MomentPanel({ id, atMs }: { id: string; atMs: number }) {
  const [settledMs] = useDebouncedValue(atMs, 150);
  const query = useReleaseMoment(id, new Date(settledMs).toISOString());
  return (
    <Section id="moment" title={`At ${formatExact(new Date(atMs).toISOString())}`} className={classes.panel}>
      <QueryView what="This moment" query={query} skeleton={<Skeleton height={140} />}>
        {(moment) => <Moment moment={moment} />}
      </QueryView>
    </Section>
  );
}

function Moment({ moment }: { moment: ReleaseMoment }) {
  return (
    <>
      <div className={classes.columns}>
        <State moment={moment} />
        <Runs runs={moment.runs} />
        <Buttons actions={moment.actions} />
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        As observed at {formatExact(moment.observedAt)}. {moment.notes.join(" ")}
      </Text>
    </>
  );
}

function State({ moment: { moment, steps, replicas, follows } }: { moment: ReleaseMoment }) {
  const { message, waits } = moment;
  return (
    <div>
      <Title order={3}>State</Title>
      <ul className={classes.plainList}>
        {waits.map((wait) => (
          <li key={wait}>
            <HostileText text={wait} />
          </li>
        ))}
        {message !== "" && (
          <li>
            <HostileText text={message} />
          </li>
        )}
        {replicas !== null && (
          <li>
            {replicas.updated} of {replicas.desired} pods on the new version, {replicas.available} available in all
          </li>
        )}
      </ul>
      {steps.length > 0 && (
        <ol className={classes.steps} aria-label="Steps">
          {steps.map(({ index, text, state }) => (
            <li key={index} className={classes.step} data-state={state}>
              {index + 1} {wordStep(text)}
              <span className="visually-hidden">, {state}</span>
            </li>
          ))}
        </ol>
      )}
      {follows !== null && follows.text !== "" && (
        <Text size="sm" c="dimmed" mt={4}>
          {follows.text}
        </Text>
      )}
    </div>
  );
}

function Runs({ runs }: Pick<ReleaseMoment, "runs">) {
  return (
    <div>
      <Title order={3}>Measured so far</Title>
      {runs.length === 0 ? (
        <Text size="sm" c="dimmed">
          No analysis had begun.
        </Text>
      ) : (
        <ul className={classes.plainList}>
          {runs.map(({ uid, type, stepIndex, phase, metrics }) => (
            <li key={uid}>
              <StateBadge shown={classifyAnalysis(phase)} size="sm" variant="plain" />{" "}
              <Anchor component={Link} href={runHref(uid)} inherit>
                {capital(nameRunPlace({ type, stepIndex }))}
              </Anchor>
              <ul className={classes.plainList}>
                {metrics.map((metric) => (
                  <li key={metric.name}>
                    <Metric metric={metric} />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Metric({ metric }: { metric: MomentMetric }) {
  const { name, measurements, failed, inconclusive, error, last, unit } = metric;
  const unsuccessful = [
    failed > 0 && `${failed} failed`,
    inconclusive > 0 && `${inconclusive} inconclusive`,
    error > 0 && `${error} errors`,
  ].filter((part) => part !== false);
  return (
    <>
      {last !== null && <StateIcon state={classifyAnalysis(last.phase).state} size={14} />} <strong>{name}</strong>{" "}
      {last === null ? (
        <span className={classes.quiet}>not measured yet</span>
      ) : (
        <>
          <code title={last.value ?? undefined}>
            {last.value === null ? "no value" : showRecorded(last.value, unit)}
          </code>{" "}
          <span className={classes.quiet}>
            {measurements === 1 ? "1 measurement" : `${measurements} measurements`}
            {unsuccessful.length > 0 && `, ${unsuccessful.join(", ")}`}
          </span>
        </>
      )}
    </>
  );
}

function Buttons({ actions }: Pick<ReleaseMoment, "actions">) {
  if (actions === null) return null;
  const possible = actions.filter(({ allowed }) => allowed);
  const others = actions.filter(({ allowed }) => !allowed);
  return (
    <div>
      <Title order={3}>Possible actions</Title>
      {possible.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing.
        </Text>
      ) : (
        <ul className={classes.plainList} aria-label="Possible actions">
          {possible.map(({ action, label }) => (
            <li key={action}>{label}</li>
          ))}
        </ul>
      )}
      <ActionDetails
        summary="Their effects"
        rows={possible.flatMap(({ action, label, effect }) =>
          effect === undefined ? [] : [{ action, label, text: effect }],
        )}
      />
      <ActionDetails
        summary={`Not possible, and why (${others.length})`}
        rows={others.map(({ action, label, reason = "" }) => ({ action, label, text: reason }))}
      />
      <Text size="xs" c="dimmed" mt={4}>
        By the rollout's state alone, without rights, freezes and stale sources.
      </Text>
    </div>
  );
}

type ActionDetailsProps = { summary: string; rows: readonly { action: string; label: string; text: string }[] };

function ActionDetails({ summary, rows }: ActionDetailsProps) {
  if (rows.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>{summary}</summary>
      <ul className={classes.plainList}>
        {rows.map(({ action, label, text }) => (
          <li key={action}>
            <strong>{label}</strong>{" "}
            <span className={classes.quiet}>
              <HostileText text={wordTimes(text)} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
