import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { describeGrant, RightsSection } from "#components/settings/rights-section.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { Me, MyGrant, RightScope } from "#lib/contract/system.ts";
import { actionNames, isProtective, quoteActions } from "#lib/domain/acting/action-catalogue.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";

describe("RightsSection", () => {
  const inAccounts = { clusters: ["prod"], namespaces: ["accounts"], rollouts: ["*"] };
  const me: Me = {
    name: "oncall",
    subject: "1",
    issuer: "https://login.example.com",
    role: "operator",
    username: "oncall",
    groups: [],
    teams: [],
    sets: [],
    clusterIdentities: [],
    token: null,
    session: null,
    demo: false,
    faults: false,
    grants: [
      {
        role: "operator",
        scope: inAccounts,
        actions: ["*"],
        breakGlass: true,
        through: "binding",
        secondPerson: [
          {
            rule: "two of us",
            actions: ["promote-full"],
            scope: inAccounts,
            expireMinutes: 60,
            approvers: "a second person",
          },
        ],
      },
    ],
  };

  function textOf(data: Me): string {
    const client = new QueryClient();
    client.setQueryData(queryKeys.me(), data);
    return renderToStaticMarkup(
      <MantineProvider>
        <QueryClientProvider client={client}>
          <RightsSection />
        </QueryClientProvider>
      </MantineProvider>,
    )
      .replaceAll(/<style[^>]*>.*?<\/style>/gs, "")
      .replaceAll("<!-- -->", "")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ");
  }

  it("names one's teams, if there are some", () => {
    const teams = ["Shop", "Payments", "Rest"].map((name) => ({ name, isMine: name !== "Rest" }));
    expect(textOf({ ...me, teams })).toContain("Teams Shop, Payments ");
    expect(textOf(me)).not.toContain("Teams");
  });

  it("says in words what one may do, and where", () => {
    const text = textOf(me);
    expect(text).toContain("Operator in accounts/* of cluster prod &quot;Promote fully&quot; requires a second person");
    expect(text).toContain("can override a freeze (break-glass)");
  });

  it("says as whom, with what issuer, and with which groups at each cluster", () => {
    const identity = { cluster: "demo", access: "act" as const, mode: "groups" as const, problem: null };
    const own = { ...me, name: "operator", username: "operator", subject: "operator", issuer: "gatehouse:demo" };
    const text = textOf({
      ...own,
      clusterIdentities: [{ ...identity, username: "operator", groups: ["gatehouse:operators"] }],
    });
    expect(text).toContain("operator (gatehouse:demo)");
    expect(text).toContain("Operator: can view everything in scope and act on rollouts");
    expect(text).toContain("Cluster demo acts as operator, with group gatehouse:operators");
    expect(textOf(me)).toContain("oncall (1 at https://login.example.com)");
    expect(textOf({ ...own, clusterIdentities: [{ ...identity, mode: "user", username: "x", groups: [] }] })).toContain(
      "acts as x, a user of your own",
    );
  });

  it("says where there is nothing", () => {
    expect(textOf({ ...me, grants: [] })).toContain("nowhere: the role bindings of this token");
  });
});

describe("describeGrant", () => {
  const everywhere: RightScope = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };
  const inAccounts: RightScope = { clusters: ["prod"], namespaces: ["accounts"], rollouts: ["*"] };
  const grant = (change: Partial<MyGrant>): MyGrant => ({
    role: "operator",
    scope: everywhere,
    actions: ["*"],
    breakGlass: false,
    through: "binding",
    secondPerson: [],
    ...change,
  });
  const need = (change: Partial<MyGrant["secondPerson"][number]>): MyGrant["secondPerson"][number] => ({
    rule: "two of us",
    actions: ["promote-full"],
    scope: everywhere,
    expireMinutes: 60,
    approvers: "a second person",
    ...change,
  });

  describe("describeScope", () => {
    it.each<[Partial<RightScope>, string]>([
      [{}, "everywhere"],
      [{ clusters: ["prod"] }, "in every namespace of cluster prod"],
      [{ clusters: ["prod-*", "lab"] }, "in every namespace of clusters prod-* and lab"],
      [{ clusters: ["prod"], namespaces: ["accounts"] }, "in accounts/* of cluster prod"],
      [{ namespaces: ["accounts", "shop"], rollouts: ["web-*"] }, "in accounts/web-* and shop/web-* of every cluster"],
      [{ rollouts: ["web"] }, "in */web of every cluster"],
      [{ namespaces: [] }, "nowhere"],
    ])("%j: %s", (scope, words) => {
      expect(describeScope({ ...everywhere, ...scope })).toBe(words);
    });
  });

  const protective = actionNames.filter(isProtective);
  const advancing = actionNames.filter((name) => !isProtective(name));

  describe("describeGrant", () => {
    it.each<{ name: string; change: Partial<MyGrant>; more: string[] }>([
      { name: "nothing more to say", change: {}, more: [] },
      { name: "a viewer's actions are no matter", change: { role: "viewer", actions: [] }, more: [] },
      { name: "some actions only", change: { actions: ["abort", "skip-*"] }, more: ["only abort and skip-*"] },
      {
        name: "break-glass",
        change: { breakGlass: true },
        more: ["can override a freeze (break-glass), with a reason and a fresh sign-in"],
      },
      {
        name: "one action for two people",
        change: { secondPerson: [need({})] },
        more: ['"Promote fully" requires a second person (two of us, within 60 min)'],
      },
      {
        name: "one action for three people",
        change: { secondPerson: [need({ approvers: "2 other people from sre" })] },
        more: ['"Promote fully" requires 2 other people from sre (two of us, within 60 min)'],
      },
      {
        name: "two actions, in a part of the scope",
        change: { secondPerson: [need({ actions: ["promote-full", "undo"], scope: inAccounts })] },
        more: [
          '"Promote fully" and "Roll back to a revision" require a second person in accounts/* of cluster prod (two of us, within 60 min)',
        ],
      },
      {
        name: "all but the protective ones",
        change: { secondPerson: [need({ actions: advancing })] },
        more: [`every action except ${quoteActions(protective)} requires a second person (two of us, within 60 min)`],
      },
      {
        name: "all but two",
        change: {
          secondPerson: [need({ actions: actionNames.filter((name) => name !== "pause" && name !== "abort") })],
        },
        more: ['every action except "Pause" and "Abort" requires a second person (two of us, within 60 min)'],
      },
      {
        name: "all but the protective ones and two others",
        change: { secondPerson: [need({ actions: advancing.filter((name) => name !== "undo" && name !== "retry") })] },
        more: [
          `${quoteActions(advancing.filter((name) => name !== "undo" && name !== "retry"))} require a second person (two of us, within 60 min)`,
        ],
      },
      {
        name: "not called every action where the grant has only some",
        change: { actions: ["undo", "retry"], secondPerson: [need({ actions: ["undo", "retry"] })] },
        more: [
          "only undo and retry",
          '"Roll back to a revision" and "Retry" require a second person (two of us, within 60 min)',
        ],
      },
      {
        name: "a token named in the config",
        change: { through: "token" },
        more: ["granted to this token by the config"],
      },
    ])("$name", ({ change, more }) => {
      expect(describeGrant(grant(change)).more).toEqual(more);
    });

    it("names role and place", () => {
      expect(describeGrant(grant({ scope: inAccounts }))).toMatchObject({
        role: "Operator",
        where: "in accounts/* of cluster prod",
      });
    });
  });
});
