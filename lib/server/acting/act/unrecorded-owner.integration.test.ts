import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  act,
  addSubject,
  manager,
  patches,
  plurals,
  type Subject,
  startSubjectWorld,
  world,
} from "#test/subject-world.ts";

startSubjectWorld();

/** Freezes rollout checkout. While the owner is unknown, the freeze is not checked by the owner's name. */
const freezeCheckout = () =>
  world.setPolicies({ freezes: [{ name: "all", start: "* * * * *", duration: "24h", rollouts: ["checkout"] }] });

const expectUntouched = async (subject: Subject, code = "source_stale") => {
  world.requests.length = 0;
  await expect(act(subject)).rejects.toMatchObject({ code });
  expect(patches()).toHaveLength(0);
  expect(subject.read().spec.terminate).toBeUndefined();
};

describe("a run that an Experiment owns", () => {
  it("is not ended while the Experiment is not recorded", async () => {
    freezeCheckout();
    const rollout = await world.addRollout();
    const experiment = { name: "x", uid: randomUUID(), namespace: rollout.path.namespace };
    await expectUntouched(await addSubject({ experiment }));
  });

  it("is not ended while the Experiment's rollout is not recorded", async () => {
    freezeCheckout();
    const experiment = await addSubject({ kind: "Experiment" });
    await world.owner.query(
      "UPDATE experiment SET owner_kind = 'Rollout', owner_name = 'checkout', rollout_id = $2 WHERE uid = $1",
      [experiment.uid, randomUUID()],
    );
    await expectUntouched(await addSubject({ experiment }));
  });

  it("is ended where the Experiment is recorded and nobody owns it", async () => {
    const experiment = await addSubject({ kind: "Experiment" });
    const run = await addSubject({ experiment });
    await expect(act(run)).resolves.toMatchObject({ state: "applied" });
    expect(run.read().spec.terminate).toBe(true);
  });
});

describe("an owner that only the cluster tells of", () => {
  it.each(["AnalysisRun", "Experiment"] as const)("of a %s holds its end back", async (kind) => {
    const subject = await addSubject({ kind });
    const plural = plurals[kind];
    for (const owner of ["Rollout", "Experiment"]) {
      const object = world.sandbox.store.get(plural, subject.namespace, subject.name);
      const ownerReferences = [
        { apiVersion: "argoproj.io/v1alpha1", kind: owner, name: "checkout", uid: randomUUID() },
      ];
      world.sandbox.store.update(
        plural,
        { ...object, metadata: { ...object?.metadata, ownerReferences } } as never,
        manager,
      );
      await expectUntouched(subject);
    }
  });

  it("is not the recorded rollout under the same name", async () => {
    const rollout = await world.addRollout({ status: { pauseConditions: undefined, controllerPause: false } });
    const subject = await addSubject({ rollout });
    const object = world.sandbox.store.get("analysisruns", subject.namespace, subject.name);
    const [reference] = object?.metadata.ownerReferences ?? [];
    const ownerReferences = [{ ...reference, uid: randomUUID() }];
    world.sandbox.store.update(
      "analysisruns",
      { ...object, metadata: { ...object?.metadata, ownerReferences } } as never,
      manager,
    );
    await expect(act(subject, { rollout })).rejects.toMatchObject({ code: "source_stale" });
    expect(subject.read().spec.terminate).toBeUndefined();
  });
});
