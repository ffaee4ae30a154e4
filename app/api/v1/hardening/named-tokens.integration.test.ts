import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { Me } from "#lib/contract/system.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import { markRestrictedTokens } from "#lib/server/people/auth/mark-restricted-tokens.ts";
import { createTokenAsAdmin } from "#lib/server/people/tokens/token-admin.ts";
import { RoleBinding } from "#lib/server/platform/config/policy-schema.ts";
import { configOf, createToken, issuer, openSession } from "#test/hardening/people.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET as getMe } from "../me/route.ts";

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb({ config: configOf() });
});
afterAll(() => web.close());

/** Puts other role bindings in force, as a config reload does. */
function bind(...roles: z.input<typeof RoleBinding>[]): void {
  const { auth } = web.runtime.config().config;
  auth.roles.splice(0, auth.roles.length, ...roles.map((role) => RoleBinding.parse(role)));
}

const me = (headers: Record<string, string>) => getMe(new Request(`${testOrigin}/api/v1/me`, { headers }));
const asToken = async (token: string) => (await me({ authorization: `Bearer ${token}` })).status;

/** Loads the config as a web process does; continues once the tokens that it names are marked. */
async function load(): Promise<void> {
  const { config, pool } = web.runtime;
  const listeners: (() => void)[] = [];
  const stop = markRestrictedTokens({
    store: {
      current: config,
      subscribe: (listener) => {
        listeners.push(listener);
        return () => {};
      },
    },
    pool,
    log: pino({ level: "silent" }),
  });
  const named = config().config.auth.roles.flatMap(({ tokens }) => tokens);
  for (const listener of listeners) listener();
  await expect
    .poll(
      async () =>
        (await pool.query("SELECT FROM api_token WHERE id::text = ANY ($1) AND NOT restricted", [named])).rowCount,
    )
    .toBe(0);
  await stop();
}

it("a token that a binding named has nothing once the binding is gone", async () => {
  const { id, token } = await createToken(web, { username: "admin" });
  const other = await createToken(web, { username: "admin" });
  const owner = { role: "admin" as const, users: ["admin"] };
  bind(owner, { role: "viewer", tokens: [id.toUpperCase()], namespaces: ["payments"] });
  expect(await asToken(token)).toBe(200);
  await load();
  expect(await asToken(token)).toBe(200);
  bind(owner);
  await load();
  expect([await asToken(token), await asToken(other.token)]).toEqual([401, 200]);
});

it("a token that is made restricted has nothing until a binding names it", async () => {
  const pool = createTestPool(web.database.ownerUrl);
  const draft = { name: "ci", role: "operator" as const, owner: { issuer, subject: "admin" }, restricted: true };
  const { id, token, restricted } = await createTokenAsAdmin({ pool, token: draft });
  await pool.end();
  const owner = { role: "admin" as const, users: ["admin"] };
  bind(owner);
  expect([restricted, await asToken(token)]).toEqual([true, 401]);
  bind(owner, { role: "operator", tokens: [id], actions: ["abort"] });
  expect(await asToken(token)).toBe(200);
});

it("a person and a robot of one name have neither the rights nor the cluster name of the other", async () => {
  bind({ role: "operator", robots: ["deployer"] });
  const robot = await createToken(web, { username: "deployer", role: "operator", ownerIssuer: robotIssuer });
  const person = await openSession(web, "deployer", { subject: "s-1", groups: ["staff"] });
  const asRobot = { authorization: `Bearer ${robot.token}` };
  expect([(await me(asRobot)).status, (await me({ cookie: person.cookie })).status]).toEqual([200, 401]);

  bind({ role: "operator", robots: ["deployer"] }, { role: "operator", groups: ["staff"] });
  const identityOf = async (headers: Record<string, string>) =>
    Me.parse(await (await me(headers)).json()).clusterIdentities[0];
  expect(await identityOf(asRobot)).toMatchObject({ username: "deployer", problem: null });
  expect(await identityOf({ cookie: person.cookie })).toMatchObject({
    username: null,
    problem: expect.stringContaining("that of a robot"),
  });

  bind({ role: "operator", users: ["deployer"] });
  expect([(await me(asRobot)).status, (await me({ cookie: person.cookie })).status]).toEqual([401, 200]);
  bind({ role: "operator", subjects: ["s-1"] });
  expect([(await me(asRobot)).status, (await me({ cookie: person.cookie })).status]).toEqual([401, 200]);
});
