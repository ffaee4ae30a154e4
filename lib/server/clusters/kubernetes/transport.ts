import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import { ClusterUnreachableError } from "./cluster-errors.ts";

export type Transport = {
  /** Returns current credentials (exec plug-ins and token files are read again) and the connections to send over. */
  prepare(): Promise<{ headers: Record<string, string>; dispatcher: Dispatcher; credentials: string }>;
  /** Returns a digest of the current credentials, as `prepare` returns it. */
  credentials(): Promise<string>;
  close(): Promise<void>;
};

type TlsOptions = Pick<
  RequestOptions,
  "ca" | "cert" | "key" | "pfx" | "passphrase" | "rejectUnauthorized" | "servername"
>;

/** Creates the connections of one cluster. They are recreated when certificates change. */
export function createTransport({ name, kubeConfig }: { name: string; kubeConfig: KubeConfig }): Transport {
  const tokenFile: unknown = kubeConfig.getCurrentUser()?.authProvider?.config?.tokenFile;
  const proxyUrl = kubeConfig.getCurrentCluster()?.proxyUrl;
  let current: { key: string; dispatcher: Dispatcher } | undefined;

  async function readOptions(): Promise<RequestOptions> {
    const options: RequestOptions = { headers: {} };
    try {
      await kubeConfig.applyToHTTPSOptions(options);
      // client-node caches a token for a minute: one that was replaced because it was refused would still be sent.
      if (typeof tokenFile === "string")
        options.headers = { ...options.headers, Authorization: `Bearer ${(await readFile(tokenFile, "utf8")).trim()}` };
      return options;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw new ClusterUnreachableError({
        cluster: name,
        sent: false,
        message: `no credentials: ${text}`,
        cause: error,
      });
    }
  }

  async function prepare(): ReturnType<Transport["prepare"]> {
    const options = await readOptions();
    const tls: TlsOptions = pickTls(options);
    const key = digestOf(tls);
    if (current?.key !== key) {
      // Requests in flight on the old connections may finish.
      void current?.dispatcher.close();
      current = { key, dispatcher: createDispatcher({ tls, proxyUrl }) };
    }
    const headers = headersOf(options);
    return { headers, dispatcher: current.dispatcher, credentials: digestOf([key, headers]) };
  }

  async function credentials(): Promise<string> {
    const options = await readOptions();
    return digestOf([digestOf(pickTls(options)), headersOf(options)]);
  }

  return { prepare, credentials, close: async () => current?.dispatcher.destroy() };
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function createDispatcher({ tls, proxyUrl }: { tls: TlsOptions; proxyUrl: string | undefined }): Dispatcher {
  const connect = { ...tls, timeout: 10_000, keepAlive: true, keepAliveInitialDelay: 30_000 };
  if (proxyUrl !== undefined) return new ProxyAgent({ uri: proxyUrl, requestTls: connect });
  return new Agent({ connect, allowH2: false, keepAliveTimeout: 30_000 });
}

function pickTls(options: RequestOptions): TlsOptions {
  const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = options;
  const all = { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}

function headersOf(options: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // Token files often end in a line break.
    if (value !== undefined) headers[name.toLowerCase()] = String(value).trim();
  }
  if (typeof options.auth === "string" && headers.authorization === undefined)
    headers.authorization = `Basic ${Buffer.from(options.auth).toString("base64")}`;
  return headers;
}
