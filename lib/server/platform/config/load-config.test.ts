import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "#lib/server/platform/config/load-config.ts";

const now = new Date("2026-01-01T00:00:00Z");
let folder: string;

const config = `publicUrl: https://gatehouse.example.com
auth:
  oidc: { issuer: https://login.example.com, clientId: g, clientSecret: file:secret }
clusters:
  - { name: a, server: https://a.example.com, tokenFile: keys/token, caFile: /dev/null }
  - { name: b, kubeconfig: keys/../kubeconfig }
  - name: c
    server: https://c.example.com
    controllers: { endpoints: [{ component: argo-rollouts, url: "https://c.example.com/m", tokenFile: keys/token }] }
    kubernetesAudit: { file: audit.log }
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-config-"));
  await writeFile(join(folder, "gatehouse.yaml"), config);
  await mkdir(join(folder, "keys"));
  await writeFile(join(folder, "keys/token"), "t");
  await writeFile(join(folder, "kubeconfig"), "");
});

afterAll(() => rm(folder, { recursive: true }));

describe("loadConfig", () => {
  it("says which secret is missing, then takes it", async () => {
    const file = join(folder, "gatehouse.yaml");
    await expect(loadConfig({ file, now })).rejects.toThrow(
      "gatehouse.yaml:3:59: auth.oidc.clientSecret: client secret not found in file",
    );
    await writeFile(join(folder, "secret"), "s3cret\n");
    expect(await loadConfig({ file, now })).toMatchObject({ oidcClientSecret: "s3cret", loadedAt: now, file });
  });

  it("takes relative paths from the folder of the config file", async () => {
    await writeFile(join(folder, "secret"), "s3cret");
    const { clusters } = (await loadConfig({ file: join(folder, "gatehouse.yaml"), now })).config;
    expect(clusters[0]).toMatchObject({ tokenFile: join(folder, "keys/token"), caFile: "/dev/null" });
    expect(clusters[1]).toMatchObject({ kubeconfig: join(folder, "kubeconfig") });
    expect(clusters[2]).toMatchObject({
      controllers: { endpoints: [{ tokenFile: join(folder, "keys/token") }] },
      kubernetesAudit: { file: join(folder, "audit.log") },
    });
  });

  it("says which file of a controller's endpoint is missing", async () => {
    const file = join(folder, "endpoint.yaml");
    await writeFile(file, config.replace("tokenFile: keys/token }]", "caFile: none.crt }]"));
    await expect(loadConfig({ file, now })).rejects.toThrow(
      /clusters\.2\.controllers\.endpoints\.0\.caFile: .*none\.crt is missing/,
    );
  });

  it.each(["webhook", "cdevents"])(
    "refuses a signing secret of %s that decodes to a weak key, and takes one that is missing here",
    async (type) => {
      const file = join(folder, "webhook.yaml");
      const channel = `{ name: hook, type: ${type}, url: https://h.example.com, signingSecret: file:keys/hook }`;
      await rm(join(folder, "keys/hook"), { force: true });
      await writeFile(file, `${config}notifications:\n  channels:\n    - ${channel}\n`);
      await writeFile(join(folder, "secret"), "s3cret");
      await expect(loadConfig({ file, now })).resolves.toBeDefined();
      await writeFile(join(folder, "keys/hook"), "whsec_\n");
      await expect(loadConfig({ file, now })).rejects.toThrow(
        /webhook\.yaml:13:.*notifications\.channels\.0\.signingSecret: the secret in .*hook cannot be used: after whsec_ /,
      );
      await writeFile(join(folder, "keys/hook"), `whsec_${Buffer.alloc(24, 1).toString("base64")}\n`);
      await expect(loadConfig({ file, now })).resolves.toBeDefined();
    },
  );

  it("reads the places of a ticket's check as those of a webhook", async () => {
    const file = join(folder, "ticket.yaml");
    const check =
      "{ url: https://h.example.com, signingSecret: file:keys/ticket, token: file:keys/token, caFile: ca.crt }";
    const ticket = `ticket: { name: change, pattern: "CHG[0-9]+", check: ${check} }`;
    await writeFile(file, `${config}policies:\n  reasons:\n    - { required: true, ${ticket} }\n`);
    await writeFile(join(folder, "secret"), "s3cret");
    const { reasons } = (await loadConfig({ file, now })).config.policies;
    expect(reasons[0]?.ticket?.check).toEqual({
      url: "https://h.example.com",
      signingSecret: `file:${join(folder, "keys/ticket")}`,
      token: `file:${join(folder, "keys/token")}`,
      caFile: join(folder, "ca.crt"),
      timeoutMs: 2000,
    });
    await writeFile(join(folder, "keys/ticket"), "whsec_\n");
    await expect(loadConfig({ file, now })).rejects.toThrow(
      /policies\.reasons\.0\.ticket\.check\.signingSecret: the secret in .*ticket cannot be used: after whsec_ /,
    );
  });

  it("finds the files and secrets of audit streams from its own folder", async () => {
    const file = join(folder, "streams.yaml");
    const streams = [
      "{ name: siem, type: syslog, host: h, caFile: ca.crt, certFile: c.crt, key: file:keys/c }",
      "{ name: hook, type: webhook, url: file:keys/url, signingSecret: file:keys/stream }",
    ];
    await writeFile(file, `${config}auditStreams:\n${streams.map((stream) => `  - ${stream}\n`).join("")}`);
    await writeFile(join(folder, "secret"), "s3cret");
    const { auditStreams } = (await loadConfig({ file, now })).config;
    const [key, certFile] = [`file:${join(folder, "keys/c")}`, join(folder, "c.crt")];
    expect(auditStreams[0]).toMatchObject({ key, certFile, caFile: join(folder, "ca.crt"), port: 6514, firstSeq: 1 });
    expect(auditStreams[1]).toMatchObject({ url: `file:${join(folder, "keys/url")}` });
    await writeFile(join(folder, "keys/stream"), "whsec_\n");
    await expect(loadConfig({ file, now })).rejects.toThrow(
      /auditStreams\.1\.signingSecret: the secret in .*stream cannot be used: after whsec_ /,
    );
  });

  it("says that a file is not there", async () => {
    await expect(loadConfig({ file: join(folder, "none.yaml"), now })).rejects.toThrow(/none\.yaml:1:1: no such file/);
  });
});
