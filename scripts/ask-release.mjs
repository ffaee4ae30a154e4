// Reads all that a running Gatehouse serves, and acts: checks what a release can still do after a newer one has
// migrated its database. node scripts/ask-release.mjs DEMO_JSON; exit status 1 if a response is a server error.
import { readFileSync } from "node:fs";

const demo = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const headers = { authorization: `Bearer ${demo.tokens.admin}`, "content-type": "application/json" };
const counts = {};
const failures = [];

const { paths } = await ask("/api/v1/openapi.json");
const { items: rollouts } = await ask("/api/v1/rollouts?limit=200");
const firstOf = async (list) => (await ask(`/api/v1/${list}?limit=1`)).items?.[0] ?? {};
const [run, release, experiment, entry] = [
  await firstOf("analysis-runs"),
  await firstOf("releases"),
  await firstOf("experiments"),
  await firstOf("audit"),
];
for (const [path, methods] of Object.entries(paths)) {
  if (methods.get === undefined || /stream|export|openapi|sandbox|templates\/\{/.test(path)) continue;
  const values = path.includes("/rollouts/") ? rollouts : [{}];
  for (const rollout of values) {
    const places = { ...rollout, ...placesOf(path) };
    const url = path.replaceAll(/\{([^}]+)\}/g, (_, key) => encodeURIComponent(String(places[key] ?? "none")));
    await ask(url.endsWith("/measurements") ? `${url}?metric=${run.metrics?.[0]?.name ?? "m"}` : url);
  }
}
for (const rollout of rollouts.filter(({ kind }) => kind === "Rollout").slice(0, 3)) await act(rollout);
process.stdout.write(`${JSON.stringify(counts)}\n`);
for (const line of failures) process.stdout.write(`${line}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function placesOf(path) {
  if (path.includes("/analysis-runs/")) return { uid: run.uid };
  if (path.includes("/experiments/")) return { uid: experiment.uid };
  if (path.includes("/releases/")) return { id: release.id };
  return { seq: entry.seq };
}

async function ask(path, init = {}) {
  const response = await fetch(demo.url + path, { headers, ...init });
  const text = await response.text();
  counts[response.status] = (counts[response.status] ?? 0) + 1;
  if (response.status >= 500) failures.push(`${response.status} ${path}: ${text.slice(0, 200)}`);
  return response.headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : {};
}

/** Restarts the pods of a rollout: it changes no release, and is always possible while the rollout is not paused. */
async function act({ id }) {
  const { uid, revisionKey, viewDigest } = await ask(`/api/v1/rollouts/${id}`);
  const body = { action: "restart", expect: { uid, revisionKey, viewDigest }, reason: "asked after a migration" };
  await ask(`/api/v1/rollouts/${id}/actions`, { method: "POST", body: JSON.stringify(body) });
}
