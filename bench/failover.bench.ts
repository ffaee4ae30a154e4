// The primary of two PostgreSQL servers is killed while the recorder and audited writers are at work; the standby is
// promoted by a script. Compared with what happened: every run and measurement, every acknowledged entry, the chain.

import { startPair } from "#test/database-pair.ts";
import { failOver } from "./support/fail-over.ts";
import { printFigure } from "./support/print-figure.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const load = { runs: isFull ? 6000 : 1500, perSecond: 100 };

const pair = await startPair();
const cluster = await startCluster();
const gatehouse = await startGatehouse({ database: pair.urls, cluster });
try {
  const result = await failOver({ pair, cluster, gatehouse, ...load });
  const { soak, acknowledged, lost, isChainWhole, promotedMs, webMs, auditMs, recorderMs } = result;
  for (const line of soak.wrong.slice(0, 20)) process.stderr.write(`failover: ${line}\n`);
  const size =
    `${load.runs} runs at ${load.perSecond}/s, ${soak.measurements} measurements and ${soak.inGaps} in gaps, ` +
    `${acknowledged} entries acknowledged, chain ${isChainWhole ? "whole" : "broken"}`;
  const isWhole = lost === 0 && isChainWhole && soak.wrong.length === 0 && soak.finalStates === load.runs;
  printFigure({
    name: "failover-lost",
    value: lost + soak.wrong.length + (load.runs - soak.finalStates),
    unit: "entries and differences",
    baseline: 0,
    ratio: null,
    size,
    goal: "none, and the chain whole",
    ok: isWhole && acknowledged > 0,
  });
  const times = { web: webMs, audit: auditMs, recorder: recorderMs };
  for (const [name, ms] of Object.entries(times))
    printFigure({
      name: `failover-${name}`,
      value: ms / 1000,
      unit: "s",
      baseline: promotedMs / 1000,
      ratio: ms / promotedMs,
      size: "from the kill of the primary; the baseline is the promotion itself",
      goal: "30 s",
      ok: ms <= 30_000,
    });
} finally {
  await gatehouse.close();
  await cluster.close();
  await pair.stop();
}
