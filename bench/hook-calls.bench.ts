// Hook calls of Flagger at a steady rate on loopback, each on its schedule whether or not others are answered: the time
// to the answer, while the database works, while it is stopped, and while it does not answer. Of all gates one is
// approved: no other call may pass, and none without the database. With --full through the built application.
import { startTcpProxy } from "#test/tcp-proxy.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { buildApplication } from "./support/build-application.ts";
import { addCanaries, type HookDriver, type HookResult, startHookDriver } from "./support/hook-driver.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const options = { perSecond: 1000, canaries: 500, seconds: isFull ? 20 : 4 };

if (isFull) {
  buildApplication();
}
const database = await startBenchDatabase();
const proxy = await startTcpProxy({ port: Number(new URL(database.webUrl).port) });
const webUrl = proxy.throughProxy(database.webUrl);
const gatehouse = await startGatehouse({
  database: { ...database, webUrl },
  cluster: { url: "http://127.0.0.1:1", token: "none" },
});
let driver: HookDriver | undefined;
try {
  const canaries = await addCanaries(gatehouse, options.canaries);
  const web = await gatehouse.startWeb({ next: isFull });
  driver = startHookDriver({ port: web.port, canaries });
  // The first calls compile the code and open connections.
  await driver.run({ perSecond: 200, seconds: 2 });
  await driver.run({ perSecond: options.perSecond, seconds: 2 });
  const up = await driver.run(options);
  await database.halt();
  const stopped = await driver.run(options);
  await database.resume();
  await driver.untilAnswered();
  proxy.silence();
  const silent = await driver.run(options);
  proxy.resume();
  await driver.untilAnswered();
  const again = await driver.run(options);
  const baseline = percentile(up.ms, 50);
  const figures = [
    { name: "up", result: up, goalMs: 100 },
    { name: "stopped", result: stopped, goalMs: 1000 },
    { name: "silent", result: silent, goalMs: 1000 },
    { name: "again", result: again, goalMs: 100 },
  ];
  for (const { name, result, goalMs } of figures) printTimes({ name, result, goalMs, baseline });
  const wrong = [up, again].reduce((sum, { wrong }) => sum + wrong, 0) + stopped.passed + silent.passed;
  const failed = figures.reduce((sum, { result }) => sum + result.failed, 0);
  const calls = figures.reduce((sum, { result }) => sum + result.ms.length, 0);
  printFigure({
    name: "hook-calls-wrong",
    value: wrong + failed,
    unit: "calls",
    baseline: calls,
    ratio: (wrong + failed) / calls,
    size: `${wrong} passed that should not, ${failed} had no answer or one of 5xx; ${up.passed + again.passed} of the approved gate passed`,
    goal: "none",
    ok: wrong + failed === 0 && up.passed > 0 && again.passed > 0,
  });
} finally {
  driver?.close();
  await gatehouse.close();
  await proxy.close();
  await database.stop();
}

function printTimes({
  name,
  result,
  goalMs,
  baseline,
}: {
  name: string;
  result: HookResult;
  goalMs: number;
  baseline: number;
}): void {
  const value = percentile(result.ms, 99);
  printFigure({
    name: `hook-calls-${name}-p99`,
    value,
    unit: "ms",
    baseline,
    ratio: value / baseline,
    size:
      `${options.perSecond} calls/s for ${options.seconds} s over ${options.canaries} canaries${isFull ? " through Next" : ""}; ` +
      `median ${percentile(result.ms, 50).toFixed(1)} ms, worst ${Math.round(percentile(result.ms, 100))} ms, driver behind ` +
      `by at most ${Math.round(result.behindMs)} ms; baseline: the median while the database works`,
    goal: `under ${goalMs} ms`,
    ok: value < goalMs,
  });
}
