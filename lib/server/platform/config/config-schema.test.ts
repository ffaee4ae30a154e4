import { expect, it } from "vitest";
import { isConfigError, parseConfig } from "./parse-config.ts";

const weekdays = 'name: weekdays, start: "0 9 * * 1-4", duration: 7h';
const base = `publicUrl: http://127.0.0.1:1
demo: { accountsFile: a }
clusters: [{ name: c, server: "http://127.0.0.1:1" }]
`;

function problemOf(text: string): string {
  try {
    parseConfig({ file: "gatehouse.yaml", text: base + text });
    return "";
  } catch (error) {
    if (!isConfigError(error)) throw error;
    const [first] = error.problems;
    return `${first?.line}:${first?.column} ${first?.path}: ${first?.message}`;
  }
}

it.each([
  {
    text: 'auth: { oidc: { issuer: "https://i.example", clientId: g, clientSecret: env:S, groupsClaim: "/resource_access/gatehouse/roles" } }\n',
    problem: "",
  },
  {
    text: 'auth: { oidc: { issuer: "https://i.example", clientId: g, clientSecret: env:S, groupsClaim: "https://example.com/groups" } }\n',
    problem: "",
  },
  {
    text: 'auth: { oidc: { issuer: "https://i.example", clientId: g, clientSecret: env:S, groupsClaim: "" } }\n',
    problem: "4:80 auth.oidc.groupsClaim: name the claim, such as groups",
  },
  {
    text: 'auth: { oidc: { issuer: "https://i.example", clientId: g, clientSecret: env:S, groupsClaim: "/a~2b" } }\n',
    problem: '4:80 auth.oidc.groupsClaim: in a JSON pointer, write "~0" for "~"',
  },
  {
    text: 'auth: { oidc: { issuer: "https://i.example", clientId: g, clientSecret: env:S, groupsClaim: /a/b/c/d/e/f/g/h/i } }\n',
    problem: "4:80 auth.oidc.groupsClaim: a JSON pointer has at most 8 names",
  },
  { text: "links: [{ name: Logs, url: 'https://l.example/{namespace}', on: [rollout] }]\n", problem: "" },
  {
    text: "links:\n  - name: Logs\n    url: https://l.example/{pod}\n    on: [rollout]\n",
    problem: "6:5 links.0.url: unknown placeholder {pod}",
  },
  {
    text: "links:\n  - name: Logs\n    url: 'javascript:alert(1)'\n    on: [rollout]\n",
    problem: "6:5 links.0.url: the address begins with https:// or http://",
  },
  {
    text: "links:\n  - name: Grafana\n    url: https://g.example/{query}\n    on: [metric, run]\n",
    problem: "7:18 links.0.on.1: {query} has no value on a run",
  },
  { text: "auditStreams: [{ name: siem, type: syslog, host: logs.example.com }]\n", problem: "" },
  {
    text: "auditStreams:\n  - name: siem\n    type: syslog\n    host: https://logs.example.com\n",
    problem: "7:5 auditStreams.0.host: say a host name or an address, without scheme and port",
  },
  {
    text: "auditStreams:\n  - { name: siem, type: syslog, host: h, certFile: c.crt }\n",
    problem: "5:42 auditStreams.0.certFile: certFile and key belong together",
  },
  {
    text: "auditStreams:\n  - { name: siem, type: splunk, url: 'https://s.example', token: plain }\n",
    problem: "5:59 auditStreams.0.token: say where it is, as file:PATH or env:NAME",
  },
  {
    text: "auditStreams:\n  - { name: siem, type: otlp, url: 'https://o.example' }\n  - { name: siem, type: otlp, url: 'https://p.example' }\n",
    problem: '6:7 auditStreams.1.name: "siem" is named twice: give each stream a name of its own',
  },
  { text: "links: [{ name: Logs, url: 'https://l.example/' }]\n", problem: "4:" },
  { text: "links: [{ name: K, url: 'https://k.example/{creator}', on: [run], kinds: [Stage] }]\n", problem: "" },
  {
    text: "links:\n  - name: Logs\n    url: https://l.example/\n    on: [run, rollout]\n    kinds: [Rollouts]\n",
    problem: "7:15 links.0.on.1: kinds names neither Rollout nor Canary",
  },
  {
    text: `policies: { freezes: [{ ${weekdays}, outside: true }, { name: x, start: "0 9 * * 5", duration: 3h }] }\n`,
    problem: "",
  },
  {
    text: `policies: { freezes: [{ ${weekdays}, outside: true, timeZone: Nowhere/City }] }\n`,
    problem: "4:92 policies.freezes.0.timeZone: ",
  },
  {
    text: 'policies: { freezes: [{ name: never, start: "0 0 30 2 *", duration: 7h, outside: true }] }\n',
    problem: '4:38 policies.freezes.0.start: "0 0 30 2 *" never occurs',
  },
  {
    text: 'policies: { freezes: [{ name: x, start: "0 9 * * 5", duration: 0h, outside: true }] }\n',
    problem: '4:54 policies.freezes.0.duration: "0h" is no duration',
  },
  {
    text: `policies: { freezes: [{ ${weekdays} }, { ${weekdays}, outside: true }] }\n`,
    problem: '4:81 policies.freezes.1.name: "weekdays" is named twice',
  },
  // Two freezes of one name have always been accepted.
  { text: `policies: { freezes: [{ ${weekdays} }, { ${weekdays} }] }\n`, problem: "" },
  { text: "policies: { secondPerson: [{ name: x, approvers: 10, groups: [sre] }] }\n", problem: "" },
  ...["0", "11", "1.5", "two"].map((count) => ({
    text: `policies: { secondPerson: [{ name: x, approvers: ${count} }] }\n`,
    problem: "4:39 policies.secondPerson.0.approvers: a whole number from 1 to 10: how many people besides",
  })),
  {
    text: "policies: { secondPerson: [{ name: x, groups: [] }] }\n",
    problem: "4:39 policies.secondPerson.0.groups: name at least one group, or leave it out",
  },
  {
    text: "policies: { secondPerson: [{ name: x, groups: [sre, ''] }] }\n",
    problem: "4:53 policies.secondPerson.0.groups.1: a name cannot be empty",
  },
  { text: "recording: { labels: [team, app.kubernetes.io/part-of] }\n", problem: "" },
  { text: "recording: { labels: [team, 'a b'] }\n", problem: "4:29 recording.labels.1: is not the name of a label" },
  { text: "recording: { labels: [wave], waveLabel: wave }\n", problem: "" },
  {
    text: "recording: { labels: [team], waveLabel: wave }\n",
    problem: '4:30 recording.waveLabel: "wave" is not recorded: add it to recording.labels',
  },
  { text: "teams: [{ name: Shop, groups: [shop], namespaces: [shop] }]\n", problem: "" },
  {
    text: "recording: { labels: [team] }\nteams: [{ name: Shop, labels: { team: shop }, onCall: 'https://o.example/' }]\n",
    problem: "",
  },
  {
    text: "teams: [{ name: Shop, labels: { team: shop } }]\n",
    problem: '4:33 teams.0.labels.team: "team" is not recorded: add it to recording.labels',
  },
  { text: "teams: [{ name: Shop }, { name: Shop }]\n", problem: '4:27 teams.1.name: "Shop" is named twice' },
  {
    text: "teams: [{ name: Shop, onCall: 'http://o.example' }]\n",
    problem: "4:23 teams.0.onCall: must be an https address",
  },
  { text: "teams: [{ name: ' ' }]\n", problem: "4:11 teams.0.name: a team has a name" },
  // Channels may be made in the interface.
  { text: "teams: [{ name: Shop, channel: releases }]\n", problem: "" },
  { text: "sets: [{ name: checkout, rollouts: [Canary/checkout, checkout-*], together: true }]\n", problem: "" },
  { text: "sets: [{ name: a, together: true, onAbort: propose }]\n", problem: "" },
  { text: "sets: [{ name: a, onAbort: abort }]\n", problem: "4:19 sets.0.onAbort: only with together: true" },
  {
    text: "sets: [{ name: a, together: true, onAbort: no }]\n",
    problem: "4:35 sets.0.onAbort: write propose or abort",
  },
  { text: "sets: [{ name: ' ' }]\n", problem: "4:10 sets.0.name: a set has a name" },
  { text: "sets: [{ name: a, clusters: [] }]\n", problem: "4:19 sets.0.clusters: name at least one pattern" },
  { text: "sets: [{ name: a }, { name: a }]\n", problem: '4:23 sets.1.name: "a" is named twice' },
  { text: "units: { latency-*: ms }\n", problem: "" },
  { text: "units: { x: '  ' }\n", problem: "4:10 units.x: name the unit" },
  { text: "units: { x: 7 }\n", problem: "4:10 units.x" },
  { text: "units: { '': ms }\n", problem: "4:" },
])("places the problem $problem", ({ text, problem }) => {
  const found = problemOf(text);
  expect(problem === "" ? found : found.slice(0, problem.length)).toBe(problem);
});

it("has defaults", () => {
  const config = parseConfig({ file: "gatehouse.yaml", text: base });
  const { links, units, teams, recording } = config;
  expect({ links, units, teams, recording }).toEqual({ links: [], units: {}, teams: [], recording: { labels: [] } });
});

it("takes events only at a cluster in which people act", () => {
  const text = (access: string) =>
    `publicUrl: http://127.0.0.1:1\ndemo: { accountsFile: a }\nclusters:\n  - { name: c, server: "http://127.0.0.1:1", access: ${access}, events: true }\n`;
  expect(parseConfig({ file: "f", text: text("act") }).clusters[0]?.events).toBe(true);
  expect(() => parseConfig({ file: "f", text: text("read") })).toThrow(
    "clusters.0.events: no one acts in a cluster that is only read: set access: act, or leave this out",
  );
});
