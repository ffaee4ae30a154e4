import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { runBacktest } from "#lib/server/services/backtest/run-backtest.ts";

export const POST = endpoint({ endpoint: endpoints.backtestAnalysis, handler: runBacktest });
