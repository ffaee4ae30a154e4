import type { BacktestingProvider } from "#lib/domain/delivery/backtest.ts";
import { prepareReplay } from "./backtest/prepare-replay.ts";
import { findFaults } from "./backtest/propose-metric.ts";

export const argoBacktesting: BacktestingProvider = { findFaults, prepareReplay };
