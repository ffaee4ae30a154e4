"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";

// The figures come later than the page in any case.
const InsightsBody = dynamic(
  () => import("#components/insights/insights-body.tsx").then((module) => module.InsightsBody),
  { ssr: false, loading: () => <Skeleton height={480} /> },
);

export function InsightsPage() {
  const filters = useFilters([
    ...(["days", "from", "to"] as const),
    ...(["cluster", "namespace", "kind", "rollout", "template", "metric"] as const),
  ]);
  return (
    <>
      <PageTitle>Insights</PageTitle>
      <InsightsBody filters={filters} />
    </>
  );
}
