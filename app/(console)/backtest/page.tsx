import type { Metadata } from "next";
import { BacktestPage } from "#components/backtest/backtest-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Back-test" };

export default async function Page() {
  await requirePageActor();
  return <BacktestPage />;
}
