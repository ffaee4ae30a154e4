import type { z } from "zod";
import type { Role } from "#lib/contract/common.ts";

export type Endpoint = {
  method: "GET" | "POST" | "DELETE";
  /** Path below the origin, parameters in braces. */
  path: string;
  summary: string;
  /** The lowest role that may call it; finer rules are up to the service. */
  role: Role;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The largest body in KiB, if it is not 64. */
  maxBodyKib?: number;
  /** The schema of a successful response; absent for streams. */
  response?: z.ZodType;
  /** Status of a successful response. */
  status: number;
  /** The content types of a successful response that is not described by a schema; a parameter chooses among them. */
  contentTypes?: readonly [string, ...string[]];
};

type Rest = Partial<Omit<Endpoint, "method" | "path" | "summary">>;

const usual: { role: Role } = { role: "viewer" };

function entriesOf<const Method extends Endpoint["method"]>(method: Method) {
  return <const Path extends string, const Given extends Rest>(path: Path, summary: string, given: Given) => {
    return { method, path, summary, ...usual, ...given };
  };
}

/** Make entries of the endpoint table. A viewer may call them, unless `role` names another role. */
export const get = entriesOf("GET");
export const post = entriesOf("POST");
export const remove = entriesOf("DELETE");
