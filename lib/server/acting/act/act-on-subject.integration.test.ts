import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { getAction } from "#lib/server/acting/act/get-action.ts";
import { planSubjectPreview } from "#lib/server/acting/act/plan-action-preview.ts";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval } from "#lib/server/acting/approvals/approvals.ts";
import { actorOf, failureOf } from "#test/acting-world.ts";
import {
  act,
  addRunning,
  addSubject,
  age,
  follow,
  loseAnswers,
  manager,
  patches,
  plurals,
  startSubjectWorld,
  stateOf,
  world,
} from "#test/subject-world.ts";

startSubjectWorld();

describe("terminate", () => {
  it.each(["AnalysisRun", "Experiment"] as const)("ends a rollout's %s, audited at the rollout", async (kind) => {
    const { rollout, subject } = await addRunning(kind);
    world.requests.length = 0;
    const { resourceVersion } = subject.read().metadata as { resourceVersion: string };
    const accepted = await act(subject, { rollout });
    expect(accepted).toMatchObject({
      state: "applied",
      links: { subject: `/api/v1/${kind === "Experiment" ? "experiments" : "analysis-runs"}/${subject.uid}` },
    });
    expect(subject.read().spec.terminate).toBe(true);
    expect(patches()).toEqual([
      expect.objectContaining({
        path: expect.stringMatching(new RegExp(`/${plurals[kind]}/${subject.name}$`)),
        body: { metadata: { resourceVersion }, spec: { terminate: true } },
        as: expect.objectContaining({ username: "operator-person" }),
      }),
    ]);
    const entries = await world.entriesOf(rollout);
    expect(entries.map(({ code, outcome }) => `${code} ${outcome}`)).toEqual([
      "action.terminate intent",
      "action.terminate applied",
    ]);
    const named = { kind, name: subject.name, uid: subject.uid };
    expect(entries[0]?.detail).toMatchObject({ subject: named, effect: expect.stringContaining("lets the release") });
    const action = await getAction({ ctx: world.contextOf(actorOf("viewer")), input: { id: accepted.id } });
    expect(action).toMatchObject({ action: "terminate", subject: named, rollout: { name: "checkout" } });
  });

  it("freezes the run's measurements as evidence", async () => {
    const { rollout, subject } = await addRunning();
    await act(subject, { rollout });
    const [intent] = await world.entriesOf(rollout);
    const { rows } = await world.owner.query("SELECT content FROM evidence WHERE digest = $1", [
      intent?.evidenceDigest,
    ]);
    expect(JSON.parse(rows[0].content)).toMatchObject({ runs: [{ name: subject.name }], rollout: { view: {} } });
  });

  it("is effective once the run has ended, as recorded or as the cluster has it", async () => {
    const [one, other] = [await addRunning(), await addRunning()];
    const first = await act(one.subject, one);
    const second = await act(other.subject, other);
    await follow();
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(["applied", "applied"]);
    await world.owner.query(
      "UPDATE analysis_run SET phase = 'Successful', completed_at = now(), resource_version = '99999999' WHERE uid = $1",
      [one.subject.uid],
    );
    other.subject.set({ phase: "Failed" });
    await age(second.id, 121);
    await follow();
    expect(await world.rowOf(first.id)).toMatchObject({ state: "effective", message: "It ended as Successful." });
    expect(await world.rowOf(second.id)).toMatchObject({ state: "effective", message: "It ended as Failed." });
  });

  it("is not effective where the controller does nothing, or the run is gone", async () => {
    const [one, other] = [await addRunning(), await addRunning()];
    const first = await act(one.subject, one);
    const second = await act(other.subject, other);
    world.sandbox.store.delete("analysisruns", other.subject.namespace, other.subject.name);
    await Promise.all([age(first.id, 121), age(second.id, 121)]);
    await follow();
    expect(await world.rowOf(first.id)).toMatchObject({
      state: "not-effective",
      message: expect.stringContaining("has not ended it yet"),
    });
    expect(await world.rowOf(second.id)).toMatchObject({
      state: "not-effective",
      message: expect.stringContaining("deleted"),
    });
  });

  it.each([
    { name: "one that has ended", phase: "Failed", code: "not_allowed_now" },
    { name: "one that is told already", spec: { terminate: true }, code: "not_allowed_now" },
    { name: "a read-only cluster", prepare: () => world.setAccess("read"), code: "read_only" },
    { name: "no reason", reason: "", code: "reason_required" },
    {
      name: "a config with an error",
      prepare: () => world.setConfigStatus({ state: "error", trouble: { state: "error", error: "line 3" } }),
      code: "config_error",
    },
  ])("refuses $name, audited", async ({ phase, spec, prepare, reason = "known noise", code }) => {
    const rollout = await world.addRollout();
    const subject = await addSubject({
      rollout,
      ...(phase === undefined ? {} : { phase }),
      ...(spec === undefined ? {} : { spec }),
    });
    prepare?.();
    world.requests.length = 0;
    await expect(act(subject, { rollout, reason })).rejects.toMatchObject({ code });
    expect(patches()).toHaveLength(0);
    expect(await world.outcomesOf(rollout)).toEqual(["action.terminate refused"]);
  });

  it("refuses a rollout that changed since, with what changed", async () => {
    const { rollout, subject } = await addRunning();
    const seen = await rollout.look();
    rollout.setStatus((status) => ({ ...status, currentStepIndex: 2 }));
    const failure = await failureOf(act(subject, { expect: seen }));
    expect(failure).toMatchObject({ code: "stale_view" });
    expect(failure.extra.changes).toContainEqual(expect.objectContaining({ field: "status.currentStepIndex", now: 2 }));
    expect(subject.read().spec.terminate).toBeUndefined();
  });

  it("refuses who may not, and hides what one may not see", async () => {
    const { rollout, subject } = await addRunning();
    await expect(act(subject, { rollout, actor: actorOf("viewer") })).rejects.toMatchObject({ code: "forbidden" });
    const other = actorOf("operator");
    const scope = { clusters: ["*"], namespaces: ["elsewhere"], rollouts: ["*"] };
    const grants = other.rights.grants.map((grant) => ({ ...grant, scope }));
    const stranger = { ...other, rights: { ...other.rights, grants } };
    await expect(act(subject, { rollout, actor: stranger })).rejects.toMatchObject({ code: "not_found" });
    const unnamed = { ...other.rights, grants: other.rights.grants.map((grant) => ({ ...grant, actions: ["abort"] })) };
    await expect(act(subject, { rollout, actor: { ...other, rights: unnamed } })).rejects.toMatchObject({
      code: "forbidden",
    });
    expect(await world.outcomesOf(rollout)).toEqual(["action.terminate refused", "action.terminate refused"]);
  });

  it.each(["AnalysisRun", "Experiment"] as const)(
    "writes down who asked for a hidden %s in the same words as for none",
    async (kind) => {
      const { rollout, subject } = await addRunning(kind);
      const scope = { clusters: ["*"], namespaces: ["elsewhere"], rollouts: ["*"] };
      const strangers = (["operator", "viewer"] as const).map((role) => {
        const actor = actorOf(role);
        const grants = actor.rights.grants.map((grant) => ({ ...grant, scope }));
        return { ...actor, subject: `stranger-${kind}-${role}`, rights: { ...actor.rights, grants } };
      });
      const none = { ...subject, uid: randomUUID() };
      for (const actor of strangers) {
        for (const one of [subject, none])
          expect(await failureOf(act(one, { rollout, actor, reason: "who knows" }))).toMatchObject({
            code: actor.role === "viewer" ? "forbidden" : "not_found",
          });
        const { rows } = await world.owner.query<{ entry: string }>(
          "SELECT entry FROM audit_entry WHERE actor_subject = $1 ORDER BY seq",
          [actor.subject],
        );
        const [hidden, missing] = rows.map((row) => {
          const { seq: _seq, time: _time, requestId: _id, ...entry } = JSON.parse(row.entry);
          return entry;
        });
        expect(JSON.parse(JSON.stringify(hidden).replaceAll(subject.uid, none.uid))).toEqual(missing);
        expect(missing).toMatchObject({
          code: "action.terminate",
          outcome: "refused",
          reason: "who knows",
          detail: { subject: { kind, uid: none.uid } },
        });
        expect(missing).not.toHaveProperty("target");
      }
    },
  );

  it("refuses a run that is gone, or another under its name", async () => {
    const { rollout, subject } = await addRunning();
    world.sandbox.store.delete("analysisruns", subject.namespace, subject.name);
    await expect(act(subject, { rollout })).rejects.toMatchObject({ code: "not_found" });
    world.sandbox.store.create(
      "analysisruns",
      {
        apiVersion: "argoproj.io/v1alpha1",
        kind: "AnalysisRun",
        metadata: { name: subject.name, namespace: subject.namespace },
        spec: { metrics: [] },
      },
      manager,
    );
    await expect(act(subject, { rollout })).rejects.toMatchObject({ code: "not_found" });
    expect(subject.read().spec.terminate).toBeUndefined();
  });

  it("tries again on a conflict that changed nothing of the view", async () => {
    const { rollout, subject } = await addRunning();
    let conflicts = 0;
    world.setIntercept((request, send) => {
      if (request.method === "PATCH" && conflicts < 2) {
        conflicts += 1;
        subject.set({ phase: "Running", message: `measured ${conflicts}` });
      }
      return send();
    });
    await expect(act(subject, { rollout })).resolves.toMatchObject({ state: "applied" });
    expect(conflicts).toBe(2);
  });

  it("does not end what ended between the two", async () => {
    const { rollout, subject } = await addRunning();
    world.setIntercept((request, send) => {
      if (request.method === "PATCH") subject.set({ phase: "Failed" });
      return send();
    });
    await expect(act(subject, { rollout })).rejects.toMatchObject({ code: "not_allowed_now" });
    expect(subject.read().spec.terminate).toBeUndefined();
  });
});

describe("an answer that is lost", () => {
  it.each([
    { isApplied: true, died: false, state: "applied" },
    { isApplied: false, died: false, state: "refused" },
    { isApplied: true, died: true, state: "applied" },
    { isApplied: false, died: true, state: "refused" },
  ])("is read back from the run: applied $isApplied, process died $died", async ({ isApplied, died, state }) => {
    const { rollout, subject } = await addRunning();
    loseAnswers(isApplied);
    const { id, state: first } = await act(subject, { rollout });
    expect(first).toBe("unknown");
    world.setIntercept(undefined);
    if (died) await world.owner.query("UPDATE action SET state = 'requested', outcome_seq = NULL WHERE id = $1", [id]);
    await age(id, 160);
    world.requests.length = 0;
    await follow();
    expect(await stateOf(id)).toBe(state);
    expect(patches()).toHaveLength(0);
    expect(await world.verify()).toMatchObject({ ok: true });
  });
});

describe("a run that no rollout owns", () => {
  it("is bound to its own uid", async () => {
    const subject = await addSubject();
    await expect(act(subject, { expect: { viewDigest: "", uid: "another" } })).rejects.toMatchObject({
      code: "stale_view",
    });
    await expect(act(subject, { expect: { viewDigest: "" } })).rejects.toMatchObject({ code: "stale_view" });
    const { id, links } = await act(subject);
    expect(links.rollout).toBeUndefined();
    expect(subject.read().spec.terminate).toBe(true);
    expect(await getAction({ ctx: world.contextOf(actorOf("viewer")), input: { id } })).toMatchObject({
      rollout: { kind: "AnalysisRun", name: subject.name },
      subject: { uid: subject.uid },
    });
    subject.set({ phase: "Successful" });
    await age(id, 121);
    await follow();
    expect(await stateOf(id)).toBe("effective");
  });
});

describe("the retry of an Experiment", () => {
  it("forgets its status, and is effective once it runs again", async () => {
    const rollout = await world.addRollout();
    const subject = await addSubject({ rollout, kind: "Experiment", phase: "Failed" });
    const { id } = await act(subject, { rollout, action: "retry" });
    expect(subject.read().status).toBeUndefined();
    expect(patches().at(-1)?.body).toMatchObject({ status: null });
    await follow();
    expect(await stateOf(id)).toBe("applied");
    subject.set({ phase: "Running" });
    await age(id, 121);
    await follow();
    expect(await world.rowOf(id)).toMatchObject({ state: "effective", message: "It has started again." });
  });

  it("is nothing for a run", async () => {
    const { rollout, subject } = await addRunning();
    await expect(act(subject, { rollout, action: "retry" })).rejects.toMatchObject({ code: "not_allowed_now" });
    await expect(act(subject, { rollout, action: "abort" })).rejects.toMatchObject({ code: "not_allowed_now" });
  });
});

describe("a second person's word", () => {
  it("is for one run, and for no other", async () => {
    world.setPolicies({ secondPerson: [{ name: "four eyes", actions: ["terminate"] }] });
    const { rollout, subject } = await addRunning();
    const other = await addSubject({ rollout });
    const [oncall, releaser] = [actorOf("operator"), { ...actorOf("operator"), subject: "releaser", name: "releaser" }];
    const ask = async (uid: string) =>
      requestApproval({
        ctx: world.contextOf(oncall),
        input: {
          ...rollout.path,
          action: "terminate",
          subject: { kind: "AnalysisRun", uid },
          reason: "noise",
          expect: await rollout.look(),
        },
      });
    await expect(ask("another")).rejects.toMatchObject({ code: "not_found" });
    const approval = await ask(subject.uid);
    expect(approval).toMatchObject({ subject: { kind: "AnalysisRun", name: subject.name, uid: subject.uid } });
    const input = { id: approval.id, decision: "approve" as const, viewDigest: approval.viewDigest };
    await decideApproval({ ctx: world.contextOf(releaser), input });
    const request = { rollout, actor: oncall, approval: approval.id };
    await expect(act(other, request)).rejects.toMatchObject({ code: "second_person_required" });
    await expect(act(subject, request)).resolves.toMatchObject({ state: "applied" });
  });
});

describe("the plan before the click", () => {
  it("says what ending it does, to a viewer too, and writes nothing", async () => {
    const { rollout, subject } = await addRunning();
    const look = (role: "viewer" | "operator") =>
      planSubjectPreview({
        ctx: world.contextOf(actorOf(role)),
        kind: "AnalysisRun",
        input: { uid: subject.uid, action: "terminate" },
      });
    expect(await look("viewer")).toMatchObject({
      allowed: false,
      reasonCode: "forbidden",
      effect: expect.stringContaining("usually as Successful"),
      patches: [{ subresource: "", body: { spec: { terminate: true } } }],
      view: await rollout.look(),
    });
    expect(await look("operator")).toMatchObject({ allowed: true, label: "Terminate", protective: false });
    subject.set({ phase: "Error" });
    expect(await look("operator")).toMatchObject({ allowed: false, reasonCode: "ended" });
    expect(await world.outcomesOf(rollout)).toEqual([]);
  });
});
