import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

const flagger = { manager: "flagger" };

let world: RecorderWorld;
beforeAll(async () => {
  world = await createRecorderWorld();
});
afterEach(() => world.stopAll());
afterAll(() => world.close());

/** Creates a Canary, and returns how to write its status. */
function createCanary(name: string, kind: "Deployment" | "DaemonSet") {
  const { store } = world.sandbox;
  const spec = { targetRef: { apiVersion: "apps/v1", kind, name }, analysis: { interval: "10s", threshold: 3 } };
  const metadata = { namespace: "shop", name };
  store.create("canaries", { apiVersion: "flagger.app/v1beta1", kind: "Canary", metadata, spec }, flagger);
  return (status: Record<string, unknown>): string => {
    const known = store.get("canaries", "shop", name);
    if (known === undefined) throw new Error(`there is no canary ${name}`);
    const whole = { phase: "Progressing", lastAppliedSpec: "B", lastPromotedSpec: "A", ...status };
    const written = store.update("canaries", { ...known, status: whole }, { ...flagger, subresource: "status" });
    return written.metadata.resourceVersion;
  };
}

/** Resolves to the number of its changes, once this version is stored. */
async function countChanges(name: string, version: string): Promise<number> {
  await waitFor(`version ${version} of ${name}`, async () => {
    const rows = await world.query("SELECT 1 FROM rollout WHERE name = $1 AND resource_version = $2", [name, version]);
    return rows.length === 1;
  });
  const [row] = await world.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM change_log WHERE kind = 'rollout' AND name = $1",
    [name],
  );
  return row?.count ?? 0;
}

it("is no change when Flagger only looked at a canary again", async () => {
  await world.start();
  const write = createCanary("waits", "Deployment");
  const before = await countChanges("waits", write({ canaryWeight: 10, lastTransitionTime: "2026-03-01T10:00:00Z" }));
  const words = await world.query("SELECT phase, provider_phase FROM rollout WHERE name = 'waits'");
  expect(words).toEqual([{ phase: "Progressing", provider_phase: "Progressing" }]);
  const looked = write({ canaryWeight: 10, lastTransitionTime: "2026-03-01T10:00:10Z" });
  expect(await countChanges("waits", looked)).toBe(before);
  const moved = write({ canaryWeight: 20, lastTransitionTime: "2026-03-01T10:00:20Z" });
  expect(await countChanges("waits", moved)).toBe(before + 1);
  // A field that this version does not know may mean something.
  const noted = write({ canaryWeight: 20, lastTransitionTime: "2026-03-01T10:00:30Z", note: "new" });
  expect(await countChanges("waits", noted)).toBe(before + 2);
});

it("is a change if something is counted from that time", async () => {
  await world.start();
  const write = createCanary("on-nodes", "DaemonSet");
  const before = await countChanges("on-nodes", write({ lastTransitionTime: "2026-03-01T10:00:00Z" }));
  const looked = write({ lastTransitionTime: "2026-03-01T10:00:10Z" });
  expect(await countChanges("on-nodes", looked)).toBe(before + 1);
});

it("is a change again when it is deleted", async () => {
  await world.start();
  const write = createCanary("short-lived", "Deployment");
  const before = await countChanges("short-lived", write({ lastTransitionTime: "2026-03-01T10:00:00Z" }));
  world.sandbox.store.delete("canaries", "shop", "short-lived");
  await waitFor("its deletion", async () => {
    const rows = await world.query("SELECT op FROM change_log WHERE kind = 'rollout' AND name = 'short-lived'");
    return rows.length === before + 1 && rows.some(({ op }) => op === "delete");
  });
});
