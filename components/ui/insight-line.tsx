"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { insightsHref } from "#lib/client/insight-links.ts";
import { type InsightFilters, useAnalysisInsights, useReleaseInsights } from "#lib/client/insight-queries.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { formatCountOf } from "#lib/util/words.ts";

const nothing: InsightFilters = { days: "30", from: "", to: "", cluster: "", namespace: "", kind: "", rollout: "" };

/** Says how the last 30 days of a rollout went, and leads to its insights. Shows nothing until that is known. */
export function RolloutInsightLine({ rollout: { cluster, namespace, kind, name } }: { rollout: ObjectRef }) {
  const scope = { cluster, namespace, kind, rollout: name };
  const { data } = useReleaseInsights({ ...nothing, ...scope });
  if (data === undefined) return null;
  const { releases, aborted, undone } = data.figures;
  const parts = [formatCountOf(releases, "release"), `${aborted} aborted`, ...(undone > 0 ? [`${undone} undone`] : [])];
  return <InsightLine text={parts.join(", ")} href={insightsHref(scope)} />;
}

/** The same for the runs of a template, by its id. */
export function TemplateInsightLine({ id }: { id: string }) {
  const { data } = useAnalysisInsights({ ...nothing, template: id, metric: "" });
  if (data === undefined) return null;
  const [row] = data.templates;
  const parts = [
    formatCountOf(row?.runs ?? 0, "run"),
    `${row?.failed ?? 0} Failed`,
    `${row?.inconclusive ?? 0} Inconclusive`,
  ];
  return <InsightLine text={parts.join(", ")} href={insightsHref({ template: id })} />;
}

function InsightLine({ text, href }: { text: string; href: string }) {
  return (
    <Text size="sm" mt={4}>
      Last 30 days:{" "}
      <Anchor component={Link} href={href} prefetch={false} inherit>
        {text}
      </Anchor>
    </Text>
  );
}
