/** How far back charts of samples reach. */
export const chartRanges = ["1h", "6h", "24h", "7d", "30d"] as const;
export type ChartRange = (typeof chartRanges)[number];
