import { expect } from "@playwright/test";
import { type OwnUp, prepareUp } from "./own-up.ts";
import { test } from "./pages.ts";
import { testActingAsThemselves } from "./up/acting-as-themselves.ts";
import { testKilledActing } from "./up/killed-acting.ts";
import { testUnderAttack } from "./up/under-attack.ts";

// Three stories at one `gatehouse up`: its start takes longer than most of their tests.

let up: OwnUp;
const given = (): OwnUp => up;

test.beforeAll(async () => {
  up = await prepareUp({
    oncall: { name: "Operator One", groups: ["operators", "everybody, really"] },
    guest: { name: "Guest One", groups: ["guests"] },
    releaser: { groups: ["admins"] },
  });
  await up.start({
    roles: [
      { role: "operator", groups: ["operators", "guests"], breakGlass: true },
      { role: "admin", groups: ["admins"] },
    ],
    clusters: [
      {
        name: "prod",
        access: "act",
        impersonation: { usernamePrefix: "oidc:", groupsPrefix: "gatehouse:" },
        ...up.place,
      },
    ],
    policies: { freezes: [{ name: "inventory", rollouts: ["frozen-*"], start: "0 0 * * *", duration: "24h" }] },
  });
});
test.afterAll(async () => {
  expect(await up.close()).toBe(0);
});

for (const [name, story] of [
  ["acting under one's own name", testActingAsThemselves],
  ["the process that acts is killed", testKilledActing],
  // The last one: it cuts the line to the cluster.
  ["under attack", testUnderAttack],
] as const)
  test.describe(name, () => {
    test.describe.configure({ mode: "serial" });
    story(given);
  });
