import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";

/** One request as sent: every header by its lowercase name, repeated ones with each value. `status`: once answered. */
export type TappedRequest = { method: string; path: string; headers: Map<string, string[]>; status?: number };

type Hold = (request: TappedRequest) => Promise<void> | undefined;

export type WireTap = {
  url: string;
  requests: TappedRequest[];
  /** Holds those requests back until the given promise resolves. */
  setHold(hold: Hold | undefined): void;
  /** Holds back their responses: the request was carried out, but the sender does not learn it. */
  setAnswerHold(hold: Hold | undefined): void;
  close(): Promise<void>;
};

/** Proxies an HTTP server and keeps the requests sent to it, watches included. */
export async function startWireTap(target: string): Promise<WireTap> {
  const requests: TappedRequest[] = [];
  let hold: Hold | undefined;
  let answerHold: Hold | undefined;
  const server = createServer((incoming, answer) => {
    const tapped: TappedRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: headersOf(incoming),
    };
    requests.push(tapped);
    const held = hold?.(tapped);
    const onAnswer = (status: number) => {
      tapped.status = status;
      return answerHold?.(tapped);
    };
    const send = (): void => forward({ target, incoming, answer, onAnswer });
    if (held === undefined) send();
    else void held.then(send);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    setHold: (next) => {
      hold = next;
    },
    setAnswerHold: (next) => {
      answerHold = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward({
  target,
  incoming,
  answer,
  onAnswer,
}: {
  target: string;
  incoming: IncomingMessage;
  answer: ServerResponse;
  onAnswer: (status: number) => Promise<void> | undefined;
}): void {
  const { method, url, rawHeaders } = incoming;
  const onward = httpRequest(`${target}${url}`, { method, headers: rawHeaders });
  onward.on("response", (response) => {
    response.on("error", () => answer.destroy());
    const status = response.statusCode ?? 500;
    const pass = (): void => {
      answer.writeHead(status, response.rawHeaders);
      answer.flushHeaders();
      response.pipe(answer);
    };
    const held = onAnswer(status);
    if (held === undefined) pass();
    else void held.then(pass);
  });
  onward.on("error", () => answer.destroy());
  incoming.on("error", () => onward.destroy());
  answer.on("close", () => onward.destroy());
  incoming.pipe(onward);
}

function headersOf({ rawHeaders }: IncomingMessage): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    // Node reads header bytes as Latin-1; API servers read UTF-8.
    const value = Buffer.from(rawHeaders[at + 1] ?? "", "latin1").toString("utf8");
    headers.set(name, [...(headers.get(name) ?? []), value]);
  }
  return headers;
}
