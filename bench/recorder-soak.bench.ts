// Analysis runs that live for less than 0.2 s, while their watch is dropped at random. Checks the record: every final
// state is there, and every measurement is either recorded or counted in a gap.
import { startBenchDatabase } from "./support/bench-database.ts";
import { printFigure } from "./support/print-figure.ts";
import { recordSoak } from "./support/record-soak.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const options = { runs: isFull ? 20_000 : 1000, perSecond: 200, dropsPerMinute: isFull ? 30 : 120, seed: 4 };

const database = await startBenchDatabase();
const cluster = await startCluster();
const gatehouse = await startGatehouse({ database, cluster });
try {
  gatehouse.startRecorder();
  await gatehouse.untilLive(60_000);
  const result = await recordSoak({ cluster, gatehouse, options });
  const { drops, longestLifeMs, late, settledMs, finalStates, measurements, inGaps, wrong } = result;
  for (const line of wrong.slice(0, 20)) process.stderr.write(`recorder-soak: ${line}\n`);
  const size =
    `${options.runs} runs at ${options.perSecond}/s, ${drops} drops of the watch, longest life ${Math.round(longestLifeMs)} ms ` +
    `(${late} later than planned), ${measurements} measurements and ${inGaps} in gaps, ` +
    (settledMs === undefined ? "never settled" : `settled ${Math.round(settledMs)} ms after the last one`);
  const baseline = options.runs;
  printFigure({
    name: "recorder-soak-final-states",
    value: finalStates,
    unit: "runs",
    baseline,
    ratio: finalStates / baseline,
    size,
    goal: "every final state recorded",
    ok: finalStates === baseline,
  });
  printFigure({
    name: "recorder-soak-unexplained",
    value: wrong.length,
    unit: "differences",
    baseline: 0,
    ratio: null,
    size,
    goal: "none",
    ok: wrong.length === 0 && drops > 0,
  });
} finally {
  await gatehouse.close();
  await cluster.close();
  await database.stop();
}
