import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";

export type Json = Record<string, unknown>;
export type KubeObject = Json & {
  metadata: { name: string; namespace?: string; uid: string; resourceVersion: string; generation?: number } & Json;
  spec?: Json;
  status?: Json;
};
export type Answer = { status: number; body: Json };

/** The cluster of KUBECONFIG, accessed without Gatehouse's own code, for comparison. */
export type RealCluster = {
  server: string;
  /** The certificate that signs the server's, in PEM; undefined if the kubeconfig names none. */
  ca: string | undefined;
  /** `headers`: such as those of impersonation, with a value for each time that one is sent. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string | string[]>): Promise<Answer>;
  /** Sends a merge patch; to the status with `subresource`. */
  patch(path: string, body: unknown, subresource?: "status"): Promise<void>;
  create(path: string, object: unknown): Promise<KubeObject>;
  get(path: string): Promise<KubeObject>;
  /** Calls `onLine` for each line; resolves when the stream ends. */
  watch(
    path: string,
    onLine: (event: { type: string; object: KubeObject }) => void,
    signal: AbortSignal,
  ): Promise<void>;
  close(): void;
};

function readCa(config: KubeConfig): string | undefined {
  const { caData, caFile } = config.getCurrentCluster() ?? {};
  if (caData) return Buffer.from(caData, "base64").toString();
  return caFile ? readFileSync(caFile, "utf8") : undefined;
}

export function connectCluster(kubeconfig: string): RealCluster {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const server = (config.getCurrentCluster()?.server ?? "").replace(/\/+$/, "");
  let agent: Agent | undefined;

  async function open(
    method: string,
    path: string,
    body?: { text: string; type: string },
    more: Record<string, string | string[]> = {},
  ): Promise<IncomingMessage> {
    const options: RequestOptions & Json = { method };
    await config.applyToHTTPSOptions(options as never);
    const { ca, cert, key, rejectUnauthorized } = options as Record<string, never>;
    agent ??= new Agent({ keepAlive: true, ca, cert, key, rejectUnauthorized });
    const headers = { ...(options.headers as Record<string, string>), accept: "application/json", ...more };
    const isSecure = server.startsWith("https:");
    const send = isSecure ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = send(
        `${server}${path}`,
        {
          method,
          auth: options.auth as string | undefined,
          headers: body === undefined ? headers : { ...headers, "content-type": body.type },
          ...(isSecure ? { agent } : {}),
        },
        resolve,
      );
      request.on("error", reject);
      request.end(body?.text);
    });
  }

  const request: RealCluster["request"] = async (method, path, body, headers) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const sent = body === undefined ? undefined : { text: JSON.stringify(body), type };
    const message = await open(method, path, sent, headers);
    let text = "";
    for await (const chunk of message.setEncoding("utf8")) text += chunk;
    return { status: message.statusCode ?? 0, body: parse(text) };
  };

  async function expectOk(method: string, path: string, body?: unknown): Promise<KubeObject> {
    const answer = await request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as KubeObject;
  }

  return {
    server,
    ca: readCa(config),
    request,
    create: (path, object) => expectOk("POST", path, object),
    get: (path) => expectOk("GET", path),
    async patch(path, body, subresource) {
      await expectOk("PATCH", subresource === undefined ? path : `${path}/${subresource}`, body);
    },
    async watch(path, onLine, signal) {
      const message = await open("GET", path);
      const stop = () => message.destroy();
      signal.addEventListener("abort", stop, { once: true });
      try {
        if (message.statusCode !== 200) throw new Error(`watch answered ${message.statusCode}`);
        let rest = "";
        for await (const chunk of message.setEncoding("utf8")) {
          const lines = (rest + chunk).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) onLine(JSON.parse(line));
        }
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    close: () => agent?.destroy(),
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text };
  }
}
