// Time from the request for an action until its patch is sent to the cluster, with every check, the live read and the
// chained intent before it. Compared with a program that reads the object and patches it at once. The cluster is the
// sandbox's API server in this process. With --full, also runs a thousand races of continue against abort. Then a freeze
// of everything, while three replicas promote and abort.
import { createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { raceLine } from "#test/hardening/race-line.ts";
import { findRaceFault, raceOrders, racePair } from "#test/hardening/race-pair.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { percentile, printFigure } from "./support/print-figure.ts";

const isFull = process.argv.includes("--full");
const actions = isFull ? 500 : 100;
const pairs = isFull ? 1000 : 30;
const goalMs = 1000;

const database = await startBenchDatabase();
const world = await createActingWorld({ database: { ...database, drop: async () => {} } });
try {
  await measureClick();
  await race();
  await stopLine();
} finally {
  await world.close();
  await database.stop();
}

async function measureClick(): Promise<void> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let index = -10; index < actions; index += 1) {
    const clicked = await untilPatch(await world.addRollout(), (rollout, seen) =>
      world.act({ rollout, action: "continue", expect: seen }),
    );
    const plain = await untilPatch(await world.addRollout(), (rollout) => readAndPatch(rollout));
    // The first ones are warm-up.
    if (index >= 0) {
      ours.push(clicked);
      bare.push(plain);
    }
  }
  for (const p of [50, 95]) {
    const value = percentile(ours, p);
    const baseline = percentile(bare, p);
    printFigure({
      name: `act-click-to-patch-p${p}`,
      value,
      unit: "ms",
      baseline,
      ratio: value / baseline,
      size: `${actions} continues, one after the other; baseline: GET, then PATCH`,
      goal: `within ${goalMs} ms of the baseline`,
      ok: value - baseline <= goalMs,
    });
  }
}

/** Returns the milliseconds from the call until the first patch is handed to the client. */
async function untilPatch(
  rollout: TestRollout,
  act: (rollout: TestRollout, seen: Awaited<ReturnType<TestRollout["look"]>>) => Promise<unknown>,
): Promise<number> {
  const seen = await rollout.look();
  let patchedAt: number | undefined;
  world.setIntercept((request, send) => {
    if (request.method === "PATCH") patchedAt ??= performance.now();
    return send();
  });
  const startedAt = performance.now();
  await act(rollout, seen);
  world.setIntercept(undefined);
  if (patchedAt === undefined) throw new Error("no patch was sent");
  return patchedAt - startedAt;
}

async function readAndPatch({ path: { namespace, name } }: TestRollout): Promise<void> {
  const path = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/rollouts/${name}`;
  const as = { mode: "groups", username: "operator-person", groups: ["gatehouse:operators"] } as const;
  await world.client.request({ method: "GET", path, as });
  const { status } = await world.client.request({
    method: "PATCH",
    path: `${path}/status`,
    contentType: "application/merge-patch+json",
    body: { status: { pauseConditions: null } },
    as,
  });
  if (status !== 200) throw new Error(`the bare patch was answered ${status}`);
}

async function race(): Promise<void> {
  const faults: string[] = [];
  const answers = new Map<string, number>();
  for (let pair = 0; pair < pairs; pair += 1) {
    const result = await racePair(world, raceOrders[pair % raceOrders.length] ?? "between");
    answers.set(result.continued, (answers.get(result.continued) ?? 0) + 1);
    const fault = findRaceFault(result);
    if (fault !== undefined) faults.push(`pair ${pair}: ${fault}: ${JSON.stringify(result)}`);
  }
  const verdict = await world.verify();
  if (!verdict.ok) faults.push(`the chain does not verify: ${JSON.stringify(verdict)}`);
  for (const fault of faults.slice(0, 5)) process.stderr.write(`act: ${fault}\n`);
  const reported = [...answers].map(([answer, count]) => `${count} ${answer}`).join(", ");
  printFigure({
    name: "act-races",
    value: faults.length,
    unit: "faults",
    baseline: null,
    ratio: null,
    size: `${pairs} pairs of continue and abort at once; the continue: ${reported}; chain of ${verdict.ok ? verdict.entries : 0} entries`,
    goal: "0",
    ok: faults.length === 0,
  });
}

async function stopLine(): Promise<void> {
  const options = isFull ? { promotes: 500, aborts: 100 } : { promotes: 60, aborts: 20 };
  const { sent, late, frozen, aborted, others } = await raceLine(world, options);
  const lost = options.aborts - aborted;
  for (const other of others.slice(0, 5)) process.stderr.write(`act: ${other}\n`);
  const faults = late + lost + others.filter((answer) => answer.startsWith("continue")).length;
  printFigure({
    name: "act-stop-the-line",
    value: faults,
    unit: "faults",
    baseline: null,
    ratio: null,
    size: `${options.promotes} promotes and ${options.aborts} aborts from three replicas: ${sent} sent before the freeze, ${frozen} refused, ${late} sent after it was answered; ${aborted} aborted`,
    goal: "0",
    ok: faults === 0,
  });
}
