import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { runBacktest } from "#lib/server/pages/backtest/run-backtest.ts";

export const POST = endpoint({ endpoint: endpoints.backtestAnalysis, handler: runBacktest });
