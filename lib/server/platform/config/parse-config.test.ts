import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "#lib/server/platform/config/parse-config.ts";

const minimal = `publicUrl: https://gatehouse.example.com
auth:
  oidc: { issuer: https://login.example.com, clientId: g, clientSecret: env:SECRET }
clusters:
  - name: prod
    inCluster: true
`;

function failure(text: string): string {
  try {
    parseConfig({ file: "gatehouse.yaml", text });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("was accepted");
}

describe("parseConfig", () => {
  it("takes a minimal config and fills the defaults", () => {
    const config = parseConfig({ file: "gatehouse.yaml", text: minimal });
    expect(config.clusters[0]).toMatchObject({ name: "prod", access: "read", staleAfterSeconds: 60 });
    expect(config.clusters[0]).toMatchObject({ actAs: "impersonation", impersonation: { groupsPrefix: "" } });
    expect(config.auth.session).toEqual({ idleMinutes: 480, absoluteHours: 24 });
    expect(config.recorder).toEqual({ host: "127.0.0.1", port: 7470 });
  });

  it("names each unknown key with its place and what to do", () => {
    const advice = "unknown key: remove or rename it (docs/configuration.md lists all keys)";
    const text = `${minimal}    disappearance: { atLeast: 2 }\nlogs: { maxLines: 5 }\ninbox: {}\n`;
    expect(() => parseConfig({ file: "gatehouse.yaml", text })).toThrow(
      expect.objectContaining({
        problems: [
          { line: 7, column: 5, path: "clusters.0.disappearance", message: advice },
          { line: 8, column: 1, path: "logs", message: advice },
          { line: 9, column: 1, path: "inbox", message: advice },
        ],
      }),
    );
  });

  it.each([
    [
      "{ name: t, pattern: '(A+)+' }",
      /:11:20: policies\.reasons\.0\.ticket\.pattern: "\(A\+\)\+": "\(" is not supported/,
    ],
    ["{ name: t, pattern: 'A.*' }", /pattern: "A\.\*": "\." is not supported/],
    ["{ name: t, pattern: A, check: { url: ftp://h, signingSecret: env:S } }", /check\.url: must be an http/],
    ["{ name: t, pattern: A, check: { url: http://h, signingSecret: s3cret } }", /signingSecret: say where it is/],
    [
      "{ name: t, pattern: A, check: { url: http://h, signingSecret: env:S, timeoutMs: 2001 } }",
      /timeoutMs: at most 2000/,
    ],
    [
      "{ name: t, pattern: A, check: { url: http://h, signingSecret: env:S, timeoutMs: 0 } }",
      /timeoutMs: at least 100/,
    ],
    ["{ pattern: A }", /ticket\.name: /],
  ])("refuses the ticket %s, with place and remedy", (ticket, message) => {
    expect(
      failure(`${minimal}policies:\n  reasons:\n    - required: true\n      ticket:\n        ${ticket}\n`),
    ).toMatch(message);
  });

  it("refuses a ticket that no reason must name, and two of one name", () => {
    const rules = (...lines: string[]) =>
      `${minimal}policies:\n  reasons:\n${lines.map((line) => `    - ${line}\n`).join("")}`;
    const ticket = "ticket: { name: change, pattern: CHG\\d+ }";
    expect(failure(rules(`{ required: false, ${ticket} }`))).toMatch(
      /policies\.reasons\.0\.required: a ticket is part of a reason: say required: true/,
    );
    expect(failure(rules(`{ required: true, ${ticket} }`, `{ required: true, ${ticket} }`))).toMatch(
      /policies\.reasons\.1\.ticket\.name: "change" is named twice/,
    );
  });

  it("takes the example that the project ships", () => {
    const file = new URL("../../../../deploy/gatehouse.yaml", import.meta.url);
    expect(parseConfig({ file: "deploy/gatehouse.yaml", text: readFileSync(file, "utf8") }).clusters).toHaveLength(2);
  });

  it("lets a real cluster be acted on where its config says so, and no other", () => {
    const text = `${minimal}    access: act\n  - name: second\n    inCluster: true\n`;
    const { clusters } = parseConfig({ file: "gatehouse.yaml", text });
    expect(clusters.map(({ name, access, actAs }) => ({ name, access, actAs }))).toEqual([
      { name: "prod", access: "act", actAs: "impersonation" },
      { name: "second", access: "read", actAs: "impersonation" },
    ]);
  });

  it.each([
    { name: "text that is not YAML", text: "a: [", at: "gatehouse.yaml:1:5:" },
    { name: "an empty file", text: "", at: "gatehouse.yaml:1:1: publicUrl:" },
    {
      name: "an address whose path ends in a slash",
      text: minimal.replace("example.com", "example.com/gatehouse/"),
      at: "gatehouse.yaml:1:1: publicUrl: leave out the slash after the path",
    },
    {
      name: "an address with a path that needs escapes",
      text: minimal.replace("example.com", "example.com/gate%20house"),
      at: "gatehouse.yaml:1:1: publicUrl: its path is made of segments such as /tools/gatehouse",
    },
    { name: "an unknown key", text: `${minimal}retenton: 3\n`, at: "gatehouse.yaml:7:1: retenton:" },
    {
      name: "a key given twice",
      text: `${minimal}publicUrl: https://b.example.com\n`,
      at: "gatehouse.yaml:7:1: Map keys must be unique",
    },
    {
      name: "a wrong value deep inside",
      text: minimal.replace("    inCluster: true", "    inCluster: true\n    access: write"),
      at: "gatehouse.yaml:7:5: clusters.0.access:",
    },
    {
      name: "two ways to reach a cluster",
      text: minimal.replace("    inCluster: true", "    inCluster: true\n    kubeconfig: a"),
      at: "gatehouse.yaml:5:5: clusters.0: say exactly one of server, kubeconfig, inCluster",
    },
    {
      name: "no identity provider outside the demo",
      text: minimal.replace(/auth:\n.*\n/, "auth: {}\n"),
      at: "gatehouse.yaml:2:1: auth: no identity provider",
    },
    {
      name: "another way to act",
      text: minimal.replace("    inCluster: true", "    inCluster: true\n    actAs: admin"),
      at: "gatehouse.yaml:7:5: clusters.0.actAs:",
    },
    ...["system:", "System:x", " system:"].map((prefix) => ({
      name: `a prefix that makes names of Kubernetes' own (${prefix})`,
      text: minimal.replace(
        "    inCluster: true",
        `    inCluster: true\n    impersonation: { groupsPrefix: "${prefix}" }`,
      ),
      at: "gatehouse.yaml:7:22: clusters.0.impersonation.groupsPrefix: names that begin with",
    })),
    ...[
      { name: "a controller without a name", managers: '[""]', says: "managers.0: a field manager has a name" },
      { name: "Gatehouse named as a controller", managers: "[a, gatehouse]", says: 'managers.1: "gatehouse" is the' },
    ].map(({ name, managers, says }) => ({
      name,
      text: minimal.replace("    inCluster: true", `    inCluster: true\n    controllers: { managers: ${managers} }`),
      at: `clusters.0.controllers.${says}`,
    })),
    {
      name: "an unknown key of the controllers",
      text: minimal.replace("    inCluster: true", "    inCluster: true\n    controllers: { names: [a] }"),
      at: "gatehouse.yaml:7:20: clusters.0.controllers.names:",
    },
    {
      name: "a claim without a name",
      text: minimal.replace("    inCluster: true", '    inCluster: true\n    impersonation: { usernameClaim: "" }'),
      at: "gatehouse.yaml:7:22: clusters.0.impersonation.usernameClaim:",
    },
    ...[
      { users: '["*"]', at: '7:30: clusters.0.impersonation.users.0: for everyone, write "allowAnyUser: true"' },
      { users: "[]", at: "7:22: clusters.0.impersonation.users:" },
      { users: "[ada], allowAnyUser: true", at: "7:5: clusters.0.impersonation: say one of users, allowAnyUser" },
    ].map(({ users, at }) => ({
      name: `users of their own: ${users}`,
      text: minimal.replace("    inCluster: true", `    inCluster: true\n    impersonation: { users: ${users} }`),
      at: `gatehouse.yaml:${at}`,
    })),
    {
      name: "a cluster named twice",
      text: `${minimal}  - name: prod\n    inCluster: true\n`,
      at: 'gatehouse.yaml:7:5: clusters.1.name: "prod" is named twice',
    },
    {
      name: "a binding that names nobody",
      text: minimal.replace("\nclusters", "\n  roles:\n    - role: viewer\n      robots: []\nclusters"),
      at: "gatehouse.yaml:5:7: auth.roles.0: name at least one group, user, subject, robot or token",
    },
    {
      name: "an empty name in a binding",
      text: minimal.replace("\nclusters", '\n  roles:\n    - role: viewer\n      subjects: ["a", ""]\nclusters'),
      at: "gatehouse.yaml:6:23: auth.roles.0.subjects.1: a name cannot be empty",
    },
    {
      name: "a scope with a namespace before the kind",
      text: minimal.replace(
        "\nclusters",
        "\n  roles:\n    - role: viewer\n      groups: [a]\n      rollouts: [shop/Canary/checkout]\nclusters",
      ),
      at: "gatehouse.yaml:7:18: auth.roles.0.rollouts.0: a name such as shop-*, or a kind and a name such as Canary/shop-*",
    },
    {
      name: "a robot that is named like a user",
      text: minimal.replace(
        "\nclusters",
        "\n  roles:\n    - { role: viewer, users: [ci] }\n    - { role: operator, robots: [deployer, ci] }\nclusters",
      ),
      at: 'gatehouse.yaml:6:44: auth.roles.1.robots.1: "ci" is bound as a user too',
    },
    {
      name: "a viewer whose agents act",
      text: minimal.replace(
        "\nclusters",
        "\n  roles:\n    - role: viewer\n      groups: [a]\n      agentsMayAct: true\nclusters",
      ),
      at: "gatehouse.yaml:7:7: auth.roles.0.agentsMayAct: a viewer does not act: give the role operator, or leave it out",
    },
    { name: "a URL that is none", text: minimal.replace("https://gate", "gate"), at: "gatehouse.yaml:1:1: publicUrl:" },
  ])("refuses $name, saying where", ({ text, at }) => {
    expect(failure(text)).toContain(at);
  });

  it("names every problem", () => {
    try {
      parseConfig({ file: "f", text: "publicUrl: 1\nclusters: []\n" });
      throw new Error("was accepted");
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      if (error instanceof ConfigError) expect(error.problems.map((problem) => problem.path)).toContain("clusters");
    }
  });
});
