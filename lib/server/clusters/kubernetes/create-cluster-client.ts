import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { Agent, type Dispatcher, ProxyAgent, request as sendRequest } from "undici";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { activeSpan, inSpan, type Span } from "#lib/server/platform/telemetry/tracing.ts";
import { followSignal } from "#lib/util/follow-signal.ts";
import { parseJson } from "#lib/util/json.ts";
import type { ClusterClient, ClusterRequest, ClusterResponse } from "./cluster-client-types.ts";
import { asUnreachable, ClusterUnreachableError } from "./cluster-errors.ts";
import { loadKubeConfig } from "./load-kube-config.ts";
import { maxObjectBytes, readAnswer, readLines } from "./read-answer.ts";
import { headersOfSender } from "./sender-headers.ts";

const defaultTimeoutMs = 30_000;
/** Sources of a cluster send several requests a second, and reading a file takes as long as a request. */
const credentialsMs = 10_000;
/** A reason of its own: an abort without one makes a `DOMException` with a stack. */
const closed = new Error("the caller closed the response");

/**
 * Creates a client. It opens nothing yet: the first request connects. Throws at once for an unusable kubeconfig. A
 * request throws `ForbiddenIdentityError` for an identity that is empty or `system:`, for a change without an identity,
 * and for any change in a read-only cluster. Such a request is never sent as ourselves.
 */
export function createClusterClient(config: ClusterConfig): ClusterClient {
  const kubeConfig = loadKubeConfig(config);
  const server = (kubeConfig.getCurrentCluster()?.server ?? "").replace(/(?<!\/)\/+$/, "");
  const transport = createTransport({ name: config.name, kubeConfig });

  async function send(
    options: ClusterRequest & { stream: boolean | "silent" },
  ): Promise<{ response: Dispatcher.ResponseData; sentWith: string }> {
    // Runs first, so that no fault of ours sends a person's request without the person.
    const sender = headersOfSender({ config, request: options });
    const { headers, dispatcher, credentials } = await transport.prepare();
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    const traceparent = activeSpan()?.traceparent;
    const response = await sendRequest(urlOf({ server, path: options.path, query: options.query }), {
      dispatcher,
      method: options.method,
      headers: {
        accept: options.stream === "silent" ? "*/*" : "application/json",
        ...(options.stream === false ? { "accept-encoding": "gzip" } : {}),
        ...(options.body === undefined ? {} : { "content-type": options.contentType ?? "application/json" }),
        ...(options.auditId === undefined ? {} : { "audit-id": options.auditId }),
        ...(traceparent === undefined ? {} : { traceparent }),
        ...("impersonate-user" in sender ? withoutImpersonation(headers) : headers),
        ...sender,
      },
      body: options.body === undefined ? null : JSON.stringify(options.body),
      headersTimeout: options.stream === "silent" ? 0 : timeoutMs,
      bodyTimeout: options.stream === false ? timeoutMs : 0,
      signal: options.signal ?? null,
    });
    if (response.statusCode === 401) transport.refused(credentials);
    return { response, sentWith: credentials };
  }

  function request(options: ClusterRequest): Promise<ClusterResponse> {
    const { method, path } = options;
    const attributes = { "http.request.method": method, "url.path": path, "k8s.cluster.name": config.name };
    return inSpan(method, { kind: "client", attributes }, (span) => requestIn(span, options));
  }

  async function requestIn(span: Span | undefined, options: ClusterRequest): Promise<ClusterResponse> {
    const stop = new AbortController();
    const letGo = followSignal(options.signal, stop);
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    const limit = setTimeout(() => stop.abort(timeoutError()), timeoutMs);
    try {
      const { response, sentWith } = await send({ ...options, signal: stop.signal, stream: false });
      span?.set({ "http.response.status_code": response.statusCode });
      if (response.statusCode >= 400) span?.fail(String(response.statusCode));
      const text = await readText(response, options.maxBytes);
      return { status: response.statusCode, text, json: parseJson(text), date: dateOf(response), sentWith };
    } catch (error) {
      throw errorOf({ cluster: config.name, error });
    } finally {
      clearTimeout(limit);
      letGo();
    }
  }

  const readText = (response: Dispatcher.ResponseData, maxBytes = maxObjectBytes): Promise<string> =>
    readAnswer(response, { cluster: config.name, maxBytes });

  const watch: ClusterClient["watch"] = async (options) => {
    const stop = new AbortController();
    const letGo = followSignal(options.signal, stop);
    try {
      const query = { ...options.query, watch: true };
      const { response, sentWith } = await send({
        ...options,
        method: "GET",
        query,
        signal: stop.signal,
        stream: true,
      });
      const { statusCode: status } = response;
      const date = dateOf(response);
      if (status === 200) {
        const close = (): void => {
          letGo();
          stop.abort(closed);
        };
        return { status, date, sentWith, lines: linesOf({ cluster: config.name, response }), close };
      }
      const text = await readText(response);
      letGo();
      return { status, date, sentWith, text };
    } catch (error) {
      letGo();
      throw errorOf({ cluster: config.name, error });
    }
  };

  const stream: ClusterClient["stream"] = async (options) => {
    const stop = new AbortController();
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]);
    try {
      const { response } = await send({ ...options, method: "GET", signal, stream: "silent" });
      if (response.statusCode !== 200) {
        const text = await readText(response);
        return { status: response.statusCode, text, json: parseJson(text), date: dateOf(response) };
      }
      return { status: 200, chunks: chunksOf({ cluster: config.name, response }), close: () => stop.abort(closed) };
    } catch (error) {
      throw errorOf({ cluster: config.name, error });
    }
  };

  return {
    name: config.name,
    server,
    request,
    watch,
    stream,
    credentials: transport.credentials,
    close: () => transport.close(),
  };
}

async function* linesOf(options: { cluster: string; response: Dispatcher.ResponseData }): AsyncGenerator<string> {
  try {
    yield* readLines(options.response.body);
  } catch (error) {
    throw errorOf({ cluster: options.cluster, error });
  }
}

async function* chunksOf(options: { cluster: string; response: Dispatcher.ResponseData }): AsyncGenerator<Uint8Array> {
  try {
    yield* options.response.body;
  } catch (error) {
    throw errorOf({ cluster: options.cluster, error });
  }
}

/** Removes impersonation headers: those of a kubeconfig must not mix with the person's name and groups. */
function withoutImpersonation(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("impersonate-")));
}

function urlOf({ server, path, query }: { server: string } & Pick<ClusterRequest, "path" | "query">): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return `${server}${path}${text === "" ? "" : `?${text}`}`;
}

function dateOf(response: Dispatcher.ResponseData): Date | undefined {
  const text = response.headers.date;
  const date = new Date(typeof text === "string" ? text : "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The same as that of `AbortSignal.timeout`. */
function timeoutError(): DOMException {
  return new DOMException("The operation was aborted due to timeout", "TimeoutError");
}

function errorOf({ cluster, error }: { cluster: string; error: unknown }): Error {
  if (error instanceof Error && error.name === "ForbiddenIdentityError") return error;
  return asUnreachable({ cluster, error });
}

type Transport = {
  /**
   * Returns credentials that were read within the last seconds, or after the cluster last refused some (exec plug-ins
   * and token files are read again), and the connections to send over.
   */
  prepare(): Promise<{ headers: Record<string, string>; dispatcher: Dispatcher; credentials: string }>;
  /** Returns a digest of the current credentials, as `prepare` returns it. */
  credentials(): Promise<string>;
  /** The cluster refused these credentials: they are read again for the next request. */
  refused(credentials: string): void;
  close(): Promise<void>;
};

type TlsOptions = Pick<
  RequestOptions,
  "ca" | "cert" | "key" | "pfx" | "passphrase" | "rejectUnauthorized" | "servername"
>;

/** Creates the connections of one cluster. They are recreated when certificates change. */
function createTransport({ name, kubeConfig }: { name: string; kubeConfig: KubeConfig }): Transport {
  const tokenFile: unknown = kubeConfig.getCurrentUser()?.authProvider?.config?.tokenFile;
  const proxyUrl = kubeConfig.getCurrentCluster()?.proxyUrl;
  let current: { key: string; dispatcher: Dispatcher } | undefined;
  let known: { at: number; prepared: Awaited<ReturnType<Transport["prepare"]>> } | undefined;

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

  async function readPrepared(): ReturnType<Transport["prepare"]> {
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

  async function prepare(): ReturnType<Transport["prepare"]> {
    if (known !== undefined && performance.now() - known.at < credentialsMs) return known.prepared;
    const at = performance.now();
    const prepared = await readPrepared();
    known = { at, prepared };
    return prepared;
  }

  async function credentials(): Promise<string> {
    known = undefined;
    return (await prepare()).credentials;
  }

  function refused(credentials: string): void {
    if (known?.prepared.credentials === credentials) known = undefined;
  }

  return { prepare, credentials, refused, close: async () => current?.dispatcher.destroy() };
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
