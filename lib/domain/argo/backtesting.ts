import type { BacktestingProvider } from "#lib/domain/delivery/backtest.ts";
import { findFaults } from "./backtest/propose-metric.ts";
import { replayRun } from "./backtest/replay-run.ts";

export const argoBacktesting: BacktestingProvider = { findFaults, replayRun };
