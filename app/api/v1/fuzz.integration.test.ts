import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { setRequestLimits } from "#lib/server/edge/http/request-limits.ts";
import { LimitConfig } from "#lib/server/platform/config/config-schema.ts";
import { hostileText, hostileTexts, mutated } from "#test/fuzz/hostile.ts";
import { arbitraryOf, type Hints, type JsonSchema } from "#test/fuzz/schema-arbitrary.ts";
import { findBreach, type Name, type Sent, sendFuzzed, type TableEntry } from "#test/fuzz/send-fuzzed.ts";
import { liveObjectsOf } from "#test/hardening/live-objects.ts";
import { configOf, openSession, ownPage } from "#test/hardening/people.ts";
import { rows } from "#test/hardening/route-rows.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

/** The same requests at every run, fewer on a slow machine. Set another number to look for other defects; a failure prints seed and path. */
const fuzzSeed = 20261124;
const requestsPerEndpoint = 24;
const mostMsPerEndpoint = 5000;
const callers = ["nobody", "viewer", "operator", "admin", "admin", "admin"] as const;

/** Endpoints whose requests are not generated from the schema, with the reason. */
const notGenerated: Partial<Record<Name, string>> = {};

let web: TestWeb;
let seed: Seed;
let hints: Hints;
const credentials: Record<string, Record<string, string>> = { nobody: {} };
const cluster = liveObjectsOf(() => seed);

beforeAll(async () => {
  const clusters = [{ name: "demo", server: cluster.server, access: "act" }];
  const channel = { name: "planted-channel", type: "webhook", url: cluster.server, signingSecret: "env:UNUSED" };
  const notifications = { channels: [channel], routes: [{ name: "planted-route", to: [channel.name] }] };
  web = await startTestWeb({ config: configOf({ clusters, notifications }), clusters: { demo: cluster } });
  seed = await plantSeed(web);
  setRequestLimits(web.runtime, LimitConfig.parse({ requestsPerMinute: 1_000_000 }));
  for (const person of ["viewer", "operator", "admin"])
    credentials[person] = { ...ownPage, cookie: (await openSession(web, person)).cookie };
  hints = await hintsOf(seed);
});
afterAll(() => web.close());

async function hintsOf(planted: Seed): Promise<Hints> {
  const { path, template, runUid, experimentUid, rolloutUid, marker } = planted;
  const ids = [planted.findingId, planted.releaseId, planted.actionId, planted.approvalId, planted.tokenId];
  const rolloutId = `${path.cluster}/${path.namespace}/${path.kind}/${path.name}`;
  const plan = await sendFuzzed(
    "planRolloutAction",
    { params: path, query: {}, body: JSON.stringify({ action: "abort" }), contentType: "application/json" },
    credentials.admin ?? {},
  );
  const view = z
    .object({ view: z.object({ viewDigest: z.string(), revisionKey: z.string() }) })
    .parse(JSON.parse(plan.text));
  return {
    cluster: [path.cluster],
    namespace: [path.namespace],
    kind: [path.kind],
    name: [path.name],
    templateKind: [template.templateKind],
    uid: [runUid, experimentUid, rolloutUid],
    id: [...ids, planted.hookCredentialId, planted.notificationId],
    approval: [planted.approvalId],
    seq: [planted.auditSeq, 1],
    source: [planted.sourceId],
    runUids: [runUid],
    metric: [marker],
    template: [`${path.cluster}/${path.namespace}/AnalysisTemplate/${marker}`, "none"],
    rollout: [rolloutId, path.name],
    channel: ["planted-channel"],
    component: ["argo-rollouts"],
    viewDigest: [view.view.viewDigest, planted.viewDigest],
    revisionKey: [view.view.revisionKey],
    timeZone: ["UTC", "Europe/Berlin"],
    q: [marker, "%", "a b c"],
    username: ["viewer"],
    pods: ["ledger-5d9c"],
    who: ["user"],
    userCode: [planted.deviceUserCode, "ZZZZ-ZZZZ"],
  };
}

const schemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;

/** A value of the schema, one that is almost valid, or now and then something else; an object in any case. */
function membersOf(schema: z.ZodType | undefined): fc.Arbitrary<Record<string, unknown>> {
  if (schema === undefined)
    return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, fc.dictionary(hostileText, hostileText, { maxKeys: 2 }));
  const valid = arbitraryOf(schemaOf(schema), hints);
  return fc.oneof({ weight: 3, arbitrary: valid }, mutated(valid)).map((value) => ({ ...(value as object) }));
}

function bodyOf(name: Name, schema: z.ZodType | undefined): fc.Arbitrary<Sent["body"]> {
  if (schema === undefined) return fc.constant(undefined);
  const usual = rows[name].send?.(seed).body;
  const fromSchema = arbitraryOf(schemaOf(schema), hints);
  const valid = usual === undefined ? fromSchema : fc.oneof(fc.constant(usual), fromSchema);
  return fc.oneof(
    { weight: 5, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: mutated(valid).map((value) => JSON.stringify(value)) },
    fc.constantFrom(...hostileTexts, undefined, "[".repeat(100_000), `${'{"a":'.repeat(80)}1${"}".repeat(80)}`),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => new Uint8Array(bytes)),
  );
}

function sentTo(name: Name, entry: TableEntry): fc.Arbitrary<Sent> {
  const keys = [...entry.path.matchAll(/\{([^}]+)\}/g)].map(([, key = ""]) => key);
  const anyParams = fc.record(Object.fromEntries(keys.map((key) => [key, hostileText])));
  const params = membersOf(entry.params).map((members) =>
    Object.fromEntries(keys.map((key) => [key, members[key] ?? "x"])),
  );
  return fc.record({
    params: fc.oneof({ weight: 6, arbitrary: params }, anyParams),
    query: membersOf(entry.query),
    body: bodyOf(name, entry.body),
    contentType: fc.oneof(
      { weight: 15, arbitrary: fc.constant("application/json") },
      fc.constantFrom("text/plain", "application/json; charset=utf-8", "application/x-www-form-urlencoded", "x"),
    ),
  });
}

describe("whatever is sent to an endpoint", () => {
  const generated = (Object.keys(endpoints) as Name[]).filter((name) => notGenerated[name] === undefined);

  it.each(generated)("%s answers as the contract says, and never fails", async (name) => {
    const sent = fc.tuple(fc.constantFrom(...callers), sentTo(name, endpoints[name]));
    await fc.assert(
      fc.asyncProperty(sent, async ([caller, request]) => {
        const { response, text } = await sendFuzzed(name, request, credentials[caller] ?? {});
        const breach = findBreach(name, response, text);
        if (breach !== undefined) throw new Error(`${caller}: ${breach}`);
        if (caller === "nobody") expect(response.status).toBe(401);
      }),
      { seed: fuzzSeed, numRuns: requestsPerEndpoint, interruptAfterTimeLimit: mostMsPerEndpoint },
    );
  });

  it("leaves out only endpoints that exist", () => {
    expect(Object.keys(notGenerated).filter((name) => !Object.hasOwn(endpoints, name))).toEqual([]);
  });
});

describe("the comparison with the contract", () => {
  const me = { "x-request-id": "r", "content-type": "application/json" };
  const problemType = { ...me, "content-type": "application/problem+json" };
  const problem = (code: string, status: number) =>
    JSON.stringify({ type: "t", title: "t", status, code, detail: "d", requestId: "r" });

  it.each([
    { name: "a failure", status: 500, headers: problemType, text: problem("internal", 500), says: "failure" },
    { name: "an unknown code", status: 400, headers: problemType, text: problem("odd", 400), says: "not a problem" },
    { name: "another status", status: 404, headers: problemType, text: problem("frozen", 404), says: "wrong status" },
    {
      name: "an undocumented code",
      status: 409,
      headers: problemType,
      text: problem("frozen", 409),
      says: "undocumented",
    },
    { name: "a problem as JSON", status: 404, headers: me, text: problem("not_found", 404), says: "another type" },
    { name: "an undeclared status", status: 202, headers: me, text: "{}", says: "undeclared status" },
    { name: "markup", status: 200, headers: { ...me, "content-type": "text/html" }, text: "", says: "content type" },
    {
      name: "another member",
      status: 200,
      headers: me,
      text: '{"open":{"critical":0,"warning":0,"info":0,"all":0}}',
      says: "contract",
    },
    { name: "no request id", status: 200, headers: {}, text: "{}", says: "request id" },
  ])("notices $name", ({ status, headers, text, says }) => {
    expect(findBreach("countFindings", new Response(null, { status, headers }), text)).toContain(says);
  });
});
