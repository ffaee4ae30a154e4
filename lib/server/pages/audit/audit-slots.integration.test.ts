import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streamLines } from "#lib/server/edge/http/stream-lines.ts";
import { exportAudit } from "#lib/server/pages/audit/export-audit.ts";
import { verifyAuditChain } from "#lib/server/pages/audit/verify-audit-chain.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf } from "#test/acting-world.ts";
import { auditSlots } from "./audit-slots.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
  await world.act({ rollout: await world.addRollout(), action: "abort" });
});
afterAll(() => world.close());

const person = (subject: string) => ({ ...actorOf("admin"), subject });
const contentType = "text/csv";
const open = async (subject: string, stallMs?: number): Promise<Response> => {
  const lines = await exportAudit({ ctx: world.contextOf(person(subject)), input: { format: "jsonl" } });
  return streamLines({ lines, fileName: "x", contentType, ...(stallMs === undefined ? {} : { stallMs }) });
};
const openPage = (subject: string) =>
  verifyAuditChain({ ctx: world.contextOf(person(subject)), input: { quick: "true" } });
const verify = (subject: string) => verifyAuditChain({ ctx: world.contextOf(person(subject)), input: {} });

describe("reading the whole chain", () => {
  it("is for one person bounded until one is read or given up, of exports and verifications together", async () => {
    const [one, other] = [await open("oncall"), await open("oncall")];
    expect(await failureOf(open("oncall"))).toMatchObject({
      code: "rate_limited",
      message: expect.stringMatching(/^You have 2 exports/),
      extra: { retryAfterSeconds: 30 },
    });
    await expect(verify("oncall")).rejects.toMatchObject({ code: "rate_limited" });
    await (await open("releaser")).text();
    await one.text();
    await (await open("oncall")).body?.cancel();
    await expect(verify("oncall")).resolves.toMatchObject({ ok: true });
    await other.body?.cancel();
  });

  it("is bounded over all, except the shared check of an opened page", async () => {
    const held: Response[] = [];
    while (held.length < auditSlots.perProcess) held.push(await open(`person-${Math.floor(held.length / 2)}`));
    expect(await failureOf(open("oncall"))).toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("limit of this process"),
    });
    const [one, other] = await Promise.all([openPage("oncall"), openPage("releaser")]);
    expect(one).toMatchObject({ ok: true });
    expect(other).toBe(one);
    for (const response of held) await response.body?.cancel();
    await (await open("oncall")).text();
  });

  it("is cut where the reader takes nothing", async () => {
    const stalled = [await open("guest", 20), await open("guest", 20)];
    const takeBoth = async () => {
      const one = await open("guest");
      try {
        return (await (await open("guest")).text()) + (await one.text());
      } catch (error) {
        await one.body?.cancel();
        throw error;
      }
    };
    await expect.poll(takeBoth).toContain("hash");
    for (const response of stalled) await expect(response.text()).rejects.toThrow("stopped taking");
  });

  it("leaves nothing taken where the audit log cannot be written", async () => {
    const away = {
      query: async () => Promise.reject(new Error("away")),
      connect: async () => Promise.reject(new Error("away")),
    };
    const ctx = world.contextOf(person("viewer"));
    const runtime = { ...world.runtime, pool: away as unknown as typeof world.runtime.pool };
    for (let count = 0; count < 3; count += 1) {
      const failure = await failureOf(exportAudit({ ctx: { ...ctx, runtime }, input: { format: "csv" } }));
      expect(failure.code).not.toBe("rate_limited");
    }
  });
});
