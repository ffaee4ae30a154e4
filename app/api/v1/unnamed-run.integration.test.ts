import { afterAll, beforeAll, expect, it } from "vitest";
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import * as rolloutRoute from "./rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";

let web: TestWeb;
let recorded: Recorded;
beforeAll(async () => {
  web = await startTestWeb();
  recorded = await connectRecorded(web.database.recorderUrl);
});
afterAll(async () => {
  await recorded.close();
  await web.close();
});

it("shows the measurements of a run that the status does not name, such as Flagger's, as evidence", async () => {
  const { id, path, namespace, name } = await recorded.addRollout();
  const metrics = [{ name: "request-success-rate", phase: "Running", count: 2, successful: 2 }];
  await recorded.addRun({ rolloutId: id, name: "reported", phase: "Running", metrics });
  const response = await rolloutRoute.GET(web.request(`/api/v1/rollouts/${path}`, { as: "operator" }), {
    params: Promise.resolve({ cluster: "demo", namespace, kind: "Rollout", name }),
  });
  const { evidence } = RolloutDetail.parse(await response.json());
  expect(evidence.map(({ metric }) => metric)).toEqual(["request-success-rate"]);
});
