"use client";

import { Skeleton, Stack } from "@mantine/core";
import dynamic from "next/dynamic";

export const LazyBacktestPage = dynamic(
  () => import("#components/backtest/backtest-page.tsx").then((module) => module.BacktestPage),
  {
    ssr: false,
    loading: () => (
      <Stack gap="md" aria-busy="true">
        <Skeleton height={28} width="20%" />
        <Skeleton height={52} />
        <Skeleton height={180} />
      </Stack>
    ),
  },
);
