import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "#lib/domain/notify/compose-messages.ts";
import type { DeploymentStatus } from "#lib/domain/notify/notifiable-event.ts";
import { sampleEvent } from "#lib/domain/notify/testing/sample-event.ts";
import { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { type CodeHostDouble, startCodeHost } from "#test/code-host-double.ts";
import { sendMessage } from "./send-message.ts";

const now = new Date("2026-11-23T10:00:00.000Z");
const publicUrl = "https://gatehouse.example.org";
const commit = "0123456789abcdef0123456789abcdef01234567";
const environment = "prod/shop/web";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-deployments-"));
  writeFileSync(join(folder, "token"), "code-token\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

function messageOf(status: DeploymentStatus, { key = "release-1", title = "v2.3.0 began" } = {}): Message {
  const deployment = { repository: "shop/web", commit, environment, status };
  return {
    ...{ id: `m-${status}`, shape: "single", severity: "info", title, routes: [], incidentId: key },
    events: [sampleEvent("1", { kind: "deployment", title, path: "/releases/r1", deployment })],
  };
}

describe.each(["github", "gitlab"] as const)("%s", (provider) => {
  let host: CodeHostDouble;
  beforeEach(async () => {
    host = await startCodeHost(provider);
  });
  afterEach(async () => {
    expect(host.faults).toEqual([]);
    await host.close();
  });
  const who = provider === "github" ? "GitHub" : "GitLab";
  const send = (message: Message, more: object = {}) => {
    const config = {
      name: "code",
      type: "deployments",
      provider,
      token: `file:${join(folder, "token")}`,
      repositories: ["*"],
      ...more,
    };
    const channel = ChannelConfig.parse({ apiUrl: `${host.url}/`, ...config });
    return sendMessage(channel, { message, publicUrl, now, signal: new AbortController().signal });
  };
  /** The states of each deployment, one after the other on GitHub, the last on GitLab. */
  const states = () =>
    host.deployments.map(({ statuses, status }) =>
      provider === "github" ? statuses.map(({ state }) => state) : [status],
    );
  const shown = (...list: DeploymentStatus[]) => {
    const words = { in_progress: "running", success: "success", failure: "failed", inactive: "canceled" };
    return provider === "github" ? list : list.slice(-1).map((each) => words[each]);
  };

  it("has one deployment for a release, from its beginning to its end", async () => {
    expect(await send(messageOf("in_progress"))).toEqual({ ok: true });
    expect(await send(messageOf("success"))).toEqual({ ok: true });
    expect(states()).toEqual([shown("in_progress", "success")]);
    expect(host.deployments).toMatchObject([{ repository: "shop/web", ref: commit, environment }]);
    expect([...host.tokens]).toEqual(["Bearer code-token"]);
  });

  it("is not changed by a repeat", async () => {
    for (const status of ["in_progress", "in_progress", "failure", "failure"] as const)
      expect(await send(messageOf(status))).toEqual({ ok: true });
    expect(states()).toEqual([shown("in_progress", "failure")]);
  });

  it("finds the deployment that was made before the answer was lost", async () => {
    host.environments.set(environment, { id: 9 });
    host.loseAnswer("POST", 502);
    const refused = await send(messageOf("in_progress"));
    expect(refused).toEqual({ ok: false, error: expect.stringMatching(`^${who} answered 502 to POST `) });
    expect(await send(messageOf("in_progress"))).toEqual({ ok: true });
    expect(states()).toEqual([shown("in_progress")]);
  });

  it("makes another for another attempt of the same commit", async () => {
    for (const status of ["in_progress", "failure"] as const) await send(messageOf(status));
    for (const status of ["in_progress", "success"] as const) await send(messageOf(status, { key: "release-2" }));
    const first = provider === "github" ? ["in_progress", "failure", "inactive"] : shown("failure");
    expect(states()).toEqual([first, shown("in_progress", "success")]);
  });

  it("takes a release that was over before its beginning was told", async () => {
    expect(await send(messageOf("inactive"))).toEqual({ ok: true });
    expect(states()).toEqual([shown("inactive")]);
  });

  it("has the link to the release", async () => {
    await send(messageOf("in_progress", { title: `v2 began ${"x".repeat(300)}\r\n` }));
    const link = `${publicUrl}/releases/r1`;
    if (provider === "gitlab") expect(host.environments.get(environment)).toMatchObject({ external_url: link });
    else expect(host.deployments[0]?.statuses).toMatchObject([{ log_url: link }]);
  });

  it("is waited for as it asks", async () => {
    host.refuse({ status: 429, headers: { "retry-after": "7" } });
    expect(await send(messageOf("success"))).toMatchObject({ ok: false, retryAfterMs: 7000 });
    const prefix = provider === "github" ? "x-ratelimit" : "ratelimit";
    const reset = String(now.getTime() / 1000 + 90);
    const headers = { [`${prefix}-remaining`]: "0", [`${prefix}-reset`]: reset };
    host.refuse({ status: provider === "github" ? 403 : 429, headers });
    expect(await send(messageOf("success"))).toMatchObject({ ok: false, retryAfterMs: 90_000 });
  });

  it("is refused in our words", async () => {
    host.refuse({ status: 404 });
    const refused = { ok: false, error: `${who} answered 404 to GET deployments` };
    expect(await send(messageOf("success"))).toEqual(refused);
    expect(await send(messageOf("success"), { token: "env:GATEHOUSE_TEST_NONE" })).toEqual({
      ok: false,
      error: "the token was not found in environment variable GATEHOUSE_TEST_NONE",
    });
  });

  it("gets a test that creates nothing, and says what came back", async () => {
    const test: Message = { ...messageOf("success"), shape: "test", incidentId: null };
    expect(await send(test)).toEqual({ ok: true, note: "answered 200; nothing was created" });
    host.refuse({ status: 401 });
    expect(await send(test)).toEqual({ ok: false, error: `${who} answered 401` });
    expect(host.deployments).toEqual([]);
  });
});

it("GitLab's environment keeps its own address", async () => {
  const host = await startCodeHost("gitlab");
  host.environments.set(environment, { id: 9, external_url: "https://shop.example.org" });
  const config = { name: "code", type: "deployments", provider: "gitlab", token: `file:${join(folder, "token")}` };
  const channel = ChannelConfig.parse({ ...config, repositories: ["*"], apiUrl: host.url });
  const sending = { message: messageOf("success"), publicUrl, now, signal: new AbortController().signal };
  expect(await sendMessage(channel, sending)).toEqual({ ok: true });
  expect(host.environments.get(environment)).toEqual({ id: 9, external_url: "https://shop.example.org" });
  await host.close();
});
