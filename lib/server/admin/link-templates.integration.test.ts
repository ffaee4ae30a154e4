import { afterAll, beforeAll, expect, it } from "vitest";
import { type LinkTemplate, LinkTemplates, LinkTemplatesChange } from "#lib/contract/link-template.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { completeConfig, isSetByFile, readSettings } from "#lib/server/records/stored-settings.ts";
import { actorOf, failureOf } from "#test/acting-world.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { getAdminConfig } from "./get-config.ts";
import { listLinkTemplates, setLinkTemplates } from "./link-templates.ts";

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());

const contextOf = (role: "operator" | "admin"): ServiceContext => ({
  ...{ runtime: web.runtime, actor: actorOf(role), requestId: "test" },
});
const link = (change: Partial<LinkTemplate> = {}): LinkTemplate => ({
  ...{ name: "Wiki", url: "https://wiki.example.com/{name}", clusters: ["*"], namespaces: ["pay*"], on: ["rollout"] },
  ...change,
});
const list = () => listLinkTemplates({ ctx: contextOf("admin") });
const set = async (items: LinkTemplate[], changedAt?: string | null, role: "operator" | "admin" = "admin") =>
  setLinkTemplates({
    ctx: contextOf(role),
    input: { items, changedAt: changedAt === undefined ? (await list()).changedAt : changedAt },
  });

it("stores the links that an admin makes, in force in every process, audited, and part of the config's YAML", async () => {
  const other = web.addReplica();
  expect(await list()).toEqual({ items: [], source: "interface", changedBy: null, changedAt: null });
  await set([link(), link({ name: "Runbook" })]);
  const made = await set([link({ name: "Runbook" }), link({ name: "Logs", kinds: ["Rollout"] })]);
  expect(await list()).toEqual(made);
  expect(made).toMatchObject({ source: "interface", changedBy: "admin-person" });
  for (const { config } of [web.runtime, other])
    await expect.poll(() => config().config.links.map(({ name }) => name)).toEqual(["Runbook", "Logs"]);
  const { rows } = await web.runtime.pool.query(
    "SELECT entry::json -> 'detail' AS detail FROM audit_entry WHERE code = 'links.change' ORDER BY seq DESC LIMIT 1",
  );
  expect(rows[0].detail).toMatchObject({ added: [{ name: "Logs" }], removed: [{ name: "Wiki" }] });
  const config = await getAdminConfig({ ctx: contextOf("admin"), runtime: web.runtime });
  expect(config.yaml).toContain("name: Logs");
  expect(config.entries.find(({ path }) => path === "links[0].name")).toMatchObject({ origin: "interface" });
});

it("refuses others than admins, links that the config would refuse, and a change of what has changed", async () => {
  expect(await failureOf(set([link()], undefined, "operator"))).toMatchObject({ code: "forbidden" });
  expect(await failureOf(set([link({ url: "https://a.example/{nmae}" })]))).toMatchObject({
    ...{ code: "invalid_request", extra: { invalidParams: [{ name: "items.0.url" }] } },
  });
  expect(await failureOf(set([link()], null))).toMatchObject({ code: "conflict" });
  expect(await failureOf(set([link()], "2026-01-01T00:00:00.000Z"))).toMatchObject({ code: "conflict" });
});

it("leaves the links to the config file if that sets some, and keeps the stored ones for later", async () => {
  const loaded = web.runtime.config();
  const url = `https://wiki.example.com/{name}?${"x".repeat(3000)}`;
  const own = [{ ...link({ name: "From the file", url, namespaces: Array(30).fill("pay*") }), kinds: undefined }];
  const file = { ...loaded, config: { ...loaded.config, links: own }, stored: [] };
  const stored = await readSettings(web.runtime.pool);
  expect(stored.links?.value).toMatchObject([{ name: "Runbook" }, { name: "Logs" }]);
  const completed = completeConfig(
    () => file,
    () => stored,
  )();
  expect(completed).toBe(file);
  expect(isSetByFile(completed, "links")).toBe(true);
  const runtime = { ...web.runtime, config: () => file };
  const ctx = { ...contextOf("admin"), runtime };
  const answer = await listLinkTemplates({ ctx });
  expect(answer).toMatchObject({ items: [{ name: "From the file" }], source: "file" });
  // The file may have more than may be sent.
  expect(LinkTemplates.parse(answer)).toEqual(answer);
  expect(LinkTemplatesChange.safeParse({ items: answer.items, changedAt: null }).success).toBe(false);
  expect(await failureOf(setLinkTemplates({ ctx, input: { items: [], changedAt: null } }))).toMatchObject({
    code: "conflict",
  });
});

it("leaves the links to the config file if that sets none by an empty list", async () => {
  const loaded = web.runtime.config();
  const config = { ...loaded.config, links: [] };
  const stored = await readSettings(web.runtime.pool);
  const complete = (written: string[]) =>
    completeConfig(
      () => ({ ...loaded, config, stored: [], written: new Map(written.map((key) => [key, 1])) }),
      () => stored,
    )();
  expect(complete(["links"]).config.links).toEqual([]);
  expect(isSetByFile(complete(["links"]), "links")).toBe(true);
  expect(complete(["clusters"]).config.links).toEqual(stored.links?.value);
  expect(isSetByFile(complete(["clusters"]), "links")).toBe(false);
});
