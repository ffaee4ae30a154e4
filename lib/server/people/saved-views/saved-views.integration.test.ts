import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SavedView, SavedViewRequest, savedViewsPerPerson } from "#lib/contract/saved-view.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { actorOf, failureOf } from "#test/acting-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { changeSavedView, createSavedView, deleteSavedView, listSavedViews } from "./saved-views.ts";

let web: TestWeb;
let viewer: Actor;
let operator: Actor;
let other: Actor;
let admin: Actor;
beforeAll(async () => {
  web = await startTestWeb();
  const owner = createTestPool(web.database.ownerUrl);
  [viewer, operator, other, admin] = [
    actorOf("viewer"),
    actorOf("operator"),
    { ...actorOf("operator"), subject: "other-person", name: "other-person" },
    actorOf("admin"),
  ];
  for (const { userId, issuer, subject, name } of [viewer, operator, other, admin])
    await owner.query("INSERT INTO user_account (id, issuer, subject, name) VALUES ($1, $2, $3, $4)", [
      ...[userId, issuer, subject, name],
    ]);
  await owner.end();
});
afterAll(() => web.close());

const contextOf = (actor: Actor): ServiceContext => ({ runtime: web.runtime, actor, requestId: "test" });
const request = (more: Partial<SavedViewRequest>): SavedViewRequest =>
  SavedViewRequest.parse({ list: "releases", name: "aborted", query: "state=aborted&sort=-duration", ...more });
const create = (actor: Actor, more: Partial<SavedViewRequest> = {}): Promise<SavedView> =>
  createSavedView({ ctx: contextOf(actor), input: request(more) });
const namesOf = async (actor: Actor, list: SavedView["list"] = "releases"): Promise<string[]> =>
  (await listSavedViews({ ctx: contextOf(actor), input: { list, limit: 200 } })).items.map(({ name }) => name);

async function codesSince(work: () => Promise<unknown>): Promise<string[]> {
  const seqOf = async () =>
    Number((await web.runtime.pool.query("SELECT COALESCE(max(seq), 0) AS seq FROM audit_entry")).rows[0].seq);
  const before = await seqOf();
  await work();
  const { rows } = await web.runtime.pool.query("SELECT code FROM audit_entry WHERE seq > $1 ORDER BY seq", [before]);
  return rows.map(({ code }) => code);
}

describe("a saved view", () => {
  it("is its owner's alone, and leaves no audit entry", async () => {
    let view: SavedView | undefined;
    const codes = await codesSince(async () => {
      view = await create(viewer, { name: "mine" });
    });
    expect(codes).toEqual([]);
    expect(view).toMatchObject({ list: "releases", name: "mine", shared: false, mine: true, owner: "viewer-person" });
    expect(await namesOf(viewer)).toContain("mine");
    expect(await namesOf(viewer, "rollouts")).not.toContain("mine");
    for (const stranger of [operator, admin]) {
      expect(await namesOf(stranger)).not.toContain("mine");
      const input = { id: view?.id ?? "" };
      expect(await failureOf(deleteSavedView({ ctx: contextOf(stranger), input }))).toMatchObject({
        code: "not_found",
      });
      expect(
        await failureOf(changeSavedView({ ctx: contextOf(stranger), input: { ...input, name: "theirs" } })),
      ).toMatchObject({ code: "not_found" });
    }
  });

  it("is shared by operators, and then seen by everybody; the audit log says so", async () => {
    expect(await failureOf(create(viewer, { name: "for all", shared: true }))).toMatchObject({ code: "forbidden" });
    expect(await namesOf(viewer)).not.toContain("for all");
    let view: SavedView | undefined;
    const shared = await codesSince(async () => {
      view = await create(operator, { name: "for all", shared: true });
    });
    expect(shared).toEqual(["saved-view.share"]);
    expect(await namesOf(viewer)).toContain("for all");
    const { items } = await listSavedViews({ ctx: contextOf(viewer), input: { limit: 200 } });
    expect(items.find(({ name }) => name === "for all")).toMatchObject({ mine: false, owner: "operator-person" });
    const input = { id: view?.id ?? "" };
    for (const stranger of [viewer, other]) {
      expect(await failureOf(deleteSavedView({ ctx: contextOf(stranger), input }))).toMatchObject({
        code: "forbidden",
      });
      expect(
        await failureOf(changeSavedView({ ctx: contextOf(stranger), input: { ...input, name: "x" } })),
      ).toMatchObject({ code: "forbidden" });
    }
    expect(
      await codesSince(() => changeSavedView({ ctx: contextOf(operator), input: { ...input, shared: false } })),
    ).toEqual(["saved-view.unshare"]);
    expect(await namesOf(viewer)).not.toContain("for all");
  });

  it("that is shared is seen by those who may see what it shows", async () => {
    const scoped = (namespaces: string[], rollouts = ["*"]): Actor => ({
      ...viewer,
      userId: randomUUID(),
      rights: { grants: [{ role: "viewer", scope: { ...everywhere, namespaces, rollouts }, ...plain }], cap: "viewer" },
    });
    const plain = { actions: ["*"], breakGlass: false };
    const readers: [string, Actor][] = [
      ["everything", viewer],
      ["payments", scoped(["payments"])],
      ["payments, one kind", scoped(["payments"], ["Canary/check*"])],
      ["shop", scoped(["shop"])],
    ];
    const queries = ["state=aborted", "namespace=payments", "namespace=payments&name=checkout", "q=checkout"];
    const seen: Record<string, string[]> = {};
    for (const query of [...queries, "namespace=payments&q=checkout", "unheardOf=checkout"]) {
      await create(operator, { list: "audit", name: `of ${query}`, query, shared: true });
      seen[query] = [];
      for (const [who, reader] of readers)
        if ((await namesOf(reader, "audit")).includes(`of ${query}`)) seen[query].push(who);
    }
    expect(seen).toEqual({
      "state=aborted": ["everything", "payments", "payments, one kind", "shop"],
      "namespace=payments": ["everything", "payments", "payments, one kind"],
      "namespace=payments&name=checkout": ["everything", "payments", "payments, one kind"],
      "q=checkout": ["everything"],
      "namespace=payments&q=checkout": ["everything", "payments"],
      "unheardOf=checkout": ["everything"],
    });
  });

  it("that is shared may be deleted by an admin, which is audited with its owner", async () => {
    const { id } = await create(other, { name: "old", shared: true });
    expect(await codesSince(() => deleteSavedView({ ctx: contextOf(admin), input: { id } }))).toEqual([
      "saved-view.unshare",
    ]);
    const { rows } = await web.runtime.pool.query("SELECT entry FROM audit_entry ORDER BY seq DESC LIMIT 1");
    expect(JSON.parse(rows[0].entry)).toMatchObject({ detail: { id, name: "old", owner: "other-person" } });
    expect(await namesOf(other)).not.toContain("old");
  });

  it("cannot be shared later by somebody who is not an operator any more, but withdrawn", async () => {
    const { id } = await create(operator, { name: "demoted", shared: true });
    const demoted = { ...operator, role: "viewer" as const };
    const change = (input: object) => changeSavedView({ ctx: contextOf(demoted), input: { id, ...input } });
    expect(await failureOf(change({ query: "state=paused" }))).toMatchObject({ code: "forbidden" });
    expect(await change({ shared: false })).toMatchObject({ shared: false });
    expect(await failureOf(change({ shared: true }))).toMatchObject({ code: "forbidden" });
  });

  it("has a name of its own in its list, also if two are saved at once", async () => {
    const twice = await Promise.allSettled([create(other, { name: "twice" }), create(other, { name: "twice" })]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await create(other, { name: "twice", list: "rollouts" })).toMatchObject({ name: "twice" });
    const { id } = await create(other, { name: "once" });
    const rename = changeSavedView({ ctx: contextOf(other), input: { id, name: "twice" } });
    expect(await failureOf(rename)).toMatchObject({ code: "conflict" });
    const share = changeSavedView({ ctx: contextOf(other), input: { id, name: "twice", shared: true } });
    expect(await failureOf(share)).toMatchObject({ code: "conflict" });
    expect(await changeSavedView({ ctx: contextOf(other), input: { id, name: "first", query: "" } })).toMatchObject({
      name: "first",
      query: "",
    });
  });

  it("is one of a limited number, also if many are saved at once", async () => {
    const left = 3;
    await web.runtime.pool.query(
      `INSERT INTO saved_view (id, owner_id, list, name, query)
        SELECT gen_random_uuid(), $1, 'releases', 'old view ' || i, '' FROM generate_series(1, $2::int) i`,
      [admin.userId, savedViewsPerPerson - left],
    );
    const all = Array.from({ length: left + 5 }, (_, index) => create(admin, { name: `view ${index}` }));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(left);
    expect(await namesOf(admin)).toHaveLength(savedViewsPerPerson);
  });

  it("is listed page by page, by name", async () => {
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listSavedViews({ ctx: contextOf(admin), input: { list: "releases", limit: 7, cursor } });
      pages.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual(await namesOf(admin));
  });

  it("is gone once it is deleted", async () => {
    const { id } = await create(viewer, { name: "short" });
    await deleteSavedView({ ctx: contextOf(viewer), input: { id } });
    expect(await failureOf(deleteSavedView({ ctx: contextOf(viewer), input: { id } }))).toMatchObject({
      code: "not_found",
    });
  });
});

describe("the name of a view", () => {
  it.each(["two\nlines", "\u202egnp.exe", "a\u200bb", "a\u2028b", "a  b", "\u3164", "\u001b[31m"])(
    "%j is none",
    (name) => {
      expect(SavedViewRequest.safeParse({ list: "releases", name, query: "" }).success).toBe(false);
    },
  );

  it("that was stored before is shown on one line", async () => {
    await web.runtime.pool.query(
      "INSERT INTO saved_view (id, owner_id, list, name, query) VALUES (gen_random_uuid(), $1, 'experiments', $2, '')",
      [viewer.userId, "old\n\u202ename"],
    );
    expect(await namesOf(viewer, "experiments")).toEqual(["old name"]);
  });
});

describe("the query of a view", () => {
  it.each(["", "state=aborted", "q=a%20b&sort=-duration", "from=2026-11-20T10%3A00%3A00.000Z"])(
    "%j is one",
    (query) => {
      expect(SavedViewRequest.safeParse({ list: "releases", name: "a", query }).success).toBe(true);
    },
  );

  it.each(["?state=aborted", "//evil.example", "a=1&a=2", "state=%00", `q=${"x".repeat(2000)}`, "a-b=1", "=1"])(
    "%j is none",
    (query) => {
      expect(SavedViewRequest.safeParse({ list: "releases", name: "a", query }).success).toBe(false);
    },
  );
});
