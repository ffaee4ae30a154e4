import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseListen, type RealTarget } from "./real-target.ts";

const run = promisify(execFile);

/** TLS in front of the hooks: an API server sends its credentials only to an https address. */
export type TlsFront = { url: string; close(): Promise<void> };

/** Listens with a certificate of the given CA, and passes requests on to the hooks of the tests. */
export async function startTlsFront({ audit, gatesListen }: RealTarget): Promise<TlsFront> {
  const { host, port } = parseListen(audit.listen);
  const back = parseListen(gatesListen);
  const { key, cert } = await signCertificate(audit, host);
  const server = createServer({ key, cert }, (incoming, answer) => {
    const { method, url, headers } = incoming;
    const options = { host: back.host, port: back.port, method, path: url, headers };
    const outgoing = request(options, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    url: audit.reachedAt,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function signCertificate({ caFile, caKeyFile }: RealTarget["audit"], host: string) {
  if (caFile === undefined || caKeyFile === undefined) throw new Error("no CA signs the certificate");
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-tls-"));
  const at = (name: string) => join(folder, name);
  try {
    const asked = [
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      at("tls.key"),
      "-out",
      at("tls.csr"),
      "-subj",
      "/CN=gatehouse",
    ];
    await run("openssl", ["req", ...asked]);
    writeFileSync(at("names"), `subjectAltName=${/^[\d.]+$/.test(host) ? "IP" : "DNS"}:${host}\n`);
    const signed = ["-CA", caFile, "-CAkey", caKeyFile, "-CAserial", at("serial"), "-CAcreateserial", "-days", "1"];
    await run("openssl", [
      "x509",
      "-req",
      "-in",
      at("tls.csr"),
      "-out",
      at("tls.crt"),
      "-extfile",
      at("names"),
      ...signed,
    ]);
    return { key: readFileSync(at("tls.key")), cert: readFileSync(at("tls.crt")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
