import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scope } from "#lib/domain/policy/rights.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, clusterName, createActingWorld } from "#test/acting-world.ts";
import { listHookCredentials } from "./credentials.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
  for (const cluster of [clusterName, "another"])
    await world.owner.query(
      `INSERT INTO hook_credential (id, name, cluster, namespaces, secret_hash, created_by)
       VALUES ($1, $2, $2, '{*}', 'h', 'somebody')`,
      [randomUUID(), cluster],
    );
});
afterAll(() => world.close());

const clusterWide = (cluster: string): Scope => ({ clusters: [cluster], namespaces: ["*"], rollouts: ["*"] });

function adminOf(scope: Scope): Actor {
  const grants = [{ role: "admin" as const, scope, actions: ["*"], breakGlass: false }];
  return { ...actorOf("admin"), rights: { grants, cap: "admin" } };
}

async function namesFor(actor: Actor, cluster?: string): Promise<string[]> {
  const { items } = await listHookCredentials({ ctx: world.contextOf(actor), input: { limit: 50, cluster } });
  return items.map(({ name }) => name).toSorted();
}

describe("the credentials of controllers, listed", () => {
  it("are all for an admin of everything, also those of a cluster that is not configured", async () => {
    expect(await namesFor(actorOf("admin"))).toEqual(["another", clusterName].toSorted());
    expect(await namesFor(actorOf("admin"), "another")).toEqual(["another"]);
  });

  it("are those of their clusters for an admin of clusters", async () => {
    expect(await namesFor(adminOf(clusterWide("prod-*")))).toEqual([clusterName]);
    expect(await namesFor(adminOf(clusterWide(clusterName)), clusterName)).toEqual([clusterName]);
    await expect(namesFor(adminOf(clusterWide(clusterName)), "another")).rejects.toMatchObject({ code: "forbidden" });
  });

  it("are nothing for an admin of one namespace", async () => {
    const scope = { ...clusterWide(clusterName), namespaces: ["shop"] };
    await expect(namesFor(adminOf(scope))).rejects.toMatchObject({ code: "forbidden" });
  });
});
