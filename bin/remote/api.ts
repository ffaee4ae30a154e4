import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { follow, type StreamEvent } from "#packages/client/src/follow.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { type CallOptions, createSender, type Query } from "#packages/client/src/send.ts";
import { CommandError } from "../command-line.ts";
import { programName } from "../program-name.ts";
import { type Connection, readConnection } from "./connection.ts";

/** The API of a Gatehouse, called as the owner of the token. Every failure is a `GatehouseError` with a message to show. */
export type RemoteApi = {
  get<Answer>(path: string, query?: Query): Promise<Answer>;
  post<Answer>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  remove<Answer>(path: string): Promise<Answer>;
  /** Yields changes until the signal aborts; reconnects after a failure. */
  follow(signal: AbortSignal): AsyncGenerator<StreamEvent>;
};

export function connectApi(connection: Connection = readConnection()): RemoteApi {
  const { request, open } = createSender(connection);
  const stream = (call: CallOptions = {}) => open({ path: "/api/v1/stream", accept: "text/event-stream", ...call });
  return {
    get: (path, query) => request({ path, query }),
    post: (path, body, headers) => request({ method: "POST", path, body, headers }),
    remove: (path) => request({ method: "DELETE", path }),
    follow: (signal) => follow({ stream }, { signal }),
  };
}

/** Sends the request again if its answer is lost: with the same key, it is carried out once. */
export async function postOnce<Answer>(api: RemoteApi, path: string, body: unknown): Promise<Answer> {
  const headers = { "idempotency-key": randomUUID() };
  for (let tries = 1; ; tries += 1) {
    try {
      return await api.post<Answer>(path, body, headers);
    } catch (error) {
      if (tries === 3 || !isGatehouseError(error) || error.status !== 0) throw error;
      await sleep(1000);
    }
  }
}

/** Runs a command against Gatehouse: an API error becomes a `CommandError` of one line, with the reason. */
export async function withApi<Result>(use: (api: RemoteApi) => Promise<Result>): Promise<Result> {
  const api = connectApi();
  try {
    return await use(api);
  } catch (error) {
    if (!isGatehouseError(error)) throw error;
    const again = error.code === "unauthenticated" ? ` Run ${programName} login, or give another GATEHOUSE_TOKEN.` : "";
    const params = error.problem?.invalidParams?.map(({ name, reason }) => `${name}: ${reason}`) ?? [];
    throw new CommandError([error.message, ...params].join(" ") + again);
  }
}
