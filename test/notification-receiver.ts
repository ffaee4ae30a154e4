import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { headers: IncomingHttpHeaders; body: string };
/** A request with its line. */
export type ReceivedRequest = Received & { method: string; url: string };

export type NotificationReceiver = {
  url: string;
  received: Received[];
  /** How it answers from now on; by default 204. It may also never answer. */
  answer(how: (response: ServerResponse, received: ReceivedRequest) => void): void;
  close(): Promise<void>;
};

/** Starts an HTTP server on loopback that keeps the requests it receives. */
export async function startNotificationReceiver(): Promise<NotificationReceiver> {
  const received: Received[] = [];
  const ok = (response: ServerResponse): void => {
    response.writeHead(204).end();
  };
  let how: (response: ServerResponse, received: ReceivedRequest) => void = ok;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      received.push(one);
      how(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer(next) {
      how = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
