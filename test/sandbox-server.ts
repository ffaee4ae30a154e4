import { randomBytes, randomUUID } from "node:crypto";
import { type ApiServer, createApiServer } from "#sandbox/apiserver/api-server.ts";
import type { Authorize, UserInfo } from "#sandbox/apiserver/auth.ts";
import type { FaultRequest } from "#sandbox/apiserver/faults.ts";
import { type ApiStore, createStore } from "#sandbox/apiserver/store.ts";

export type SandboxServer = {
  url: string;
  /** The cluster-admin bearer token. */
  token: string;
  store: ApiStore;
  server: ApiServer;
  /** Switches on a fault; "none" without a scope switches all off. */
  fault(request: FaultRequest): void;
  close(): Promise<void>;
};

/** Starts the sandbox's API server in this process, in memory, on an ephemeral port, without controllers. */
export async function startSandboxServer(
  options: {
    faults?: boolean;
    bookmarksMs?: number;
    authorize?: Authorize;
    /** Users by bearer token; `authorize` decides their rights. */
    users?: ReadonlyMap<string, UserInfo>;
    eventLimit?: number;
    port?: number;
  } = {},
): Promise<SandboxServer> {
  const { faults = true, eventLimit, bookmarksMs, authorize, users } = options;
  const token = randomBytes(16).toString("hex");
  const now = (): Date => new Date();
  const store = createStore({ now, uid: randomUUID, ...(eventLimit === undefined ? {} : { eventLimit }) });
  const server = createApiServer({
    store,
    token,
    now,
    hasFaults: faults,
    ...(bookmarksMs === undefined ? {} : { bookmarksMs }),
    ...(authorize === undefined ? {} : { authorize }),
    ...(users === undefined ? {} : { users }),
  });
  const port = await server.listen(options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    store,
    server,
    fault: (request) => server.faults.set(request),
    close: async () => {
      await server.close();
      await store.close();
    },
  };
}
