"use client";

import { DataList, Skeleton, Stack, Text, Title } from "@mantine/core";
import { ControllerCharts } from "#components/controllers/controller-charts.tsx";
import { ControllerLatency, ControllerStateLine } from "#components/controllers/controller-parts.tsx";
import classes from "#components/controllers/controllers.module.css";
import { formatReading, notReported } from "#components/controllers/describe-controller.ts";
import { Fact } from "#components/ui/fact.tsx";
import { FindingList } from "#components/ui/finding-list.tsx";
import { classifySeverity } from "#components/ui/finding-severity.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { type ControllerAddress, useController } from "#lib/client/controller-queries.ts";
import type { ControllerDetail } from "#lib/contract/controller.ts";

export function ControllerPage({ cluster, component }: ControllerAddress) {
  const query = useController({ cluster, component });
  return (
    <QueryView
      what="The controller"
      query={query}
      missing={{
        title: `No controller ${component} in ${cluster}`,
        hint: "The config does not name it and its Deployment is not recorded, or you may not see it.",
        list: "controllers",
      }}
      skeleton={<Skeleton height={260} aria-hidden="true" />}
    >
      {(controller) => (
        <Stack gap="lg">
          <header>
            <div className={classes.titleLine}>
              <Title order={1}>{controller.label}</Title>
              <Text c="dimmed">
                {controller.cluster} · {controller.component}
              </Text>
            </div>
            <Text size="sm" c="dimmed" mb="xs">
              {controller.purpose}
            </Text>
            <div className={classes.words}>
              <ControllerStateLine controller={controller} />
            </div>
            <ControllerFacts controller={controller} />
          </header>
          <FindingList
            label="Findings about this controller"
            filters={{ cluster, kind: "Controller", name: component }}
          />
          <Defects controller={controller} />
          {controller.via === null ? (
            <Section id="reach" title="Its metrics are not read">
              <Text size="sm" className={classes.words}>
                {controller.reach} Name the address in clusters[].controllers.endpoints, or a Prometheus that scrapes it
                in clusters[].controllers.prometheus.
              </Text>
            </Section>
          ) : (
            <ControllerCharts address={{ cluster, component }} />
          )}
        </Stack>
      )}
    </QueryView>
  );
}

const viaWords = { endpoint: "its own endpoint", prometheus: "the cluster's Prometheus" } as const;

function ControllerFacts({ controller }: { controller: ControllerDetail }) {
  const { version, via, lastScrape, lastSuccess, error, durationMs, everySeconds } = controller;
  const { startedAt, restarts, probe, workloads, errors, latency, depth } = controller;
  return (
    <DataList className={classes.facts} gap="xs" labelWidth="8rem">
      <Fact label="Version">
        <bdi>{version ?? notReported}</bdi>
      </Fact>
      {startedAt !== null && (
        <Fact label="Started">
          <RelativeTime at={startedAt} />
          {restarts > 0 && `, ${restarts === 1 ? "1 restart" : `${restarts} restarts`} seen`}
        </Fact>
      )}
      {via !== null && (
        <Fact label="Last scrape">
          {lastScrape === null ? "never" : <RelativeTime at={lastScrape} />}
          {` from ${viaWords[via]}`}
          {everySeconds !== null && `, every ${everySeconds} s`}
          {durationMs !== null && error === null && `, took ${Math.round(durationMs)} ms`}
          {error !== null && (
            <>
              {": failed, "}
              <HostileText text={error.message} />
              {lastSuccess !== null && (
                <>
                  . Last success <RelativeTime at={lastSuccess} />
                </>
              )}
            </>
          )}
        </Fact>
      )}
      {probe !== null && (
        <Fact label="Probe">
          {probe.state === "ok" ? "well" : probe.state === "failing" ? "fails" : notReported}{" "}
          <RelativeTime at={probe.since} form="for" />
          {probe.message !== null && (
            <>
              : <HostileText text={probe.message} />
            </>
          )}
        </Fact>
      )}
      {workloads?.map(({ kind, namespace, name, ready, desired, tag }) => (
        <Fact key={`${namespace}/${name}`} label={kind}>
          <bdi>
            {namespace}/{name}
          </bdi>
          : {ready} of {desired} ready{tag !== null && `, image tag ${tag}`}
        </Fact>
      ))}
      {errors !== null && <Fact label={errors.label}>{formatReading(errors, " per minute")}</Fact>}
      {latency !== null && (
        <Fact label={latency.label}>
          <ControllerLatency controller={controller} />
        </Fact>
      )}
      {depth !== null && <Fact label={depth.label}>{formatReading(depth)}</Fact>}
    </DataList>
  );
}

function Defects({ controller: { defects, version } }: { controller: ControllerDetail }) {
  if (defects.length === 0) return null;
  return (
    <Section id="defects" title={`Known defects of ${version}`}>
      <ul className={classes.list}>
        {defects.map(({ id, severity, title, advice, source }) => (
          <li key={id} className={classes.panel}>
            <StateBadge shown={classifySeverity(severity)} size="sm" /> {title}
            <Text size="sm" c="dimmed" className={classes.words}>
              {advice} Source: <HostileText text={source} />.
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}
