import { z } from "zod";
import type { AccessQuestion } from "#lib/domain/acting/plan.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { putNewest } from "#lib/util/rate-limiter.ts";

/** A cluster's answer to one question. `unknown`: it did not answer, or the answer is inconclusive. */
export type AccessAnswer = "allowed" | "denied" | "unknown";

/** One person's question at one cluster. */
export type AccessAsking = { client: ClusterClient; as: ClusterIdentity; question: AccessQuestion };

export type AccessReviewer = {
  /**
   * Queries the cluster, or the cache. Resolves within `waitMs`, with undefined if there is no answer by then: a later
   * answer goes to the cache.
   */
  review(asking: AccessAsking & { waitMs: number }): Promise<AccessAnswer | undefined>;
  /** Returns the cached answer; never queries the cluster. */
  peek(asking: AccessAsking): AccessAnswer | undefined;
};

type Entry = { answer: AccessAnswer | undefined; until: number; flight: Promise<AccessAnswer> };

const keepForMs = 60_000;
/** A cluster that does not answer is retried soon, but not on every page view. */
const keepUnknownForMs = 10_000;
const requestTimeoutMs = 5000;
const maxEntriesPerCluster = 10_000;

/**
 * Creates a reviewer that sends SelfSubjectAccessReviews as the person. Answers are cached for a minute by identity and
 * question, with one request at a time for each. A right is requested for all names first, which settles a namespace
 * with one answer. If that is denied, it is requested for the name, since rights may be limited to names. Entries
 * belong to their client, so a changed cluster starts with an empty cache.
 */
export function createAccessReviewer({ now }: { now: () => number }): AccessReviewer {
  const caches = new WeakMap<ClusterClient, Map<string, Entry>>();

  function cacheOf(client: ClusterClient): Map<string, Entry> {
    const cache = caches.get(client) ?? new Map<string, Entry>();
    caches.set(client, cache);
    return cache;
  }

  function find(asking: AccessAsking): Entry | undefined {
    const entry = cacheOf(asking.client).get(keyOf(asking));
    return entry !== undefined && now() < entry.until ? entry : undefined;
  }

  function ask(asking: AccessAsking): Promise<AccessAnswer> {
    const known = find(asking);
    if (known !== undefined) return known.flight;
    const flight = send(asking);
    const entry: Entry = { answer: undefined, until: now() + requestTimeoutMs + keepUnknownForMs, flight };
    void flight.then((answer) => {
      entry.answer = answer;
      entry.until = now() + (answer === "unknown" ? keepUnknownForMs : keepForMs);
    });
    putNewest(cacheOf(asking.client), { key: keyOf(asking), value: entry, maxEntries: maxEntriesPerCluster });
    return flight;
  }

  async function review(asking: AccessAsking): Promise<AccessAnswer> {
    const ofAll = await ask(forAllNames(asking));
    return ofAll === "denied" && asking.question.name !== undefined ? ask(asking) : ofAll;
  }

  return {
    review: ({ waitMs, ...asking }) => within(review(asking), waitMs),
    peek(asking) {
      const ofAll = find(forAllNames(asking))?.answer;
      return ofAll === "denied" ? find(asking)?.answer : ofAll;
    },
  };
}

// Next bundles routes separately: as a module variable the cache would exist several times.
const handle = Symbol.for("gatehouse.access-reviewer");
type Holder = { [handle]?: AccessReviewer };

/** Returns the reviewer of this process. */
export function accessReviewer(): AccessReviewer {
  const holder = globalThis as Holder;
  holder[handle] ??= createAccessReviewer({ now: () => performance.now() });
  return holder[handle];
}

const Review = z.looseObject({
  status: z.looseObject({ allowed: z.boolean(), evaluationError: z.string().optional() }),
});

/** Sends the review; never throws. The cluster's `reason` is not read: it names bindings that users must not see. */
async function send({ client, as, question }: AccessAsking): Promise<AccessAnswer> {
  try {
    const { status, json } = await client.request({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes: question },
      },
      as,
      timeoutMs: requestTimeoutMs,
    });
    return judgeReview(status, json);
  } catch {
    return "unknown";
  }
}

/** Judges the answer to an access review, about oneself or about another. */
export function judgeReview(status: number, json: unknown): AccessAnswer {
  const review = Review.safeParse(json);
  if (status !== 201 || !review.success) return "unknown";
  const { allowed, evaluationError = "" } = review.data.status;
  if (allowed) return "allowed";
  return evaluationError === "" ? "denied" : "unknown";
}

function forAllNames(asking: AccessAsking): AccessAsking {
  const { name: _, ...question } = asking.question;
  return { ...asking, question };
}

function keyOf({ as, question }: AccessAsking): string {
  const { verb, group, resource, subresource, namespace, name } = question;
  const identity = [as.mode, as.username, [...as.groups].sort()];
  return JSON.stringify([identity, namespace, verb, group, resource, subresource ?? null, name ?? null]);
}

async function within<Result>(promise: Promise<Result>, waitMs: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
