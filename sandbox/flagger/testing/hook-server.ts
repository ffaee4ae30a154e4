import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export type HookRequest = {
  method: string;
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
};

export type HookReply = { status: number; body?: string; headers?: Record<string, string> };

export type HookServer = {
  url: string;
  requests: HookRequest[];
  /** Answers every request from now on; 200 until it is called. */
  answer(reply: (request: HookRequest) => HookReply): void;
  close(): Promise<void>;
};

/** Starts a server on this machine that notes what hooks send. */
export async function startHookServer(): Promise<HookServer> {
  const requests: HookRequest[] = [];
  let reply: (request: HookRequest) => HookReply = () => ({ status: 200 });
  const server = createServer(async (incoming, outgoing) => {
    const text = await readText(incoming);
    const request: HookRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      authorization: incoming.headers.authorization,
      body: text === "" ? {} : JSON.parse(text),
    };
    requests.push(request);
    const { status, body = "", headers = {} } = reply(request);
    outgoing.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(next) {
      reply = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
