import { z } from "zod";
import type { ClusterClient, ClusterResponse } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { ClusterUnreachableError, isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { requestPage } from "#lib/server/clusters/object-api.ts";
import { pathOf, type SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { storableText } from "#lib/server/recording/store/text-fields.ts";
import { hasBrand } from "#lib/util/has-brand.ts";
import { parseJson } from "#lib/util/json.ts";
import { type ObjectHead, readObjectHead, ServerWord } from "./classify-watch-line.ts";
import type { SourceEvent } from "./source-state.ts";

const Page = z.looseObject({
  items: z.array(z.unknown()),
  metadata: z.looseObject({ resourceVersion: ServerWord, continue: z.string().nullish() }),
});

export type ListPage = {
  heads: ObjectHead[];
  resourceVersion: string;
  date: Date | undefined;
  /** Average size of its objects in bytes. */
  meanSize: number;
};

/** A list that could not be completed, after `pages` pages. */
export class ListError extends Error {
  readonly brand = "list-error";
  readonly reason: Extract<SourceEvent, { type: "answered" | "bad-object" | "unreachable" }>;
  readonly pages: number;

  constructor(reason: ListError["reason"], pages: number) {
    super(reason.type === "answered" ? `${reason.status} ${reason.text}` : reason.message);
    this.name = "ListError";
    this.reason = reason;
    this.pages = pages;
  }
}

export function isListError(error: unknown): error is ListError {
  return hasBrand(error, "list-error");
}

/**
 * Reads a source's objects page by page, as one snapshot. Throws `ListError` if an answer is not a list or does not
 * come; the pages read until then are not the whole.
 */
export async function* listPages({
  client,
  source,
  signal,
  limit = 500,
  atVersion,
}: {
  client: ClusterClient;
  source: SourceKey;
  signal: AbortSignal;
  limit?: number;
  /** Lists the objects as of this version; if omitted, the newest. */
  atVersion?: string | undefined;
}): AsyncGenerator<ListPage, void, void> {
  let token: string | undefined;
  let size = limit;
  const exactly = atVersion === undefined ? {} : { resourceVersion: atVersion, resourceVersionMatch: "Exact" };
  for (let pages = 0; ; pages++) {
    const { answer, limit: taken } = await requestPage({
      client,
      limit: size,
      path: pathOf(source),
      query: { continue: token, labelSelector: source.labelSelector, ...(token === undefined ? exactly : {}) },
      signal,
    }).catch((error: unknown) => {
      if (!isClusterUnreachableError(error)) throw error;
      throw new ListError({ type: "unreachable", message: error.message }, pages);
    });
    size = taken;
    if (answer.status !== 200) {
      const { status, sentWith } = answer;
      throw new ListError(
        { type: "answered", what: `list ${source.resource}`, status, sentWith, text: describeAnswer(answer) },
        pages,
      );
    }
    const page = Page.safeParse(answer.json);
    if (!page.success) throw new ListError({ type: "bad-object", message: "the API server's list is no list" }, pages);
    const heads = page.data.items.map((item) => {
      const head = readObjectHead(item, { kind: source.kind, isKindNeeded: false });
      if (!head.ok) throw new ListError({ type: "bad-object", message: head.message }, pages);
      return head.head;
    });
    const meanSize = Math.ceil(answer.text.length / Math.max(1, heads.length));
    yield { heads, resourceVersion: page.data.metadata.resourceVersion, date: answer.date, meanSize };
    token = page.data.metadata.continue || undefined;
    if (token === undefined) return;
  }
}

/** Reads one object from etcd and not from a cache, which proves that the server can still answer. */
export async function readOne({
  client,
  source,
  signal,
}: {
  client: ClusterClient;
  source: SourceKey;
  signal: AbortSignal;
}): Promise<Pick<ClusterResponse, "status" | "text" | "date" | "sentWith"> & { resourceVersion: string | undefined }> {
  const answer = await client.request({
    method: "GET",
    path: pathOf(source),
    query: { limit: 1, labelSelector: source.labelSelector },
    signal,
    timeoutMs: 15_000,
  });
  const list = Page.safeParse(answer.json).data;
  if (answer.status === 200 && list === undefined)
    throw new ClusterUnreachableError({ cluster: client.name, sent: true, message: "the answer to a read is no list" });
  const resourceVersion = list?.metadata.resourceVersion;
  // A good answer needs no description, and it may be as large as an object can be.
  return { ...answer, text: answer.status === 200 ? "" : describeAnswer(answer), resourceVersion };
}

/** Far more than is shown, so that secrets are redacted as a whole. */
const maxDescribed = 10_000;

/** Shortens the server's message: some messages repeat whole objects. */
export function describeAnswer(answer: { json?: unknown; text: string }): string {
  const json = answer.json ?? parseJson(answer.text);
  const message = json !== null && typeof json === "object" && "message" in json ? json.message : undefined;
  const text = typeof message === "string" ? message : answer.text.trim();
  return storableText(text.slice(0, maxDescribed)).slice(0, 300);
}
