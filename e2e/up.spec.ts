import { expect } from "@playwright/test";
import { type OwnUp, prepareUp } from "./own-up.ts";
import { test } from "./pages.ts";
import { testActingAsThemselves } from "./up/acting-as-themselves.ts";
import { testBelowAPath } from "./up/below-a-path.ts";
import { testKilledActing } from "./up/killed-acting.ts";
import { testSigningIn } from "./up/signing-in.ts";
import { testUnderAttack } from "./up/under-attack.ts";

// One `gatehouse up` for all of them: its start takes longer than most of their tests.

let up: OwnUp;
const given = (): OwnUp => up;

test.beforeAll(async () => {
  up = await prepareUp({
    oncall: { name: "Operator One", groups: ["operators", "everybody, really"] },
    guest: { name: "Guest One", groups: ["guests"] },
    releaser: { groups: ["admins"] },
    stranger: { name: "A Stranger", groups: ["sales"] },
  });
});
test.afterAll(async () => {
  expect(await up.close()).toBe(0);
});

for (const [name, story] of [
  ["signing in at a provider", testSigningIn],
  ["below a path", testBelowAPath],
  ["acting under one's own name", testActingAsThemselves],
  ["the process that acts is killed", testKilledActing],
  // The last one: it cuts the line to the cluster.
  ["under attack", testUnderAttack],
] as const)
  test.describe(name, () => {
    test.describe.configure({ mode: "serial" });
    story(given);
  });
