import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { historyTables } from "#demo/history/history-tables.ts";
import { packHistory } from "#demo/history/pack.ts";
import { historyDays, historyFreezes, templateChanges } from "#demo/history/six-weeks.ts";
import type { PersonAct } from "#demo/history/story-types.ts";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { parseDurationMs } from "#sandbox/controllers/clock.ts";
import { actOnRollout, release } from "#sandbox/scenarios/act-on-rollout.ts";
import { openDataDirectory } from "../../bin/launcher/data-directory.ts";
import { changeTemplate, quicken, stateOf } from "./past-cluster.ts";
import { type PlannedRelease, type PlannedService, planHistory, timeOf } from "./plan-history.ts";
import { createPlay, type Play } from "./play.ts";
import { createSimulatedClock, pause, type SimulatedClock } from "./simulated-clock.ts";
import { createStack, startWorld, type World } from "./world.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
const [folder = "", offsetFile = "", offsetSeconds = "0", ...rest] = process.argv.slice(2);
/** The last day that is played: a Friday, or an earlier day for a trial. */
const lastDay = Number(rest[0] ?? historyDays - 3);
const log = (line: string): void => {
  process.stderr.write(`history: ${new Date().toISOString().slice(0, 16)} ${line}\n`);
};

await main();

async function main(): Promise<void> {
  const clock = createSimulatedClock(offsetFile, Number(offsetSeconds) * 1000);
  const startMs = Math.floor(Date.now() / dayMs) * dayMs;
  const endMs = timeOf(startMs, `d${lastDay} 18:00`);
  const services = planHistory(startMs);
  chmodSync(folder, 0o755);
  const data = await openDataDirectory(join(folder, "data"));
  const stack = createStack();
  try {
    const world = await startWorld({ clock, folder, data, stack, services, log });
    const play = createPlay({ clock, world, services });
    await play.until(endMs, () => tellStory({ ...play, clock, world, services, startMs, endMs }));
    log("the story is told");
    await play.until(endMs + 20 * minuteMs, async () => {
      for (const { live } of services) quicken(world.cluster.audited, live);
    });
    await untilDerived(world.database);
    await world.stopOwn();
    await writeHistory(world);
  } finally {
    await stack.stop();
    data.release();
  }
}

type Story = Play & {
  clock: SimulatedClock;
  world: World;
  services: readonly PlannedService[];
  startMs: number;
  endMs: number;
};

async function tellStory(story: Story): Promise<void> {
  const { clock, world, services, startMs, endMs } = story;
  world.cluster.startScenarios();
  await Promise.all([
    ...services.map((service) => playService(story, service)),
    ...templateChanges.map(async ({ on, successCondition, ...change }) => {
      if (timeOf(startMs, on) > endMs) return;
      await clock.sleepUntil(timeOf(startMs, on));
      changeTemplate(world.cluster.audited, { ...change, successCondition: successCondition.after });
    }),
    ...historyFreezes.map(async ({ on, by, hours, ended, ...freeze }) => {
      if (timeOf(startMs, on) > endMs) return;
      await clock.sleepUntil(timeOf(startMs, on));
      const endsAt = new Date(Date.now() + hours * 3_600_000).toISOString();
      const { id } = await story.live(() => world.people.freeze(by, { ...freeze, endsAt }));
      if (timeOf(startMs, ended.on) > endMs) return;
      await clock.sleepUntil(timeOf(startMs, ended.on));
      await story.live(() => world.people.endFreeze(by, { id, reason: ended.reason }));
    }),
  ]);
}

async function playService(story: Story, { past, releases }: PlannedService): Promise<void> {
  const { clock, world, when, endMs } = story;
  await when(() => stateOf(world.cluster.store, past)?.healthy === true);
  for (const planned of releases) {
    if (planned.atMs > endMs) return;
    await clock.sleepUntil(planned.atMs);
    log(`${past.name} ${planned.version}${planned.trouble === undefined ? "" : ` (${planned.trouble})`}`);
    const object = world.cluster.store.get("rollouts", past.namespace, past.name);
    if (object === undefined) throw new Error(`${past.name} is gone`);
    release(world.cluster.audited, object, { version: planned.version, played: 0 });
    for (const act of planned.people ?? []) await playAct(story, { past, planned, act });
    const isAtRest = () => {
      const state = stateOf(world.cluster.store, past);
      return state?.healthy === true || state?.aborted === true;
    };
    await when(isAtRest);
    log(
      `${past.name} ${planned.version} ${stateOf(world.cluster.store, past)?.healthy ? "is healthy" : "was aborted"}`,
    );
  }
}

async function playAct(
  story: Story,
  { past, planned, act }: { past: PlannedService["past"]; planned: PlannedRelease; act: PersonAct },
): Promise<void> {
  const { clock, world, when } = story;
  const place = { namespace: past.namespace, name: past.name };
  await when(() => {
    const state = stateOf(world.cluster.store, past);
    return state?.version === planned.version && state[act.when ?? "waiting"] === true;
  });
  await clock.sleepUntil(timeOfAct(act));
  log(`${act.by}: ${act.act} ${past.name}`);
  const letPass = async (ms: number): Promise<void> => {
    await story.pass(ms);
    await untilFresh(world.database);
  };
  await story.live(async () => {
    await untilFresh(world.database);
    if (act.by !== "kubectl") {
      await world.people.act(place, act, letPass);
      // The controller carries it out at its own pace.
      return pause(2000);
    }
    const object = world.cluster.store.get("rollouts", past.namespace, past.name);
    if (object !== undefined) actOnRollout(world.cluster.audited, object, { when: "healthy", act: "continue" }, 0);
    // The API server's audit event comes later, and is then matched with the change.
    await pause(8000);
  });
}

function timeOfAct(act: PersonAct): number {
  if ("after" in act) return Date.now() + (parseDurationMs(act.after) ?? 0);
  const [hour = 0, minute = 0, second = 0] = act.at.split(":").map(Number);
  const todayMs = Math.floor(Date.now() / dayMs) * dayMs + (hour * 60 + minute) * minuteMs + second * 1000;
  return todayMs > Date.now() ? todayMs : todayMs + dayMs;
}

/** Waits until the recorder has heard of every source since the last jump of the clock: nobody acts on a stale view. */
async function untilFresh(database: pg.Client): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const { rows } = await database.query<{ fresh: boolean }>(
      `SELECT bool_and(least(watch_contact_at, read_contact_at) > clock_timestamp() - interval '4 s') AS fresh FROM source`,
    );
    if (rows[0]?.fresh === true) return;
    await pause(50);
  }
  throw new Error("the recorder's view stays stale");
}

/** Waits until nothing is left to be derived from what was recorded. */
async function untilDerived(database: pg.Client): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const { rows } = await database.query<{ due: number }>(
      `SELECT (SELECT count(*) FROM release WHERE ended_at IS NOT NULL AND figured_at IS DISTINCT FROM updated_at)
            + (SELECT count(*) FROM analysis_run WHERE completed_at IS NOT NULL
                 AND (verdict_check_version IS DISTINCT FROM resource_version OR figures_version IS DISTINCT FROM resource_version))
            + (SELECT count(*) FROM unasked_change WHERE state = 'open') AS due`,
    );
    if (Number(rows[0]?.due) === 0) return;
    if (tries % 10 === 9) log(`${rows[0]?.due} rows are due`);
    await pause(500);
  }
  log("gave up waiting for what is derived");
}

async function writeHistory({ database, cluster }: World): Promise<void> {
  await database.query("SET timezone = 'UTC'");
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const table of historyTables) {
    // Sources are not stale in a history.
    const where = table === "finding" ? "WHERE t.about = 'rollout'" : "";
    const answer = await database.query<{ row: Record<string, unknown> }>(
      `SELECT row_to_json(t) AS row FROM ${table} t ${where} ORDER BY t`,
    );
    rows[table] = answer.rows.map(({ row }) => row);
    log(`${table}: ${answer.rows.length} rows, ${JSON.stringify(rows[table]).length} bytes`);
  }
  const packed = packHistory({ endedAt: new Date().toISOString(), rows, objects: cluster.snapshot() });
  const file = join(projectRoot, "demo/history/six-weeks.json.br");
  writeFileSync(file, packed);
  log(`${file}: ${packed.length} bytes`);
}
