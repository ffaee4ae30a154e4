import { expect, it } from "vitest";
import { ChannelConfig, findDisallowed } from "./notification-schema.ts";
import { isConfigError, parseConfig } from "./parse-config.ts";

const base = `publicUrl: http://127.0.0.1:7460
demo: { accountsFile: a }
clusters: [{ name: prod, server: "http://127.0.0.1:1" }]
notifications:
`;
const slack = "{ name: s, type: slack, webhookUrl: env:S }";
const channels = `  channels: [${slack}]\n`;

function problemsOf(text: string): string[] {
  try {
    parseConfig({ file: "f", text: base + text });
    return [];
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return error.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
  }
}

it("fills in what is left out", () => {
  const { notifications } = parseConfig({
    file: "f",
    text: `${base}${channels}  routes: [{ name: all, to: [s], quietHours: { start: "22:00", end: "07:00" } }]\n`,
  });
  expect(notifications).toMatchObject({
    channels: [{ apiUrl: "https://slack.com/api" }],
    routes: [
      {
        clusters: ["*"],
        namespaces: ["*"],
        rollouts: ["*"],
        minSeverity: "info",
        quietHours: { timeZone: "UTC" },
      },
    ],
  });
  expect(notifications.routes[0]?.events).toContain("finding-closed");
});

it("knows the address of a code host, unless it is your own", () => {
  const parse = (more: object) =>
    ChannelConfig.parse({
      name: "c",
      type: "deployments",
      provider: "github",
      token: "env:T",
      repositories: ["shop/*"],
      ...more,
    });
  expect(parse({})).toMatchObject({
    ...{ apiUrl: "https://api.github.com", repository: "gatehouse.dev/repository", commit: "gatehouse.dev/commit" },
    ...{ environment: "{cluster}/{namespace}/{name}", clusters: ["*"] },
  });
  expect(parse({ provider: "gitlab" })).toMatchObject({ apiUrl: "https://gitlab.com" });
  const own = parse({ apiUrl: "https://git.example.com/api/v3" });
  expect(findDisallowed(own, ["env:T"]).map(({ key }) => key)).toEqual(["apiUrl"]);
  expect(findDisallowed(parse({}), ["env:T"])).toEqual([]);
});

it("names the environment of CDEvents by cluster and namespace, and allows them what it allows a webhook", () => {
  const channel = ChannelConfig.parse({
    name: "c",
    type: "cdevents",
    url: "https://a.example",
    signingSecret: "env:S",
  });
  expect(channel).toMatchObject({ environment: "{cluster}/{namespace}", clusters: ["*"] });
  expect(findDisallowed(channel, ["env:S"]).map(({ key }) => key)).toEqual(["url"]);
});

it("takes a route to the channels of teams", () => {
  const teams = "teams: [{ name: Shop, channel: s }]\n";
  expect(problemsOf(`${channels}  routes: [{ name: r }, { name: own, team: Shop }]\n${teams}`)).toEqual([]);
});

it.each<[name: string, text: string, problem: RegExp]>([
  ["an unknown key", "  chanels: []\n", /^5:3 notifications.chanels: /],
  ["a type that there is not", "  channels: [{ name: x, type: pager }]\n", /^5:25 notifications.channels.0.type: /],
  [
    "a secret in the file",
    "  channels: [{ name: x, type: slack, webhookUrl: 'https://hooks.slack.com/x' }]\n",
    /^5:38 notifications.channels.0.webhookUrl: say where it is, as file:PATH or env:NAME$/,
  ],
  [
    "two addresses of Slack",
    "  channels: [{ name: x, type: slack, webhookUrl: env:A, token: env:B, channel: c }]\n",
    /exactly one of webhookUrl, token/,
  ],
  [
    "a token without a channel",
    "  channels: [{ name: x, type: slack, token: env:B }]\n",
    /channels.0.channel: a token posts to a channel/,
  ],
  [
    "a webhook with a channel",
    "  channels: [{ name: x, type: slack, webhookUrl: env:B, channel: c }]\n",
    /channels.0.channel: a webhook posts/,
  ],
  [
    "a webhook that is not signed",
    "  channels: [{ name: x, type: webhook, url: 'http://a' }]\n",
    /^5:14 notifications.channels.0.signingSecret: /,
  ],
  [
    "another protocol",
    "  channels: [{ name: x, type: webhook, url: 'file:///etc/passwd', signingSecret: env:S }]\n",
    /^5:40 notifications.channels.0.url: /,
  ],
  ["mail to nobody", "  channels: [{ name: x, type: email, host: h, from: a@b.c, to: [] }]\n", /channels.0.to: /],
  [
    "an address that would add a header",
    '  channels: [{ name: x, type: email, host: h, from: "a@b.c, d@e.f", to: [a@b.c] }]\n',
    /channels.0.from: say an address/,
  ],
  [
    "a user without a password",
    "  channels: [{ name: x, type: email, host: h, from: a@b.c, to: [a@b.c], user: u }]\n",
    /channels.0.user: user and password/,
  ],
  ["two channels of one name", `  channels: [${slack}, ${slack}]\n`, /channels.1.name: "s" is named twice/],
  [
    "two routes of one name",
    `${channels}  routes: [{ name: r, to: [s] }, { name: r, to: [s] }]\n`,
    /routes.1.name: "r" is named twice/,
  ],
  [
    "a route to nowhere",
    `${channels}  routes:\n    - name: r\n      to: [s, t]\n`,
    /^8:15 notifications.routes.0.to.1: no channel is named "t"$/,
  ],
  [
    "a routing key in the file",
    "  channels: [{ name: x, type: pagerduty, routingKey: 0123456789abcdef0123456789abcdef }]\n",
    /channels.0.routingKey: say where it is, as file:PATH or env:NAME$/,
  ],
  [
    "a webhook of Teams in the file",
    "  channels: [{ name: x, type: teams, webhookUrl: 'https://prod.westeurope.logic.azure.com/x' }]\n",
    /channels.0.webhookUrl: say where it is, as file:PATH or env:NAME$/,
  ],
  [
    "an Alertmanager of another protocol",
    "  channels: [{ name: x, type: alertmanager, url: 'ftp://a.example' }]\n",
    /channels.0.url: must be an http/,
  ],
  [
    "a code host that there is not",
    "  channels: [{ name: x, type: deployments, provider: bitbucket, token: env:T, repositories: [a/b] }]\n",
    /channels.0.provider: /,
  ],
  [
    "a code host's token for any repository",
    "  channels: [{ name: x, type: deployments, provider: github, token: env:T }]\n",
    /channels.0.repositories: list the repositories that the token may be used for, such as \[shop\/web\]/,
  ],
  [
    "an address instead of a repository",
    "  channels: [{ name: x, type: deployments, provider: github, token: env:T, repositories: ['https://a/b'] }]\n",
    /channels.0.repositories.0: is not a repository or a pattern of repositories/,
  ],
  [
    "an environment of an unknown placeholder",
    "  channels: [{ name: x, type: deployments, provider: github, token: env:T, repositories: [a/b], environment: '{region}' }]\n",
    /channels.0.environment: use letters, digits, spaces, .* and the placeholders \{cluster\}/,
  ],
  [
    "a route to deployments",
    "  channels: [{ name: x, type: deployments, provider: github, token: env:T, repositories: [a/b] }]\n  routes: [{ name: r, to: [x] }]\n",
    /routes.0.to.0: "x" gets the releases of its own scope: remove it from the route$/,
  ],
  [
    "a route to CDEvents",
    "  channels: [{ name: x, type: cdevents, url: env:U, signingSecret: env:S }]\n  routes: [{ name: r, to: [x] }]\n",
    /routes.0.to.0: "x" gets the releases of its own scope: remove it from the route$/,
  ],
  [
    "CDEvents without a signature",
    "  channels: [{ name: x, type: cdevents, url: 'https://a.example' }]\n",
    /channels.0.signingSecret: /,
  ],
  [
    "a team with deployments as its channel",
    "  channels: [{ name: x, type: deployments, provider: github, token: env:T, repositories: [a/b] }]\nteams: [{ name: Shop, channel: x }]\n",
    /teams.0.channel: "x" gets only releases: name another channel$/,
  ],
  ["a Slack app without a workspace", "  slack: { signingSecret: env:S }\n", /^5:\d+ notifications.slack.team: /],
  [
    "a signing secret of Slack in the file",
    "  slack: { signingSecret: 8f742231b10e8888abcd99yyyzzz85a5, team: T0123 }\n",
    /notifications.slack.signingSecret: say where it is, as file:PATH or env:NAME$/,
  ],
  [
    "a user of Slack by name",
    "  slack: { signingSecret: env:S, team: T0123, users: { ann: ann } }\n",
    /^5:\d+ notifications.slack.users.ann: say Slack's id of a person, such as U0123ABCD$/,
  ],
  [
    "a route that opens nothing",
    "  channels: [{ name: x, type: pagerduty, routingKey: env:K }]\n  routes: [{ name: r, to: [x], events: [action, finding-closed] }]\n",
    /^6:\d+ notifications.routes.0.events: none of these opens anything in "x": name one of waiting, /,
  ],
  [
    "a team that there is not",
    `${channels}  routes: [{ name: r, team: Shop, to: [s] }]\n`,
    /routes.0.team: no team is named "Shop"$/,
  ],
  [
    "a route to no channel",
    `${channels}  routes: [{ name: r }]\nteams: [{ name: Shop }]\n`,
    /routes.0: name channels in to/,
  ],
  [
    "a route to the channel of a team that has none",
    `${channels}  routes: [{ name: r, team: Shop }]\nteams: [{ name: Shop }, { name: Other, channel: s }]\n`,
    /^6:12 notifications.routes.0: name channels in to, or a channel of team "Shop"$/,
  ],
  [
    "a team with a channel that there is not",
    `${channels}teams: [{ name: Shop, channel: t }]\n`,
    /teams.0.channel: no channel is named "t"$/,
  ],
  [
    "an event that there is not",
    `${channels}  routes: [{ name: r, to: [s], events: [lunch] }]\n`,
    /routes.0.events.0: /,
  ],
  ["a test as an event", `${channels}  routes: [{ name: r, to: [s], events: [test] }]\n`, /routes.0.events.0: /],
  ["no event", `${channels}  routes: [{ name: r, to: [s], events: [] }]\n`, /routes.0.events: name at least one event/],
  [
    "a time zone that there is not",
    `${channels}  routes: [{ name: r, to: [s], quietHours: { start: "22:00", end: "07:00", timeZone: Mars } }]\n`,
    /quietHours.timeZone: "Mars" is not a time zone/,
  ],
  [
    "a time that there is not",
    `${channels}  routes: [{ name: r, to: [s], quietHours: { start: "24:00", end: "07:00" } }]\n`,
    /quietHours.start: say a time of day/,
  ],
  [
    "hours that never are",
    `${channels}  routes: [{ name: r, to: [s], quietHours: { start: "07:00", end: "07:00" } }]\n`,
    /quietHours.end: start and end are the same/,
  ],
  [
    "an allowed address with a path",
    "  allow: ['https://a.example/hook']\n",
    /^5:11 notifications.allow.0: say the place/,
  ],
  ["an allowed address with a user", "  allow: ['https://u@a.example']\n", /allow.0: say the place/],
  ["an allowed protocol that there is not", "  allow: ['ftp://a.example']\n", /allow.0: say the place/],
])("refuses %s, and says where", (_, text, problem) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

const allow = ["file:hook", "env:KEY", "https://Events.example.com", "smtp://smtp.example.com", "smtp://[::1]:2525"];
const webhook = { name: "w", type: "webhook", url: "https://events.example.com:443/a", signingSecret: "env:KEY" };
const email = { name: "e", type: "email", host: "SMTP.example.com", from: "a@b.c", to: ["a@b.c"] };

it.each<[name: string, channel: Record<string, unknown>, disallowed: string[]]>([
  ["a listed file", { name: "s", type: "slack", webhookUrl: "file:hook" }, []],
  ["a listed address, with any path", webhook, []],
  ["an address in a listed file", { ...webhook, url: "file:hook" }, []],
  ["a listed server", email, []],
  ["another file", { name: "s", type: "slack", webhookUrl: "file:./hook" }, ["webhookUrl"]],
  ["a file above", { ...webhook, url: "file:hook/../../etc/passwd" }, ["url"]],
  [
    "another variable",
    { ...webhook, signingSecret: "env:DATABASE_URL", token: "env:OTHER" },
    ["signingSecret", "token"],
  ],
  ["another protocol", { ...webhook, url: "http://events.example.com/a" }, ["url"]],
  ["another port", { ...webhook, url: "https://events.example.com:8443/a" }, ["url"]],
  ["a host that begins like it", { ...webhook, url: "https://events.example.com.evil.example" }, ["url"]],
  ["a user that looks like it", { ...webhook, url: "https://events.example.com@evil.example" }, ["url"]],
  ["the metadata of a cloud", { ...webhook, url: "http://169.254.169.254/latest" }, ["url"]],
  ["a file of certificates", { ...webhook, caFile: "hook" }, ["caFile"]],
  [
    "another API of Slack",
    { name: "s", type: "slack", token: "env:KEY", channel: "C", apiUrl: "https://a.example" },
    ["apiUrl"],
  ],
  [
    "a listed API of Slack",
    { name: "s", type: "slack", token: "env:KEY", channel: "C", apiUrl: "https://events.example.com/api" },
    [],
  ],
  ["a listed routing key", { name: "p", type: "pagerduty", routingKey: "env:KEY" }, []],
  [
    "another address of PagerDuty",
    { name: "p", type: "pagerduty", routingKey: "env:OTHER", apiUrl: "https://a.example" },
    ["routingKey", "apiUrl"],
  ],
  ["a listed Alertmanager", { name: "a", type: "alertmanager", url: "https://events.example.com/am" }, []],
  [
    "another Alertmanager",
    { name: "a", type: "alertmanager", url: "http://alertmanager.svc:9093", token: "env:OTHER", caFile: "hook" },
    ["url", "token", "caFile"],
  ],
  ["a listed webhook of Teams", { name: "t", type: "teams", webhookUrl: "file:hook" }, []],
  ["another webhook of Teams", { name: "t", type: "teams", webhookUrl: "env:OTHER" }, ["webhookUrl"]],
  ["another port of a server", { ...email, port: 25 }, ["host"]],
  ["another server", { ...email, host: "evil.example" }, ["host"]],
  ["a host that is an address", { ...email, host: "https://events.example.com" }, ["host"]],
  ["a host with a path", { ...email, host: "smtp.example.com/x" }, ["host"]],
])("judges by the list of the config if an admin may use %s", (_, channel, disallowed) => {
  expect(findDisallowed(ChannelConfig.parse(channel), allow).map(({ key }) => key)).toEqual(disallowed);
});

it("allows nothing without a list", () => {
  expect(findDisallowed(ChannelConfig.parse(webhook), []).map(({ key }) => key)).toEqual(["url", "signingSecret"]);
});
