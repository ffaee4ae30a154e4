import { afterAll, beforeAll, expect, it } from "vitest";
import { AuditListQuery } from "#lib/contract/audit.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";
import { listAudit } from "./list-audit.ts";
import { mayReadEntry } from "./readable-audit.ts";

let world: ActingWorld;
let places: string[];
beforeAll(async () => {
  world = await createActingWorld();
  const rollouts = [await world.addRollout(), await world.addRollout()];
  places = rollouts.map(({ path }) => path.namespace);
  for (const rollout of rollouts) await world.act({ rollout, action: "abort" });
  const issuers = [actorOf("viewer").issuer, "https://other.example", 'https://quote".example'];
  for (const issuer of issuers)
    await appendAudit({
      pool: world.web,
      entry: {
        actor: { type: "user", issuer, subject: "viewer-person", name: "viewer-person" },
        source: "gatehouse",
        code: "session.signin",
        detail: { issuer: actorOf("viewer").issuer },
        requestId: "r",
      },
    });
  await appendAudit({
    pool: world.web,
    entry: {
      actor: { type: "system", name: "Gatehouse" },
      source: "system",
      code: "source.hold-released",
      target: { cluster: "prod-eu" },
      requestId: "r",
    },
  });
});
afterAll(() => world.close());

function reader(
  scope: Partial<{ clusters: string[]; namespaces: string[]; rollouts: string[] }>,
  issuer?: string,
): Actor {
  const actor = actorOf("viewer");
  const [grant] = actor.rights.grants;
  if (grant === undefined) throw new Error("no grant");
  const rights = { ...actor.rights, grants: [{ ...grant, scope: { ...grant.scope, ...scope } }] };
  return { ...actor, issuer: issuer ?? actor.issuer, rights };
}

it.each<[string, () => Actor]>([
  ["everything", () => reader({})],
  ["one namespace", () => reader({ namespaces: [places[0] ?? ""] })],
  ["another cluster", () => reader({ clusters: ["staging"] })],
  ["one cluster", () => reader({ clusters: ["prod-*"] })],
  ["no rollout", () => reader({ rollouts: ["none"] })],
  ["nothing, of another issuer", () => reader({ namespaces: ["none"] }, "https://other.example")],
  ["nothing, of an issuer that must be quoted", () => reader({ namespaces: ["none"] }, 'https://quote".example')],
])("who reads %s: the list and the rule for one entry agree", async (_name, of) => {
  const actor = of();
  const { rows } = await world.owner.query<{ seq: string; entry: string }>(
    "SELECT seq::text, entry FROM audit_entry ORDER BY audit_entry.seq DESC",
  );
  const expected = rows.filter(({ entry }) => mayReadEntry(actor, parseEntryText(entry))).map(({ seq }) => Number(seq));
  const listed = await listAudit({ ctx: world.contextOf(actor), input: AuditListQuery.parse({ limit: 50 }) });
  expect(listed.items.map(({ seq }) => seq)).toEqual(expected);
});

it.each([
  { signIns: "only", count: 3 },
  { signIns: "hidden", count: 5 },
])("filters sign-ins: $signIns", async ({ signIns, count }) => {
  const input = AuditListQuery.parse({ limit: 50, signIns });
  const { items } = await listAudit({ ctx: world.contextOf(reader({})), input });
  expect(items).toHaveLength(count);
});

it("tells readers apart", async () => {
  const count = async (actor: Actor) =>
    (await listAudit({ ctx: world.contextOf(actor), input: AuditListQuery.parse({ limit: 50 }) })).items.length;
  expect(await count(reader({}))).toBe(8);
  expect(await count(reader({ namespaces: [places[0] ?? ""] }))).toBe(3);
  expect(await count(reader({ clusters: ["staging"] }))).toBe(1);
});
