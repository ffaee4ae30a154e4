"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";

// The charts and their library are loaded only on pages that show them.

export const LazyRunCharts = dynamic(
  () => import("#components/charts/run-charts.tsx").then((module) => module.RunCharts),
  { ssr: false, loading: () => <Skeleton height={240} /> },
);

export const LazySeriesChart = dynamic(
  () => import("#components/charts/series-chart.tsx").then((module) => module.SeriesChart),
  { ssr: false, loading: () => <Skeleton height={130} /> },
);
