import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { ActionName } from "#lib/contract/rollout.ts";
import { GET as listMeasurements } from "../../app/api/v1/analysis-runs/[uid]/measurements/route.ts";
import { GET as getRun } from "../../app/api/v1/analysis-runs/[uid]/route.ts";
import {
  type CanaryStatus,
  type CanaryStory,
  intervalSeconds,
  nameFlaggerVersion,
  startCanary,
} from "./canary-story.ts";
import type { RealWorld } from "./real-world.ts";
import { poll, setMetric, stays } from "./rollout-story.ts";
import { actWhen } from "./story-actions.ts";
import { releasesOf } from "./story-strategies.ts";

const confirmed = ["confirm-rollout", "confirm-traffic-increase", "confirm-promotion"];
const isAnalysed = ({ phase, canaryWeight = 0 }: CanaryStatus) => phase === "Progressing" && canaryWeight === 50;
const isInPhase =
  (wanted: string) =>
  ({ phase }: CanaryStatus) =>
    phase === wanted;
const ended = ({ phase }: CanaryStatus) => phase === "Succeeded" || phase === "Failed";
/** Several checks, on a busy machine. */
const soonMs = 8 * intervalSeconds * 1000;

/** Acts, and waits until Flagger has done it. */
async function actUntilEffective(
  world: RealWorld,
  options: { story: CanaryStory; action: ActionName; at: (status: CanaryStatus) => boolean },
): Promise<void> {
  const { id, state } = await actWhen(world, options);
  expect(state).toBe("applied");
  const action = await world.actionIn(id, ["effective", "not-effective", "partial"], soonMs);
  expect(action, JSON.stringify(await options.story.status())).toMatchObject({ state: "effective" });
}

/** Reads the gates' answers to Flagger, in order, without repetitions. Reasons vary if the view is a moment behind. */
async function readAnswers(world: RealWorld, name: string): Promise<string[]> {
  const { rows } = await world.query<{ type: string; reason: string }>(
    "SELECT type, reason FROM hook_call WHERE name = $1 AND type <> 'event' AND type <> 'rollback' ORDER BY id",
    [name],
  );
  const answers = rows.map(({ type, reason }) => `${type} ${reason === "approved" ? "approved" : "refused"}`);
  return answers.filter((answer, index) => answer !== answers[index - 1]);
}

/** The release's own analysis, as its phase and the measurements of `success`. */
async function readRun(world: RealWorld, story: CanaryStory): Promise<{ phase: string; values: (string | null)[] }> {
  const { releaseRuns } = await world.look(story.name, story.kind);
  const uid = releaseRuns.find(({ type }) => type === "Release")?.uid ?? "";
  const run = await world.call(getRun, { params: { uid } });
  const path = `/api/v1/analysis-runs/${uid}/measurements?metric=success`;
  const { items } = (await world.call(listMeasurements, { params: { uid }, path })) as unknown as {
    items: { seq: number; value: string | null }[];
  };
  return { phase: String(run.phase), values: items.toSorted((a, b) => a.seq - b.seq).map(({ value }) => value) };
}

/** The newest weight that was read from the object that routes the traffic. */
async function readRoute(world: RealWorld, name: string): Promise<number | undefined> {
  const { rows } = await world.query<{ value: number }>(
    `SELECT s.value FROM rollout_sample s JOIN rollout r ON r.id = s.rollout_id
      WHERE r.name = $1 AND s.what = 'route' ORDER BY s.at DESC LIMIT 1`,
    [name],
  );
  return rows[0]?.value;
}

/** Sets the behaviour of pods by the prefix of their names; undefined: as usual. */
function setBehaviour(podsFile: string, prefix: string, behaviour: "crash" | undefined): void {
  let known = {};
  try {
    known = JSON.parse(readFileSync(podsFile, "utf8"));
  } catch {
    // Nothing was set yet.
  }
  writeFileSync(podsFile, JSON.stringify({ ...known, [prefix]: behaviour }));
}

export function describeFlagger(world: () => RealWorld, env: NodeJS.ProcessEnv = process.env): void {
  const hasFlagger = Boolean(env.GATEHOUSE_REAL_FLAGGER_VERSION);

  describe.skipIf(!hasFlagger)("Flagger", { concurrent: true, timeout: 600_000 }, () => {
    beforeAll(() => nameFlaggerVersion(world()));

    it("asks at each gate, and passes only what a person approved", async () => {
      const story = await startCanary(world(), { name: "flagger-gates", gates: confirmed });
      await story.release(world().target.images[1]);
      await actUntilEffective(world(), { story, action: "approve", at: isInPhase("Waiting") });
      await actUntilEffective(world(), {
        story,
        action: "approve",
        at: ({ phase, canaryWeight }) => phase === "Progressing" && !canaryWeight,
      });
      await actUntilEffective(world(), { story, action: "approve", at: isAnalysed });
      // The status has 0 there; the Ingress has the weight.
      await story.until("waits for the promotion", isInPhase("WaitingPromotion"), soonMs);
      await poll({
        what: "the weight of the route",
        read: () => readRoute(world(), story.name),
        fits: (is) => is === 50,
      });
      await story.seen("its weight", ({ weight }) => weight?.actual === 50);
      await actUntilEffective(world(), { story, action: "approve", at: isInPhase("WaitingPromotion") });
      await story.until("promoted", isInPhase("Succeeded"), soonMs);
      const primary = await world().cluster.get(story.primaryPath);
      expect(JSON.stringify(primary.spec)).toContain(world().target.images[1]);
      const [release] = await poll({
        what: "the release is promoted",
        read: () => releasesOf(world(), story.name, story.kind),
        fits: ([newest]) => newest?.state === "promoted",
      });
      expect(release?.images).toContain(world().target.images[1]);
      // Where it waited, Flagger was refused until the approval came.
      expect(await readAnswers(world(), story.name)).toEqual([
        ...["confirm-rollout refused", "confirm-rollout approved"],
        ...["confirm-traffic-increase refused", "confirm-traffic-increase approved"],
        ...["confirm-traffic-increase refused", "confirm-traffic-increase approved"],
        ...["confirm-promotion refused", "confirm-promotion approved"],
      ]);
    });

    it("waits while a gate is held, and rolls back when a person says so", async () => {
      const name = "flagger-held";
      const story = await startCanary(world(), { name, gates: ["confirm-promotion"] });
      await story.release(world().target.images[1]);
      const waits = isInPhase("WaitingPromotion");
      await actWhen(world(), { story, action: "hold", at: waits });
      await stays("it waits for the promotion", async () => waits(await story.status()), 3 * intervalSeconds * 1000);
      await actUntilEffective(world(), { story, action: "rollback", at: waits });
      await story.until("failed", isInPhase("Failed"));
      const primary = await world().cluster.get(story.primaryPath);
      expect(JSON.stringify(primary.spec)).toContain(world().target.images[0]);
      await poll({
        what: "the release is aborted",
        read: () => releasesOf(world(), story.name, story.kind),
        fits: ([newest]) => newest?.state === "aborted",
      });
    });

    it("measures: failed checks roll back, with their values; a retrigger tries the version again", async () => {
      const name = "flagger-measured";
      await setMetric(world(), name, 0.2);
      const story = await startCanary(world(), { name });
      await story.release(world().target.images[1]);
      await story.until("failed", isInPhase("Failed"), 180_000);
      const run = await poll({
        what: "the run of the failed release",
        read: () => readRun(world(), story),
        fits: ({ phase }) => phase === "Failed",
      });
      expect(run.values.map(Number)).toEqual([0.2, 0.2, 0.2]);
      await setMetric(world(), name, 1);
      await actUntilEffective(world(), { story, action: "retrigger", at: isInPhase("Failed") });
      await story.until("promoted", isInPhase("Succeeded"), 180_000);
      await poll({
        what: "the second attempt is promoted",
        read: () => releasesOf(world(), story.name, story.kind),
        fits: ([newest, before]) => newest?.state === "promoted" && before?.state === "aborted",
      });
    });

    it.skipIf(!env.GATEHOUSE_REAL_PROMETHEUS_URL)("shows the values of checks that passed", async () => {
      const name = "flagger-sampled";
      await setMetric(world(), name, 0.95);
      const analysis = { stepWeight: 20, maxWeight: 60 };
      const story = await startCanary(world(), { name, gates: ["confirm-promotion"], analysis });
      await story.release(world().target.images[1]);
      await story.until("waits for the promotion", isInPhase("WaitingPromotion"), 180_000);
      // The status has 0 there.
      const { weight } = await story.seen("the weight", ({ weight: shown }) => shown?.actual === 60);
      expect(weight).toMatchObject({ actual: 60 });
      await actUntilEffective(world(), { story, action: "approve", at: isInPhase("WaitingPromotion") });
      await story.until("promoted", isInPhase("Succeeded"), soonMs);
      const run = await poll({
        what: "the values of its three rounds",
        read: () => readRun(world(), story),
        fits: ({ phase, values }) => phase === "Successful" && values.filter((value) => value !== null).length >= 3,
      });
      expect(new Set(run.values.filter((value) => value !== null))).toEqual(new Set(["0.95"]));
    });

    it("stands still while it is suspended, and continues after that", async (context) => {
      const story = await startCanary(world(), {
        name: "flagger-suspended",
        analysis: { stepWeight: 10, maxWeight: 50 },
      });
      await story.release(world().target.images[1]);
      const runs = ({ phase, canaryWeight = 0 }: CanaryStatus) => phase === "Progressing" && canaryWeight >= 10;
      await actUntilEffective(world(), { story, action: "suspend", at: runs });
      // The check that was under way may still end.
      await new Promise((resolve) => setTimeout(resolve, intervalSeconds * 1000));
      const before = await story.status();
      context.skip(ended(before), "the release was over before it was suspended");
      await stays(
        "nothing moves",
        async () => (await story.status()).canaryWeight === before.canaryWeight,
        3 * intervalSeconds * 1000,
      );
      await actUntilEffective(world(), { story, action: "unsuspend", at: runs });
      await story.until("promoted", isInPhase("Succeeded"), 240_000);
    });

    it("promotes at once when the analysis is skipped", async () => {
      const name = "flagger-skipped";
      const story = await startCanary(world(), { name, gates: ["confirm-promotion"], analysis: { stepWeight: 10 } });
      await story.release(world().target.images[1]);
      await actUntilEffective(world(), { story, action: "skip-analysis", at: isInPhase("Progressing") });
      await story.until("promoted", isInPhase("Succeeded"), soonMs);
    });

    it.skipIf(!env.GATEHOUSE_REAL_PODS_FILE)(
      "whose primary fails in the promotion: said before the deadline, and who serves after it",
      async ({ onTestFinished }) => {
        const name = "flagger-primary-fails";
        const setPods = (behaviour: "crash" | undefined) =>
          setBehaviour(world().target.podsFile ?? "", `${name}-primary-`, behaviour);
        setPods(undefined);
        onTestFinished(() => setPods(undefined));
        const story = await startCanary(world(), { name, deployment: { progressDeadlineSeconds: 45 } });
        setPods("crash");
        await story.release(world().target.images[1]);
        const risk = await story.seen(
          "at risk, with a deadline",
          ({ notices }) => notices.some(({ deadline }) => deadline !== null),
          240_000,
        );
        const deadline = Date.parse(risk.notices.find((notice) => notice.deadline !== null)?.deadline ?? "");
        expect((await story.status()).phase).toBe("Promoting");
        await story.until("failed", isInPhase("Failed"), 240_000);
        const lateMs = Date.now() - deadline;
        expect(lateMs).toBeGreaterThan(-3_000);
        expect(lateMs).toBeLessThan(4 * intervalSeconds * 1000);
        const servesCanary =
          (env.GATEHOUSE_REAL_FLAGGER_VERSION ?? "").localeCompare("1.44", "en", { numeric: true }) >= 0;
        const words = servesCanary ? /canary .*serv/i : /failed primary/i;
        const failed = await story.seen("who serves", ({ message, notices }) =>
          [message, ...notices.map(({ text }) => text)].some((text) => words.test(text)),
        );
        const off = failed.allowedActions.filter(({ allowed }) => !allowed).map(({ action }) => action);
        expect(off).toEqual(expect.arrayContaining(["rollback", "skip-analysis", "retrigger"]));
      },
    );
  });
}
