import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { makeCertificate } from "#test/make-certificate.ts";

let folder: string;
let server: Server;
let url: string;
let tokens: (string | undefined)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-tls-"));
  writeFileSync(join(folder, "token"), "secret-token");
  const { key, cert } = makeCertificate(folder, "api-server");
  makeCertificate(folder, "another");
  server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    tokens.push(request.headers.authorization);
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  tokens = [];
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function ask(caFile: string | undefined): Promise<number> {
  const tokenFile = join(folder, "token");
  const fields = {
    name: "a",
    server: url,
    tokenFile,
    ...(caFile === undefined ? {} : { caFile: join(folder, caFile) }),
  };
  const client = createClusterClient(ClusterConfig.parse(fields));
  try {
    return (await client.request({ method: "GET", path: "/version" })).status;
  } finally {
    await client.close();
  }
}

it("an API server is believed with the certificate authority of the config", async () => {
  expect(await ask("api-server.crt")).toBe(200);
  expect(tokens).toEqual(["Bearer secret-token"]);
});

it.each([{ caFile: "another.crt" }, { caFile: undefined }])(
  "an API server that $caFile does not vouch for never sees the token",
  async ({ caFile }) => {
    await expect(ask(caFile)).rejects.toThrow(/certificate|self.signed/i);
    expect(tokens).toEqual([]);
  },
);
