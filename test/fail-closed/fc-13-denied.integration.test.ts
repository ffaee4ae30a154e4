import { writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeAll(async () => {
  world = await createFailClosedWorld();
});
afterEach(async () => {
  world.fault("none");
  await world.stopAll();
});
afterAll(() => world.close());

describe("FC-13 401 / 403 on what worked before", () => {
  it("is a denial and no deletion: the text names verb and resource, and it heals by itself", async () => {
    world.addRollout("waiting");
    world.addRollout("other");
    await world.start();
    const before = await world.rows();
    const denied = await world.metricDelta("gatehouse_source_denied_total", { cluster: "test", kind: "Rollout" });
    for (const verb of ["list", "watch"] as const) world.fault("403", "rollouts", { verb });
    const source = await world.becomes("Rollout", "denied");
    expect(source.lastError).toMatch(/403 \((list|watch) rollouts\)/);
    expect(await denied()).toBeGreaterThanOrEqual(1);
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale", detail: expect.stringMatching(/(list|watch) rollouts/) },
    });
    expect(await world.rows()).toEqual(before);
    expect((await world.source("AnalysisRun")).state).toBe("live");
    expect(await world.act({ name: "other", action: "abort" })).toMatchObject({ status: 202 });
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    expect(web.status.sources).toContainEqual(expect.objectContaining({ kind: "Rollout", state: "denied" }));
    world.fault("none");
    await world.becomes("Rollout", "live");
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({ status: 202 });
  });

  it("hides nothing that lived and died meanwhile, as far as the cluster still knows", async () => {
    world.addRollout("judged");
    await world.start();
    for (const verb of ["list", "watch"] as const) world.fault("403", "analysisruns", { verb });
    const source = await world.becomes("AnalysisRun", "denied");
    expect(source.lastError).toMatch(/403 \((list|watch) analysisruns\): analysisruns\.argoproj\.io is forbidden/);
    // What is known of its rollouts is up to date: advancing stays on.
    expect(await world.act({ name: "judged", action: "continue" })).toMatchObject({ status: 202 });
    world.addShortRun("short");
    world.fault("none");
    await world.becomes("AnalysisRun", "live");
    expect(await world.shortRun("short")).toEqual({
      phase: "Successful",
      presence: "deleted",
      measurements: 3,
      gaps: 0,
    });
  });

  it("stays denied where only the watch is refused, names that verb, and goes on listing", async () => {
    world.fault("403", "rollouts", { verb: "watch" });
    await world.start({ waitUntilLive: false });
    const source = await waitFor("the missing verb", async () => {
      const found = await world.source("Rollout");
      return found.state === "denied" && found.lastError?.includes("not watch them") === true && found;
    });
    expect(source.lastError).toMatch(/403 \(watch rollouts\).*may list rollouts but not watch them/);
    const changes = () => world.query("SELECT FROM change_log WHERE kind = 'source' AND ref = $1", [source.id]);
    const before = (await changes()).length;
    for (const name of ["seen-by-a-list", "seen-by-another"]) {
      world.addRollout(name);
      await waitFor(`${name} in a list`, async () => (await world.presences())[name] === "live");
    }
    expect((await changes()).length).toBe(before);
    world.fault("none");
    await world.becomes("Rollout", "live");
  });

  it("tries again at once when the credentials change", async () => {
    await world.start({ timing: { deniedRetryMs: 600_000 } });
    const before = await world.presences();
    writeFileSync(world.tokenFile, "revoked");
    const source = await world.becomes("Rollout", "denied");
    expect(source.lastError).toContain("401");
    expect(await world.presences()).toEqual(before);
    writeFileSync(world.tokenFile, `${world.sandbox.token}\n`);
    await world.becomes("Rollout", "live");
    await world.becomes("Pod", "live");
  });

  it("notices credentials that are replaced while the refusal is on its way", async () => {
    const own = world.client();
    let refused = 0;
    const restoreToken = (status: number, path: string) => {
      if (status === 401 && path.endsWith("/pods") && refused++ === 0)
        writeFileSync(world.tokenFile, world.sandbox.token);
    };
    const client: ClusterClient = {
      ...own,
      request: async (options) => {
        const answer = await own.request(options);
        restoreToken(answer.status, options.path);
        return answer;
      },
      watch: async (options) => {
        const answer = await own.watch(options);
        restoreToken(answer.status, options.path);
        return answer;
      },
    };
    const recorder = await world.start({ timing: { deniedRetryMs: 600_000 }, clientOf: () => client });
    writeFileSync(world.tokenFile, "revoked");
    await waitFor("a refusal", () => refused > 0);
    await world.becomes("Pod", "live");
    await recorder.stop();
    await own.close();
  });
});
