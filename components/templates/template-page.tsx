"use client";

import { Alert, Anchor, DataList, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { describeLimit, describeMeasuring, describeTemplateState } from "#components/templates/describe-template.ts";
import classes from "#components/templates/templates.module.css";
import { Fact } from "#components/ui/fact.tsx";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { backtestHref } from "#lib/client/backtest-href.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { resolveTemplateRef, shortTemplateName, templateHref } from "#lib/client/template-path.ts";
import { useTemplate } from "#lib/client/template-queries.ts";
import type { TemplateDetail, TemplateMetric } from "#lib/contract/template.ts";

// Loaded separately, because YAML is formatted nowhere else.
const TemplateVersions = dynamic(
  () => import("#components/templates/template-versions.tsx").then((module) => module.TemplateVersions),
  { ssr: false, loading: () => <Skeleton height={240} /> },
);

const TemplateInsightLine = dynamic(
  () => import("#components/ui/insight-line.tsx").then((module) => module.TemplateInsightLine),
  { ssr: false },
);

export function TemplatePage({ id }: { id: string }) {
  const query = useTemplate(id);
  return (
    <QueryView
      what="The template"
      query={query}
      missing={{ title: `Template ${shortTemplateName(id)} not found`, list: "templates" }}
      skeleton={<PageSkeleton blocks={[[28, "40%"], [90, "50%"], [150], [240]]} />}
    >
      {(template) => <TemplateView template={template} />}
    </QueryView>
  );
}

function TemplateView({ template }: { template: TemplateDetail }) {
  const { id, cluster, namespace, kind, name, metrics } = template;
  const state = describeTemplateState(template);
  return (
    <Stack gap="lg">
      <header>
        <div className={classes.titleLine}>
          <Title order={1} className={classes.title}>
            {name}
          </Title>
          <Text c="dimmed">
            {kind} · {namespace === null ? cluster : `${cluster} / ${namespace}`}
          </Text>
          {kind !== "MetricTemplate" && (
            <Anchor component={Link} href={`/template-lab?${new URLSearchParams({ template: id })}`} size="sm">
              Open in the template lab
            </Anchor>
          )}
        </div>
        {state !== undefined && (
          <Alert color="gray" variant="outline" bg="var(--gh-surface)" mt="xs">
            It is {state}. Its recorded history is kept here.
          </Alert>
        )}
        <TemplateFacts template={template} />
        {kind !== "MetricTemplate" && <TemplateInsightLine id={id} />}
      </header>
      <Section id="metrics" title="Metrics">
        <TemplateMetrics id={id} metrics={metrics} />
      </Section>
      <TemplateVersions id={id} />
    </Stack>
  );
}

function TemplateFacts({ template }: { template: TemplateDetail }) {
  const { version, writer, writtenAt, rollouts, usedBy, composedOf, composedInto, args } = template;
  return (
    <DataList className={classes.facts} gap="xs" labelWidth="8rem">
      <Fact label="Version">
        {version}, written <RelativeTime at={writtenAt} /> {writer === null ? "by an unknown writer" : `by ${writer}`}
      </Fact>
      <Fact label="Used by">
        {rollouts.length === 0 ? (
          <span className={classes.dim}>no rollout in the cluster</span>
        ) : (
          <ul className={classes.links}>
            {rollouts.map((rollout) => (
              <li key={rollout.id}>
                <Anchor component={Link} href={rolloutHref(rollout)} inherit>
                  {rollout.namespace}/{rollout.name}
                </Anchor>
              </li>
            ))}
            {usedBy > rollouts.length && <li>and {usedBy - rollouts.length} more</li>}
          </ul>
        )}
      </Fact>
      {composedOf.length > 0 && (
        <Fact label="Composed of">
          <TemplateLinks ids={composedOf.map((ref) => resolveTemplateRef(ref, template))} />
        </Fact>
      )}
      {composedInto.length > 0 && (
        <Fact label="Composed into">
          <TemplateLinks ids={composedInto} />
        </Fact>
      )}
      {args.length > 0 && (
        <Fact label="Arguments">
          <ul className={classes.names}>
            {args.map(({ name, value, secret }) => (
              <li key={name}>
                <code>{name}</code>
                {secret ? " is a secret" : value === null ? " is given by the rollout" : " = "}
                {!secret && value !== null && <code>{value}</code>}
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </DataList>
  );
}

function TemplateLinks({ ids }: { ids: readonly string[] }) {
  return (
    <ul className={classes.links}>
      {ids.map((id) => (
        <li key={id}>
          <Anchor component={Link} href={templateHref(id)} inherit>
            {shortTemplateName(id)}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}

/** Shows how each metric of the current spec is judged. */
function TemplateMetrics({ id, metrics }: { id: string; metrics: readonly TemplateMetric[] }) {
  if (metrics.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No metrics of its own; it uses those of the templates below.
      </Text>
    );
  }
  return (
    <div className={classes.metrics}>
      {metrics.map((metric) => (
        <section key={metric.name} className={classes.panel} aria-label={`Metric ${metric.name}`}>
          <Group gap="sm" mb="xs" align="baseline">
            <Title order={3}>{metric.name}</Title>
            <Text size="xs" c="dimmed">
              {metric.provider ?? "unknown provider"}
            </Text>
            {!id.includes("/MetricTemplate/") && (
              <Anchor component={Link} href={backtestHref({ template: id, metric: metric.name })} size="xs" ml="auto">
                Back-test
              </Anchor>
            )}
          </Group>
          <DataList gap={4} labelWidth="10rem">
            <Fact label="Pass if">
              <Condition text={metric.successCondition} />
            </Fact>
            <Fact label="Fail if">
              <Condition text={metric.failureCondition} />
            </Fact>
            <Fact label="Measures">{describeMeasuring(metric)}</Fact>
            <Fact label="Failed, at most">{describeLimit(metric.failureLimit)}</Fact>
            <Fact label="Inconclusive, at most">{describeLimit(metric.inconclusiveLimit)}</Fact>
          </DataList>
        </section>
      ))}
    </div>
  );
}

function Condition({ text }: { text: string | null }) {
  return text === null ? <span className={classes.dim}>no condition</span> : <code>{text}</code>;
}
