import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditItem } from "#lib/contract/audit.ts";
import type { CreatedHookCredential } from "#lib/contract/hook.ts";
import { GET as listAudit } from "../../app/api/v1/audit/route.ts";
import { POST as postCredential } from "../../app/api/v1/hook-credentials/route.ts";
import { startTlsFront, type TlsFront } from "./audit-webhook.ts";
import type { RealWorld } from "./real-world.ts";
import { pausesOf, poll, type Status, startStory } from "./rollout-story.ts";
import { actWhen } from "./story-actions.ts";

const run = promisify(execFile);
const canary = { steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 75 }, { pause: {} }] };
const atGate = (status: Status) => pausesOf(status).includes("CanaryPauseStep");

export function describePerson(world: () => RealWorld, env: NodeJS.ProcessEnv = process.env): void {
  const hasWebhook = env.GATEHOUSE_REAL_SEND_AUDIT !== undefined;
  const hasFile = env.GATEHOUSE_REAL_AUDIT_FILE !== undefined;

  describe.skipIf(!hasWebhook && !hasFile)("the person behind kubectl", () => {
    let front: TlsFront | undefined;
    beforeAll(async () => {
      if (hasWebhook) front = await connectWebhook(world());
    });
    afterAll(async () => {
      await tellApiServer(world(), "stopAudit", {});
      await front?.close();
    });

    it("who ran `kubectl argo rollouts abort` is named, and nobody else", async () => {
      const { cluster, namespace, target } = world();
      const begun = new Date();
      const { body } = await cluster.request("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
        ...{ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      });
      const { username } = (body.status as { userInfo: { username: string } }).userInfo;
      const story = await startStory(world(), { name: "person-abort", strategy: { canary } });
      await story.release(target.images[1]);
      await story.until("at its gate", atGate);
      // What Gatehouse does itself is reported once, as its action.
      const { id } = await actWhen(world(), { story, action: "continue", at: atGate });
      await world().actionIn(id, ["effective"]);
      await story.until("at the second gate", (status) => status.currentStepIndex === 3 && atGate(status));
      await story.seen("at the second gate", ({ step }) => step === 3);
      const abort = ["argo", "rollouts", "abort", story.name, "-n", namespace];
      await run("kubectl", abort, { env: { ...process.env, KUBECONFIG: target.kubeconfig } });
      await story.until("aborted", ({ phase }) => phase === "Degraded");

      const sentence = `${username}, with kubectl-argo-rollouts, aborted ${namespace}/${story.name}`;
      const entries = await poll({
        what: `the audit log says: ${sentence}`,
        read: async () => {
          const path = `/api/v1/audit?name=${story.name}&namespace=${namespace}`;
          return (await world().call(listAudit, { path })).items as AuditItem[];
        },
        fits: (items) => items.some((item) => item.sentence.startsWith(sentence)),
        withinMs: 60_000,
      });
      const outside = entries.filter(({ source }) => source === "cluster");
      expect(outside.map(({ code }) => code).toSorted()).toEqual(
        outside.length === 1 ? ["cluster.abort"] : ["cluster.abort", "cluster.attributed"],
      );
      for (const item of outside) expect(item.sentence.startsWith(sentence)).toBe(true);

      const { rows } = await world().query(
        "SELECT DISTINCT username, manager, verb, fields FROM kubernetes_audit_event WHERE name = $1 AND verb = 'patch' AND fields @> '[\"status.abort\"]'",
        [story.name],
      );
      expect(rows).toEqual([{ username, manager: "kubectl-argo-rollouts", verb: "patch", fields: ["status.abort"] }]);
      // A log file also has the requests of other installations, from before.
      const { rows: left } = await world().query(
        `SELECT username, manager FROM kubernetes_audit_event
         WHERE stage_at >= $1 AND (username LIKE 'system:serviceaccount:%' OR manager = 'gatehouse')`,
        [begun],
      );
      expect(left).toEqual([]);
    });
  });
}

/** Puts TLS in front of the audit webhook, and makes the API server send its events there. */
async function connectWebhook(world: RealWorld): Promise<TlsFront> {
  const front = await startTlsFront(world.target);
  const { cluster } = world.paramsOf("");
  const asked = { name: "api server", cluster, purpose: "kubernetes-audit", namespaces: ["*"] };
  const { id, secret } = (await world.call(postCredential, { body: asked })) as unknown as CreatedHookCredential;
  await tellApiServer(world, "sendAudit", {
    AUDIT_URL: `${front.url}/hooks/kubernetes-audit/${cluster}`,
    AUDIT_TOKEN: `${id}.${secret}`,
  });
  return front;
}

/** Runs a command that restarts the API server, and waits until it and the recorder are back. */
async function tellApiServer(
  { target, cluster, outages }: RealWorld,
  hook: "sendAudit" | "stopAudit",
  env: Record<string, string>,
): Promise<void> {
  const command = target.hooks[hook];
  if (command === undefined) return;
  const outage = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
  outages.push(outage);
  await run("sh", ["-c", command], { timeout: 120_000, env: { ...process.env, ...env } });
  await poll({
    what: "the API server answers again",
    read: () => cluster.request("GET", "/readyz"),
    fits: ({ status }) => status === 200,
    withinMs: 120_000,
  });
  outage.toMs = Date.now();
}
